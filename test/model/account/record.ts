import type { ExitPlan } from "../../../src/domain/exits/exit-plan.ts";
import type { ExecId, IntentId } from "../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../src/domain/intent.ts";
import type { OrderReport, Side } from "../../../src/domain/order.ts";
import type { AskedFor } from "../lane/history.ts";
import { type Effect, Lots, type Owner } from "./lots.ts";

/** One request to the account, by a person, or by the gateway for an earlier entry. */
export interface Ask {
  readonly nth: number;
  readonly id: IntentId;
  readonly what: AskedFor | "timeout";
  readonly intent: Intent;
  /** Counts everything that happens. */
  readonly at: number;
  /** By the clock, ms. */
  readonly time: number;
  /** The entry whose plan or timeout asks for it. */
  readonly of?: Ask;
  /** Open contracts of that entry, and the net position, at that time. */
  readonly left: number;
  readonly net: number;
  /** Whether every fill was reported and every earlier outcome known by then. */
  readonly isClear: boolean;
  ended?: { readonly at: number; readonly outcome: Outcome; readonly owners: readonly Owner[] };
}

/** One command, as it arrived at the exchange. */
export interface Sent {
  readonly at: number;
  /** By the clock, ms. */
  readonly time: number;
  readonly kind: "place" | "protect" | "modify" | "cancel" | "close";
  readonly ask: Ask | undefined;
  /** Its `clOrdId`, if it has one. */
  readonly name?: string;
  /** The order it changes or cancels. */
  readonly order?: OrderReport | undefined;
  readonly isStop: boolean;
  readonly isRefused: boolean;
  /** An earlier command has the same name. */
  readonly isTwice: boolean;
  readonly marketIsClosed: boolean;
  /** The signed position. */
  readonly net: number;
  /** Fills reported and locks set since the account was last read for it. */
  readonly news: number;
  /** In the newest epoch. */
  readonly isWrittenAhead: boolean;
  /** Another exit that has cancelled stops, and whose close is unknown. */
  readonly during: Ask | undefined;
  /** At its write-ahead. */
  readonly isLocked: boolean;
  readonly isClear: boolean;
}

/** One fill at the exchange. */
export interface Filled extends Effect {
  readonly at: number;
  readonly time: number;
  readonly execId: ExecId;
  readonly order: OrderReport;
  readonly ask: Ask | undefined;
  readonly side: Side;
  readonly qty: number;
  /** Signed positions. */
  readonly before: number;
  readonly after: number;
  /** When its order arrived at the exchange. */
  readonly cameAt: number;
  /** Its order was written ahead under a lock. */
  readonly cameLocked: boolean;
  /** Every fill was reported when the order arrived. */
  readonly cameClear: boolean;
  /** For how long nothing but the market has moved, ms. */
  readonly quietMs: number;
}

/** The account while nothing is under way and nothing has happened for a while. */
export interface Rest {
  readonly at: number;
  readonly net: number;
  /** The position that the exchange shows. */
  readonly shown: number;
  readonly owners: readonly Owner[];
  readonly working: readonly OrderReport[];
  /** Plans that are stored, by their entries. */
  readonly plans: ReadonlySet<IntentId>;
}

/** Stops that an exit cancelled, and whose close the exchange then refused. */
export interface Taken {
  readonly at: number;
  readonly ask: Ask;
  /** Contracts that stops covered before, and a second after the refusal. */
  readonly before: number;
  readonly after: number;
}

/** Every request to one account, and everything its exchange did. Nothing here depends on the gateway. */
export class AccountRecord {
  readonly asks: Ask[] = [];
  readonly sent: Sent[] = [];
  readonly fills: Filled[] = [];
  readonly rests: Rest[] = [];
  readonly taken: Taken[] = [];
  readonly alarms: { readonly at: number; readonly what: string }[] = [];
  readonly lots = new Lots();
  /** When fills were taken back. */
  readonly takenBackAt: number[] = [];
  /** By `clOrdId`, without a leg's ending. */
  readonly placed = new Map<string, Sent>();
  #at = 0;

  tick(): number {
    this.#at += 1;
    return this.#at;
  }

  get now(): number {
    return this.#at;
  }

  askNamed(name: string | undefined): Ask | undefined {
    return name === undefined ? undefined : this.asks.find(({ id }) => name.startsWith(`${id}-`));
  }

  /** The entry behind a derived request, or the request itself. */
  rootOf = (ask: Ask): Ask => (ask.of === undefined ? ask : this.rootOf(ask.of));

  /** The owner of everything that an order opens. */
  openerOf({ role }: OrderReport, ask: Ask | undefined): Owner {
    if (ask === undefined) return "byHand";
    const isOfExit = role !== "ORDER" || isExit(ask);
    return isOfExit ? "byExit" : this.rootOf(ask).id;
  }

  /** The owners of the contracts that an order is to close first. */
  meantBy(order: OrderReport, ask: Ask | undefined): readonly Owner[] {
    if (ask === undefined) return [];
    const isOfPlan = ask.of !== undefined && ask.what !== "timeout";
    const isLeg = order.role !== "ORDER" && order.parentOrderId !== undefined;
    return isOfPlan || isLeg ? [this.rootOf(ask).id] : [];
  }
}

/** The plan that an entry came with. */
export const planOf = ({ intent }: Ask): ExitPlan | undefined =>
  intent.kind === "PLACE" ? intent.handling?.exitPlan : undefined;

/** Whether the request asks for a stop. */
export function asksForStop(ask: Ask): boolean {
  const { intent } = ask;
  if (planOf(ask)?.stop !== undefined) return true;
  if (intent.kind === "PLACE") return intent.order.bracket?.stopLoss !== undefined;
  return intent.kind === "ADJUST" && intent.terms.bracket?.stopLoss !== undefined;
}

/** Whether the request places, moves or ends exits by hand: earlier exits are replaced. */
export function changesExits({ intent, of }: Ask): boolean {
  if (of !== undefined) return false;
  if (CHANGES_EXITS.has(intent.kind)) return true;
  return intent.kind === "ADJUST" && intent.terms.bracket !== undefined;
}

const CHANGES_EXITS: ReadonlySet<Intent["kind"]> = new Set(["PROTECT", "CANCEL", "MODIFY"]);

/** Whether the request closes a position, or a part of one. */
export const isExit = ({ what }: Ask): boolean => what === "exit" || what === "part";

export const named = ({ nth, what, intent, ended }: Ask): string =>
  `#${nth} ${what} ${JSON.stringify(intent)} ended ${JSON.stringify(ended?.outcome)}`;
