import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { formatScaled, NOTHING, parseDecimal } from "../../domain/contracts/decimal.ts";
import type { AccountId, ExecId, OrderId } from "../../domain/ids.ts";
import { type Fill, ORD_STATUSES, SIDES, TIMES_IN_FORCE } from "../../domain/order.ts";
import { ORD_TYPES, ORDER_PRICES, type OrderPrice } from "../../domain/declared/order-types.ts";
import type { Position } from "../../domain/position.ts";
import { type AccountTotals, isNothing, type Takings } from "./account-totals.ts";
import type { AccountState, ExchangeAccount } from "./exchange/exchange-account.ts";
import type { ExchangeOrder } from "./exchange/exchange-order.ts";
import type { EntryKind } from "./exchange/ledger.ts";
import { VERSION_KEY } from "./state-journal.ts";

const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...values] });
const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);
const text = Type.String();
const whole = Type.Integer();
const size = Type.Integer({ minimum: 0 });

const prices = <T>(each: T) =>
  Object.fromEntries(ORDER_PRICES.map((name) => [name, each])) as Record<OrderPrice, T>;

/** A number that was written out in full. */
const amount = Type.String({ pattern: "^-?\\d{1,15}(\\.\\d{1,12})?$" });

/** What is 0 is left out: most accounts pay nothing, and many write often. */
const takings = { realized: maybe(amount), fees: maybe(amount) };
const StoredTotals = Type.Object({
  ...takings,
  day: maybe(Type.Object({ beganAt: Type.Number(), ...takings })),
});
type StoredTotals = Static<typeof StoredTotals>;
type StoredTakings = Omit<StoredTotals, "day">;

/** Earlier versions counted no totals: such an account begins with none. */
const StoredAccount = Type.Object({
  lastId: size,
  totals: maybe(Type.Record(Type.String({ pattern: "^[A-Z]{3}$" }), StoredTotals)),
});

const StoredOrder = Type.Object({
  orderId: text,
  clOrdId: maybe(text),
  contract: text,
  side: oneOf(SIDES),
  ordType: oneOf(ORD_TYPES),
  timeInForce: oneOf(TIMES_IN_FORCE),
  role: oneOf(["ORDER", "TAKE_PROFIT", "STOP_LOSS"]),
  parentOrderId: maybe(text),
  linkedOrderId: maybe(text),
  legIds: Type.Array(text),
  ordStatus: oneOf(ORD_STATUSES),
  orderQty: size,
  cumQty: size,
  filledTicks: whole,
  ...prices(maybe(whole)),
  distance: maybe(whole),
  isTriggered: Type.Boolean(),
  priority: Type.Number(),
  expireAt: maybe(Type.Number()),
  text: maybe(text),
  transactTimeAt: Type.Number(),
});

const StoredPosition = Type.Object({
  contract: text,
  netQty: whole,
  lots: Type.Array(Type.Object({ qty: size, px: whole })),
  realizedTicks: whole,
});

const StoredFill = Type.Object({
  execId: text,
  orderId: text,
  clOrdId: maybe(text),
  contract: text,
  side: oneOf(SIDES),
  lastQty: size,
  lastPx: whole,
  realizedPnl: maybe(text),
  fee: maybe(text),
  feeCurrency: maybe(text),
  transactTimeAt: Type.Number(),
});

// They are TypeBox's, and few; checking that they are schemas takes longer than compiling them.
const ajv = new Ajv2020({ validateSchema: false });
const isStored = {
  account: ajv.compile<Static<typeof StoredAccount>>(StoredAccount),
  order: ajv.compile<Static<typeof StoredOrder>>(StoredOrder),
  position: ajv.compile<Static<typeof StoredPosition>>(StoredPosition),
  fill: ajv.compile<Static<typeof StoredFill>>(StoredFill),
};

const PREFIXES: Readonly<Record<EntryKind, string>> = {
  account: "a",
  order: "o",
  position: "p",
  fill: "f",
};

/** Where in the account's stored state an entry is kept: its kind's letter, then its id. */
export function entryKey(kind: EntryKind, id: string): string {
  return `${PREFIXES[kind]}${id}`;
}

