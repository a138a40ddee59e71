import { type TSchema, Type } from "@sinclair/typebox";
import type { EventKind } from "./entities.ts";
import type { Fault } from "./faults.ts";
import {
  checkForm,
  count,
  flag,
  formOf,
  type Forms,
  number,
  record,
  span,
  text,
  words,
} from "./forms.ts";
import type { HubName } from "./hub-socket.ts";
import type { Knob } from "./knobs.ts";

/** Settings have forms of their own. */
type Name = Exclude<Knob["knob"], "set">;
type FieldOf<One extends Name> = Exclude<keyof Extract<Knob, { readonly knob: One }>, "knob">;

const user = Type.Optional(text);
const hub = Type.Optional(words<HubName>({ user: true, market: true }));
const account = Type.Union([text, number]);

const FAULTS: {
  readonly [Kind in Fault["kind"]]: Readonly<Record<string, TSchema>>;
} = {
  drop: { isCarriedOut: flag, cutsHubs: Type.Optional(flag) },
  silence: { isCarriedOut: flag },
  delay: { ms: span },
  hold: {},
  status: { status: count, body: Type.Optional(text), isCarriedOut: Type.Optional(flag) },
  empty: { isCarriedOut: flag },
  garbage: { isCarriedOut: flag },
  code: { code: number, message: Type.Optional(text), isCarriedOut: flag },
  rejectLater: { afterMs: Type.Optional(span) },
};

const fault = Type.Union(
  Object.entries(FAULTS).map(([kind, fields]) => formOf({ kind: Type.Literal(kind), ...fields })),
);

const FORMS: { readonly [One in Name]: Forms<FieldOf<One>> } = {
  reset: { user },
  fault: { fault, path: user, user, having: Type.Optional(record), times: Type.Optional(count) },
  faultsLeft: { user: text },
  forgetFaults: { user: text },
  heldAnswers: { user: text },
  letGo: { user: text },
  loseNextAnswer: { user, isCarriedOut: flag },
  user: { name: text, apiKey: text, accounts: Type.Optional(count) },
  takesAnyone: { isOn: flag },
  quote: {
    contract: text,
    bid: number,
    ask: number,
    bidQty: Type.Optional(count),
    askQty: Type.Optional(count),
  },
  account: {
    account,
    canTrade: Type.Optional(flag),
    isVisible: Type.Optional(flag),
    simulated: Type.Optional(flag),
    isListed: Type.Optional(flag),
    isTold: Type.Optional(flag),
  },
  balance: { account, by: number, isTold: Type.Optional(flag) },
  contract: { contract: text, isActive: Type.Optional(flag), isListed: Type.Optional(flag) },
  endContract: { contract: text },
  liquidate: { account, locks: Type.Optional(flag) },
  placeOrder: { account, order: record },
  cancelOrder: { account, orderId: count },
  movePosition: { account, contract: text, by: number, at: number },
  voidTrade: { trade: count },
  correctTrade: { trade: count, size: Type.Optional(count), price: Type.Optional(number) },
  advance: { ms: span },
  expireTokens: { user },
  useQuota: { user: text, requests: count },
  logOut: { user: text },
  loseEvents: {
    user: text,
    count,
    kind: Type.Optional(
      words<EventKind>({ account: true, order: true, position: true, trade: true }),
    ),
  },
  closeHubs: {
    user,
    hub,
    gapMs: Type.Optional(span),
    error: user,
    allowReconnect: Type.Optional(flag),
  },
  halfOpen: { user, hub },
  hubText: { text, user, hub },
  hubEvent: { target: text, payload: Type.Optional(Type.Unknown()), user, hub },
  freezeQuotes: { contract: user, user, isFrozen: Type.Optional(flag) },
  bars: {
    contract: text,
    minutes: count,
    bars: Type.Array(Type.Unknown()),
    lastIsOpen: Type.Optional(flag),
  },
};

/** Throws in words. */
export function checkKnob(knob: Knob): void {
  if (knob.knob === "set") return;
  const { knob: name, ...fields } = knob;
  if (!Object.hasOwn(FORMS, name)) throw new Error("There is no such knob");
  checkForm(name, fields, formOf(FORMS[name]));
}
