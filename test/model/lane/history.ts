import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { IntentId } from "../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../src/domain/intent.ts";
import { type OrderReport, type Side, sign } from "../../../src/domain/order.ts";

/** What of the account an asking is about. */
export type AskedFor =
  /** A position, or more of one. */
  | "entry"
  /** A position of just this size. */
  | "target"
  /** Nothing held any more, in its contracts. */
  | "exit"
  /** Less held. */
  | "part"
  /** An order at the market that closes no more than is held. */
  | "out"
  /** An order that is to close what is held, at a price. */
  | "plainExit"
  | "cancelEntries"
  | "protection";

export type Net = ReadonlyMap<ContractCode, number>;

/** One thing that was asked, in the order of acceptance. */
export interface Ask {
  readonly nth: number;
  readonly id: IntentId;
  readonly what: AskedFor;
  readonly intent: Intent;
  readonly contracts: readonly ContractCode[];
  /** Counts everything that happens. */
  readonly askedAt: number;
  /** Contracts that were held, and orders that rested, when it was asked. */
  readonly seen: Standing;
  /** When its first command left, as far as that was in its own turn. */
  sentAt?: number;
  /** Commands that the broker carried out while it was worked. */
  carried: number;
  outcome?: Outcome;
  endedAt?: number;
}

/** How the account stood at the broker at one moment. */
export interface Standing {
  readonly net: Net;
  readonly working: readonly OrderReport[];
}

/** One fill at the broker, with the position before and after it. */
export interface Filled {
  readonly at: number;
  readonly contract: ContractCode;
  readonly side: Side;
  readonly order: OrderReport;
  readonly before: number;
  readonly after: number;
  /** Whose order it was. */
  readonly ask: Ask | undefined;
}

/** The end of one step: what was done, and how things stood then. */
export interface Moment extends Standing {
  readonly at: number;
  /** The asking that it was about; undefined where the market moved or time went by. */
  readonly ask: Ask | undefined;
  /** Nothing is under way: what is seen is what is. */
  readonly isSettled: boolean;
  /** Since when the kill switch is on. */
  readonly switchedOnAt: number | undefined;
}

/**
 * All that was asked of one account, what it was answered, and what the broker did. Nothing here knows
 * how a gateway works.
 */
export class History {
  readonly asks: Ask[] = [];
  readonly fills: Filled[] = [];
  readonly moments: Moment[] = [];
  readonly maxPositionQty: number;
  #now = 0;

  constructor(maxPositionQty: number) {
    this.maxPositionQty = maxPositionQty;
  }

  tick(): number {
    this.#now += 1;
    return this.#now;
  }

  askOf(order: Pick<OrderReport, "clOrdId">): Ask | undefined {
    const { clOrdId } = order;
    return this.asks.find(({ id }) => clOrdId?.startsWith(`${id}-`));
  }

  /** The moment before this one. */
  before(moment: Moment): Moment | undefined {
    return this.moments[this.moments.indexOf(moment) - 1];
  }
}

export const netIn = ({ net }: Standing, contract: ContractCode): number => net.get(contract) ?? 0;

/** Whether it fills at the market, so that it is about to end: also a stop that has begun to. */
export const isFilling = ({ ordType, cumQty }: OrderReport): boolean =>
  ordType === "MARKET" || (ordType === "STOP" && cumQty > 0);

/** Whether the fill opened a position, made one larger or turned it around. */
export const opens = ({ before, after }: Pick<Filled, "before" | "after">): boolean =>
  Math.abs(after) > Math.abs(before) || before * after < 0;

/** How much of what is held an order on this side could close. */
export const closable = (net: number, side: Side): number => Math.max(0, -net * sign(side));

/** It was done, nothing of it is left, and nobody was told of a problem. */
export function isDoneWhole({ outcome }: Ask): boolean {
  if (outcome?.kind !== "done") return false;
  const { result } = outcome;
  switch (result.kind) {
    case "FLATTEN":
      return [...result.remaining, ...result.remainingOrderIds, ...result.problems].length === 0;
    case "ADJUST":
      return result.problems.length === 0 && result.unprotected === undefined;
    case "TIMEOUT":
      return result.order?.legsUnconfirmed !== true && result.problems.length === 0;
    case "PLACE":
      return result.order.legsUnconfirmed !== true && (result.problems ?? []).length === 0;
    case "CANCEL":
    case "CANCEL_ENTRIES":
    case "MODIFY":
    case "PROTECT":
    case "TEST":
      return true;
  }
}

export const isExitOf = (contract: ContractCode, { what, contracts }: Ask): boolean =>
  what === "exit" && contracts.includes(contract);

/**
 * A window that is known: an order that was to close is not answered for, another one closes
 * meanwhile, and both fill.
 */
export function isPassedExit({ asks }: History, { ask, contract, side }: Filled): boolean {
  if (ask === undefined || netIn(ask.seen, contract) * sign(side) >= 0) return false;
  const { nth, contracts, endedAt = Infinity } = ask;
  return asks.some(
    (other) =>
      other.nth > nth &&
      other.askedAt < endedAt &&
      other.contracts.some((one) => contracts.includes(one)),
  );
}

/** Words for one asking in a complaint. */
export const named = ({ nth, what, intent, outcome }: Ask): string =>
  `#${nth} ${what} ${JSON.stringify(intent)} ended ${JSON.stringify(outcome)}`;

export const told = ({ contract, side, order, before, after, ask }: Filled): string =>
  `${side} ${contract} ${before} -> ${after} by ${order.role} ${order.ordType} of #${ask?.nth ?? "?"}`;
