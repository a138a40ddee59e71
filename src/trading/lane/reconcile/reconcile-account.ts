import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { type PositionGap, positionGaps } from "../../../domain/holdings.ts";
import type { AccountId } from "../../../domain/ids.ts";
import { type Fill, understood } from "../../../domain/order.ts";
import {
  type Broker,
  type BrokerPosition,
  BrokerReadError,
  OpaquePositionsError,
} from "../../ports.ts";
import type { AccountBroker, AccountProjector, Projection } from "./account-projector.ts";
import { OrderCheck, type OrderCheckDeps, type OrderDifference } from "./reconcile-orders.ts";
import { type JudgedGaps, PositionSuspicions } from "./reconcile-positions.ts";
import type { AccountViews, KnownHoldings } from "../../reads/ports.ts";

/** What the broker shows and our own records do not explain. Each is reported once. */
export type Difference = OrderDifference | (PositionGap & { readonly kind: "position" });

export interface Reconciliation {
  /** Fills that had not been reported. */
  readonly adoptedFills: number;
  readonly differences: readonly Difference[];
  /** A position is not what its fills add up to; another reading is to confirm or clear that. */
  readonly isSuspected: boolean;
  /** Nothing is held and nothing works. */
  readonly isQuiet: boolean;
  /** The contracts that orders work in. */
  readonly working: readonly ContractCode[];
}

/** Called with every reconciliation; for logs, alarms and metrics. */
export interface ReconcileObserver {
  readonly reconciled: (account: AccountId, result: Reconciliation) => void;
  /** Nothing was concluded from it, and it is tried again. */
  readonly reconcileFailed: (account: AccountId, error: unknown) => void;
}

export interface AccountReconcilerDeps extends OrderCheckDeps {
  readonly brokerOf: (account: AccountId) => AccountBroker | undefined;
  readonly projector: Pick<AccountProjector, "project">;
  readonly views: Pick<AccountViews, "holdings" | "saveBase">;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** A fill that was reported late, or by another of the broker's clocks, is still found. */
const OVERLAP_MS = 10 * 60_000;

interface Reading extends Projection {
  readonly fills: readonly Fill[];
  /** As they stood after the positions were read, unless nothing had changed since before. */
  readonly holdings: KnownHoldings;
}

/**
 * Aligns what is known of an account to its broker, so that: position = base + sum of fills = the
 * broker's position. Missing fills are recorded; a position that fills do not explain is taken over
 * once two readings agree on it, and told. A read that fails throws, and nothing is concluded; nor is
 * where a position cannot be read, but then what can be is to be closed: the account is in step.
 */
export class AccountReconciler {
  readonly #deps: AccountReconcilerDeps;
  readonly #orders: OrderCheck;
  readonly #suspicions = new PositionSuspicions();

  constructor(deps: AccountReconcilerDeps) {
    this.#deps = deps;
    this.#orders = new OrderCheck(deps);
  }

  async reconcile(account: AccountId): Promise<Reconciliation> {
    try {
      return await this.#compare(account);
    } catch (error) {
      if (error instanceof OpaquePositionsError) return INCOMPARABLE;
      throw error;
    }
  }

  async #compare(account: AccountId): Promise<Reconciliation> {
    const { brokerOf, views, elapsed } = this.#deps;
    const owned = brokerOf(account);
    if (owned === undefined) throw new BrokerReadError(`${account} is not owned here`);
    const { broker, epoch } = owned;
    const beganAt = elapsed();
    const known = await views.holdings(account);
    const { reconciledUpTo: upTo = 0 } = known;
    const working = await broker.workingOrders(account);
    const first = await this.#read(account, broker, Math.max(0, upTo - OVERLAP_MS), known);
    const orders = await this.#orders.check(account, broker, understood(working), first.fills);

    const isAligned = gapsOf(first).length === 0;
    // The missing fill may be older than what is usually asked for: everything is asked for.
    const last = isAligned ? first : await this.#read(account, broker, 0);
    // Positions say nothing about fills when some came in while they were read.
    const isStill = isAligned || isSame(first, last);
    const reading = { epoch, beganAt, endedAt: elapsed() };
    const judged = isStill ? this.#suspicions.judge(account, gapsOf(last), reading) : MOVING;
    if (isStill) await this.#takeOver(account, { ...last, epoch }, judged);

    await orders.conclude();
    // What an account held when it was first seen is taken over and no difference.
    const told = known.reconciledUpTo === undefined ? [] : judged.confirmed.map(toDifference);
    return {
      adoptedFills: first.missedFills + (isAligned ? 0 : last.missedFills),
      differences: [...orders.differences, ...told],
      isSuspected: judged.isSuspected,
      isQuiet: working.length === 0 && last.positions.length === 0,
      working: working.flatMap(({ contract }) => (contract === undefined ? [] : [contract])),
    };
  }

  async #read(
    account: AccountId,
    broker: Broker,
    sinceAt: number,
    known?: KnownHoldings,
  ): Promise<Reading> {
    const { projector, views } = this.#deps;
    const fills = await broker.fills(account, sinceAt);
    const projection = await projector.project(account, fills);
    const isNothingNew =
      known !== undefined &&
      projection.news.length === 0 &&
      positionGaps(known, projection.positions).length === 0;
    const holdings = isNothingNew ? known : await views.holdings(account);
    return { ...projection, fills, holdings };
  }

  /** Moves the base by what is confirmed, and remembers up to when every fill is known. */
  async #takeOver(
    account: AccountId,
    {
      epoch,
      fills,
      positions,
      holdings: { base, reconciledUpTo },
    }: Reading & { readonly epoch: number },
    { confirmed, isSuspected }: JudgedGaps,
  ): Promise<void> {
    const newest = fills.reduce(
      (at, { transactTimeAt }) => Math.max(at, transactTimeAt),
      reconciledUpTo ?? 0,
    );
    // A first reconciliation lasts until nothing is suspected any more.
    const isUnfinished = reconciledUpTo === undefined && isSuspected;
    const isNews = newest !== reconciledUpTo && !isUnfinished;
    if (!isNews && confirmed.length === 0) return;
    await this.#deps.views.saveBase(account, {
      epoch,
      base: new Map(
        confirmed.map(({ contract, expectedQty, foundQty }) => [
          contract,
          (base.get(contract) ?? 0) + foundQty - expectedQty,
        ]),
      ),
      prices: new Map(positions.map(({ contract, ...told }) => [contract, priceOf(told)])),
      ...(isNews && { reconciledUpTo: newest }),
    });
  }
}

const priceOf = ({ avgPx, terms }: Pick<BrokerPosition, "avgPx" | "terms">) => ({
  ...(avgPx !== undefined && { avgPx }),
  ...(terms !== undefined && { terms }),
});

const INCOMPARABLE: Reconciliation = {
  adoptedFills: 0,
  differences: [],
  isSuspected: false,
  isQuiet: false,
  working: [],
};

const MOVING: JudgedGaps = { confirmed: [], isSuspected: true };

const gapsOf = ({ holdings, positions }: Reading) => positionGaps(holdings, positions);

/** Whether no fill came in between the end of one reading and the end of the next. */
function isSame(first: Reading, second: Reading): boolean {
  const [before, after] = [first.holdings.filledNet, second.holdings.filledNet];
  return (
    second.news.length === 0 &&
    before.size === after.size &&
    [...before].every(([contract, qty]) => after.get(contract) === qty)
  );
}

const toDifference = (gap: PositionGap): Difference => ({ kind: "position", ...gap });
