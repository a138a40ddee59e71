import type { EventKind } from "./entities.ts";
import type { Fault } from "./faults.ts";
import {
  anything,
  checkForms,
  count,
  either,
  flag,
  type Form,
  type Forms,
  list,
  number,
  optional,
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

const user = optional(text);
const hub = optional(words<HubName>({ user: true, market: true }));
const account = either(text, number);

const FORMS: { readonly [One in Name]: Forms<FieldOf<One>> } = {
  reset: { user },
  fault: { fault: isFault, path: user, user, times: optional(count) },
  faultsLeft: { user: text },
  forgetFaults: { user: text },
  loseNextAnswer: { user, isCarriedOut: flag },
  user: { name: text, apiKey: text, accounts: optional(count) },
  takesAnyone: { isOn: flag },
  quote: {
    contract: text,
    bid: number,
    ask: number,
    bidQty: optional(count),
    askQty: optional(count),
  },
  account: {
    account,
    canTrade: optional(flag),
    isVisible: optional(flag),
    simulated: optional(flag),
    isTold: optional(flag),
  },
  balance: { account, by: number, isTold: optional(flag) },
  contract: { contract: text, isActive: optional(flag), isListed: optional(flag) },
  endContract: { contract: text },
  liquidate: { account, locks: optional(flag) },
  placeOrder: { account, order: record },
  cancelOrder: { account, orderId: count },
  voidTrade: { trade: count },
  advance: { ms: span },
  expireTokens: { user },
  useQuota: { user: text, requests: count },
  logOut: { user: text },
  loseEvents: {
    user: text,
    count,
    kind: optional(words<EventKind>({ account: true, order: true, position: true, trade: true })),
  },
  closeHubs: {
    user,
    hub,
    gapMs: optional(span),
    error: user,
    allowReconnect: optional(flag),
  },
  halfOpen: { user, hub },
  hubText: { text, user, hub },
  hubEvent: { target: text, payload: anything, user, hub },
  freezeQuotes: { contract: user, user, isFrozen: optional(flag) },
  bars: { contract: text, minutes: count, bars: list, lastIsOpen: optional(flag) },
};

const FAULTS: {
  readonly [Kind in Fault["kind"]]: Readonly<Record<string, Form>>;
} = {
  drop: { isCarriedOut: flag, cutsHubs: optional(flag) },
  silence: { isCarriedOut: flag },
  delay: { ms: span },
  status: { status: count, body: optional(text), isCarriedOut: optional(flag) },
  empty: { isCarriedOut: flag },
  garbage: { isCarriedOut: flag },
  code: { code: number, message: optional(text), isCarriedOut: flag },
  rejectLater: { afterMs: optional(span) },
};

/** Throws in words. */
export function checkKnob(knob: Knob): void {
  if (knob.knob === "set") return;
  const { knob: name, ...fields } = knob;
  if (!Object.hasOwn(FORMS, name)) throw new Error("There is no such knob");
  checkForms(`part of ${name}`, fields, FORMS[name]);
}

function isFault(value: unknown): boolean {
  if (!record(value)) return false;
  const { kind, ...fields } = value as Fault;
  if (!Object.hasOwn(FAULTS, kind)) return false;
  checkForms(`part of ${kind}`, fields, FAULTS[kind]);
  return true;
}
