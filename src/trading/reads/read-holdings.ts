import { askInParts } from "../../domain/ask-in-parts.ts";
import type { AccountId } from "../../domain/ids.ts";
import { intentIdOf } from "../../domain/ids.ts";
import type { IntentRecord, IntentSource } from "../../domain/intent.ts";
import {
  counted,
  type Fill,
  isForeign,
  type OrderReport,
  type WorkingOrder,
} from "../../domain/order.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Ticks } from "../../domain/contracts/price.ts";
import { firstStopOf } from "../../domain/exits/plan-levels.ts";
import { closingPrice, isStale, type Quote } from "../../domain/quote.ts";
import {
  type BrokerPosition,
  BrokerReadError,
  type BrokerReads,
  type ConnectionBoard,
} from "../ports.ts";
import {
  type Exit,
  exitsOf,
  isCovered,
  judgeProtection,
  judgeUnseen,
  type Opener,
  type Opening,
  type Protection,
} from "./protection.ts";
import { BUSY_EVERY_MS, QUIET_EVERY_MS } from "../lane/reconcile/reconcile-watch.ts";
import type { AccountViews, AsOf } from "./ports.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Quotes } from "../money/ports.ts";
import { quotesByConnection } from "../money/quotes-by-connection.ts";

/** One position of an account, with what would get out of it. */
export interface Holding {
  readonly account: StoredAccount;
  readonly position: BrokerPosition;
  /** What it would be closed at by the newest quote; absent where nobody has told one. */
  readonly mark?: HoldingMark;
  /** When the broker told of it last, Unix ms. */
  readonly asOf: number;
  /** False while its connection is not up, or its broker shows nothing of it: it may be old. */
  readonly live: boolean;
  /** Exits that are noted as asked for and not there; the note may outlast what it notes. */
  readonly noted: readonly Exit[];
  readonly protection: Protection;
  /** Its resting exits; undefined where they cannot be seen. */
  readonly exits: Readonly<Record<Exit, readonly OrderReport[]>> | undefined;
}

export interface HoldingMark {
  readonly px: Ticks;
  /** When it was heard, Unix ms. */
  readonly at: number;
  readonly isStale: boolean;
}

/** The exits of an account that were asked for and are not there, by contract. */
export type MissingExits = (
  accounts: readonly AccountId[],
) => Promise<ReadonlyMap<AccountId, ReadonlyMap<ContractCode, readonly Exit[]>>>;

export interface ReadHoldingsDeps {
  readonly views: Pick<AccountViews, "positions" | "fills">;
  readonly intents: Pick<IntentStore, "find">;
  readonly board: ConnectionBoard;
  readonly reads: Pick<BrokerReads, "workingOrders">;
  readonly missingExits: MissingExits;
  readonly quotes: Pick<Quotes, "of">;
  /** Unix ms. */
  readonly now: () => number;
}

/** Beyond these, accounts that hold something are not looked into: that is said of each of them. */
const MOST_LOOKED_INTO = 500;
/** Of each of them dozens of records are read. */
const LOOKED_INTO_AT_ONCE = 4;
/** How far back the order is looked for that opened a position. */
const FILLS_LOOKED_AT = 20;
/** After two missed readings of an account no one knows what it holds. */
const READINGS_MISSED = 2.5;
/** Mostly it is among so few; how much it filled counts only where some stop rests. */
const FEW_FILLS = 4;

export interface HoldingReads {
  /** Of these accounts, in their order. */
  readonly of: (accounts: readonly StoredAccount[]) => Promise<readonly Holding[]>;
  readonly ofOne: (account: StoredAccount) => Promise<AsOf<readonly Holding[]>>;
}

/** What an account holds, as the broker told it last. */
interface Read {
  readonly account: StoredAccount;
  readonly value: readonly BrokerPosition[];
  readonly asOf: number;
}