/** What is stored of an account. */
export interface StoredState extends AccountState {
  readonly totals: AccountTotals;
}

/** The entry as it is stored; undefined when the account has it no more. */
export function encodeEntry(
  { account, totals }: { account: ExchangeAccount; totals: AccountTotals },
  key: string,
): string | undefined {
  const id = key.slice(1);
  switch (key.charAt(0)) {
    case PREFIXES.account:
      return JSON.stringify({ lastId: account.lastId, ...encodeTotals(totals) });
    case PREFIXES.order:
      return encodeOrder(account.order(id as OrderId));
    case PREFIXES.position:
      return encode(account.positions.get(id as ContractCode));
    default:
      return encode(account.fills.get(id as ExecId));
  }
}

/** The account again; undefined when nothing was stored. Throws on an entry that makes no sense. */
export function decodeAccount(
  accountId: AccountId,
  entries: ReadonlyMap<string, string>,
): StoredState | undefined {
  if (entries.size === 0) return undefined;
  const orders: ExchangeOrder[] = [];
  const positions: Position[] = [];
  const fills: Fill[] = [];
  let lastId: number | undefined;
  let totals: AccountTotals = new Map();
  for (const [key, value] of entries) {
    if (key === VERSION_KEY) continue;
    const entry = parse(value);
    const kind = key.charAt(0);
    if (kind === PREFIXES.order && isStored.order(entry)) {
      orders.push(decodeOrder(accountId, entry));
    } else if (kind === PREFIXES.position && isStored.position(entry)) {
      positions.push(entry as unknown as Position);
    } else if (kind === PREFIXES.fill && isStored.fill(entry)) {
      fills.push(entry as unknown as Fill);
    } else if (kind === PREFIXES.account && isStored.account(entry)) {
      ({ lastId } = entry);
      totals = decodeTotals(entry.totals ?? {});
    } else {
      throw new Error(`The stored entry "${key}" of paper account ${accountId} cannot be read`);
    }
  }
  if (lastId === undefined) throw new Error(`Paper account ${accountId} is stored without counter`);
  return { lastId, orders, positions, fills, totals };
}

function encodeTotals(totals: AccountTotals): { totals?: Record<string, StoredTotals> } {
  if (totals.size === 0) return {};
  const stored = [...totals].map(([currency, { day, ...all }]) => {
    const ofDay = isNothing(day) ? {} : { day: { beganAt: day.beganAt, ...encodeTakings(day) } };
    return [currency, { ...encodeTakings(all), ...ofDay }] as const;
  });
  return { totals: Object.fromEntries(stored) };
}

function decodeTotals(stored: Readonly<Record<string, StoredTotals>>): AccountTotals {
  return new Map(
    Object.entries(stored).map(([currency, { day, ...all }]) => [
      currency,
      { ...decodeTakings(all), day: { beganAt: day?.beganAt ?? 0, ...decodeTakings(day ?? {}) } },
    ]),
  );
}

const encodeTakings = ({ realized, fees }: Takings): StoredTakings => ({
  ...(realized.units !== 0n && { realized: formatScaled(realized) }),
  ...(fees.units !== 0n && { fees: formatScaled(fees) }),
});

const decodeTakings = ({ realized = "0", fees = "0" }: StoredTakings): Takings => ({
  realized: parseDecimal(realized) ?? NOTHING,
  fees: parseDecimal(fees) ?? NOTHING,
});

function encodeOrder(order: ExchangeOrder | undefined): string | undefined {
  return order && JSON.stringify({ ...order, account: undefined });
}

/** The fields that JSON left out for being undefined are there again. */
function decodeOrder(account: AccountId, stored: Static<typeof StoredOrder>): ExchangeOrder {
  const absent = {
    clOrdId: undefined,
    parentOrderId: undefined,
    linkedOrderId: undefined,
    ...prices(undefined),
    distance: undefined,
    expireAt: undefined,
    text: undefined,
  };
  return { account, ...absent, ...stored } as unknown as ExchangeOrder;
}

function encode(entry: object | undefined): string | undefined {
  return entry === undefined ? undefined : JSON.stringify(entry);
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