/** What is held, and whether a stop-loss stands for it by the broker's own word of now. */
export function createReadHoldings(deps: ReadHoldingsDeps): HoldingReads {
  const { views, intents, board, reads, missingExits, quotes, now } = deps;
  const isUp = ({ connectionId }: StoredAccount) => board.status(connectionId) === "CONNECTED";
  // A living link says nothing of positions: their owner reads them anew all the time.
  const isShown = ({ value, asOf }: Read) => {
    const everyMs = value.length > 0 ? BUSY_EVERY_MS : QUIET_EVERY_MS;
    return now() - asOf <= READINGS_MISSED * everyMs;
  };
  const isLive = (read: Read) => isUp(read.account) && isShown(read);

  return {
    of: async (accounts) => {
      const all = await askInParts(accounts, readOne);
      return await lookInto(all.filter(({ value }) => value.length > 0));
    },

    ofOne: async (account) => {
      const read = await readOne(account);
      const value = await lookInto(read.value.length > 0 ? [read] : []);
      return { value, asOf: read.asOf, live: isLive(read) };
    },
  };

  async function readOne(account: StoredAccount): Promise<Read> {
    return { account, ...(await views.positions(account.accountId)) };
  }

  async function lookInto(holding: readonly Read[]): Promise<readonly Holding[]> {
    const [asked, quotesOf] = await Promise.all([
      missingExits(holding.map(({ account }) => account.accountId)),
      quotesByConnection(
        quotes,
        holding.map(({ account }) => account),
      ),
    ]);
    const lookedInto = holding.slice(0, MOST_LOOKED_INTO);
    // An owner that answers late is waited for once, and not for each few of its accounts.
    const orders = new Map(
      await Promise.all(lookedInto.map(async (read) => [read, await workingOf(read)] as const)),
    );
    const all = await askInParts(
      holding,
      async (read) => {
        const { account } = read;
        const working = orders.get(read) ?? TOO_MANY;
        const told = quotesOf.get(account.connectionId)?.quotes ?? NO_QUOTES;
        return await judgeAll({ read, told }, working, asked.get(account.accountId));
      },
      LOOKED_INTO_AT_ONCE,
    );
    return all.flat();
  }

  /** `working` is a text where it says why the orders cannot be seen. */
  async function judgeAll(
    { read, told }: { readonly read: Read; readonly told: ReadonlyMap<ContractCode, Quote> },
    working: readonly WorkingOrder[] | string,
    missing: ReadonlyMap<ContractCode, readonly Exit[]> = new Map(),
  ): Promise<readonly Holding[]> {
    const { account, value, asOf } = read;
    const live = isLive(read);
    return await Promise.all(
      value.map(async (position): Promise<Holding> => {
        const noted = missing.get(position.contract) ?? [];
        const mark = markOf(position, told.get(position.contract), now());
        const shared = { account, position, ...(mark && { mark }), asOf, live, noted };
        if (typeof working === "string") {
          return { ...shared, protection: judgeUnseen(noted, working), exits: undefined };
        }
        const isStopped = isCovered(position, "STOP_LOSS", working);
        const hasStop = exitsOf(position, working).STOP_LOSS.length > 0;
        const opening = isStopped
          ? undefined
          : await openingOf(account.accountId, position, hasStop);
        const protection = judgeProtection(position, working, noted, opening);
        if (protection.kind !== "missing" || noted.length > 0) {
          return { ...shared, protection, exits: exitsOf(position, working) };
        }
        // Its order has ended by now: its exits may have come since the orders were read.
        const after = await workingOf(read);
        if (typeof after === "string") {
          return { ...shared, protection: judgeUnseen(noted, after), exits: undefined };
        }
        const judged = judgeProtection(position, after, noted, opening);
        return { ...shared, protection: judged, exits: exitsOf(position, after) };
      }),
    );
  }

  /** Or why they cannot be seen. */
  async function workingOf(read: Read): Promise<readonly WorkingOrder[] | string> {
    const { accountId, active, connectionId } = read.account;
    if (!active) return "Its account is inactive, so nothing watches it";
    if (!isUp(read.account)) return "Its connection is not up, so its orders cannot be seen";
    if (!isShown(read)) return "The broker has not shown for minutes what it holds";
    try {
      return await reads.workingOrders(connectionId, accountId);
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return "The broker did not show its orders just now";
    }
  }

  /** Undefined where the records do not tell. */
  async function openingOf(
    account: AccountId,
    { contract, netQty }: BrokerPosition,
    hasStop: boolean,
  ): Promise<Opening | undefined> {
    const isOf = (one: ContractCode) => one === contract;
    const isOpening = ({ side }: Fill) => (side === "BUY") === netQty > 0;
    const read = async (limit: number) =>
      counted((await views.fills(account, { limit, isOf })).items);
    let items = await read(hasStop ? FILLS_LOOKED_AT : FEW_FILLS);
    if (!items.some(isOpening) && !hasStop) items = await read(FILLS_LOOKED_AT);
    const fill = items.find(isOpening);
    if (fill === undefined) return undefined;
    const { clOrdId } = fill;
    const qty = items
      .filter((one) => one.orderId === fill.orderId)
      .reduce((sum, { lastQty }) => sum + lastQty, 0);
    if (clOrdId === undefined || isForeign({ clOrdId })) {
      return { by: "elsewhere", asksForStop: false, qty, isUnderWay: false };
    }
    const id = intentIdOf(clOrdId);
    const record = id && (await intents.find(account, id));
    return record && toOpening(record, qty);
  }
}

const NO_QUOTES: ReadonlyMap<ContractCode, Quote> = new Map();

function markOf(
  { netQty }: BrokerPosition,
  quote: Quote | undefined,
  now: number,
): HoldingMark | undefined {
  const price = quote && closingPrice(quote, netQty);
  return price && { px: price.px, at: price.heardAt, isStale: isStale(price, now) };
}

const TOO_MANY = "Too many accounts hold something to look into each of them";

const OPENERS: Readonly<Record<IntentSource["kind"], Opener>> = {
  api: "api",
  webhook: "alert",
  operator: "operator",
  copy: "copy",
  strategy: "strategy",
  guard: "guard",
  timeout: "timeout",
  // It only closes and protects.
  plan: "elsewhere",
};

function toOpening({ intent, outcome, source }: IntentRecord, qty: number): Opening {
  const bracket =
    intent.kind === "PLACE"
      ? intent.order.bracket
      : intent.kind === "ADJUST"
        ? intent.terms.bracket
        : intent.kind === "TIMEOUT"
          ? intent.bracket
          : undefined;
  return {
    by: OPENERS[source.kind],
    asksForStop: bracket?.stopLoss !== undefined || plansStop(intent),
    qty,
    isUnderWay: outcome === undefined,
  };
}

const plansStop = (intent: IntentRecord["intent"]): boolean => {
  const plan = "handling" in intent ? intent.handling?.exitPlan : undefined;
  return plan !== undefined && firstStopOf(plan) !== undefined;
};
