import type { AccountId } from "../../domain/ids.ts";
import { type Intent, type IntentRecord, isGoingOn, isUnsettled } from "../../domain/intent.ts";
import { legScopeOf, onlyReduces, type Scope } from "../../domain/overtaking.ts";
import { BrokerReadError } from "../ports.ts";
import { type ConnectedDeps, connectedOf } from "./connected.ts";
import type { ParkedIntent } from "./ports.ts";
import type { PlanKeeper } from "./exits/plan-keeper.ts";
import type { LegKeeper } from "./legs/leg-keeper.ts";
import { lookUp, type LookUpDeps } from "./look-up.ts";
import { goesOn } from "./settle/goes-on.ts";
import { type LaneObserver, reportIfChanged, type RunIntent, storeStep } from "./run-intent.ts";
import { judgeEnding } from "../orders/judge-ending.ts";
import type { AccountViews } from "../reads/ports.ts";
import { StoreError } from "../store-error.ts";

export interface SettlePendingDeps extends ConnectedDeps, LookUpDeps {
  readonly runIntent: RunIntent;
  readonly legs: Pick<LegKeeper, "keep" | "keepAfter">;
  readonly plans: Pick<PlanKeeper, "keep" | "takenOver">;
  readonly observer: LaneObserver;
  /** The account's positions, as they are shown. */
  readonly views: Pick<AccountViews, "positions">;
}

interface ParkedIntents {
  /** In the order of acceptance. */
  readonly parked: readonly ParkedIntent[];
  /** Whether an earlier outcome is still unknown. */
  readonly isUnsure: boolean;
  /** The store's clock, Unix ms. */
  readonly now: number;
}

/**
 * Settles the pending intents of a lane: looks unknown outcomes up at the broker again and continues
 * interrupted exits, then releases what is parked, expires (visibly) what never got a job, and at last
 * compares legs with their position. Runs in the lane's turn, so that no worker has these intents in
 * hand. Returns whether anything is still unknown or parked, or a leg must be checked again.
 */
export function createSettlePending(
  deps: SettlePendingDeps,
): (account: AccountId) => Promise<boolean> {
  const { intents, observer, runIntent } = deps;

  return async function settlePending(account) {
    const [records, parked, now] = await Promise.all([
      intents.unsettled(account),
      intents.parked(account),
      intents.now(),
    ]);
    const open: Intent[] = parked.map(({ record }) => record.intent);
    let isUnsure = false;
    let goesOnLater = false;
    const begun = records.filter(({ state }) => state !== "PREPARED");
    // An exit continues once everything before it is known.
    const exitsLast = [...begun.filter((one) => !goesOn(one)), ...begun.filter(goesOn)];
    for (const record of exitsLast) {
      const settled = await settle(record);
      reportIfChanged(observer, record, settled);
      if (!isUnsettled(settled.state)) continue;
      // Nothing waits for it, and the exits that stand stay as they are kept.
      if (isGoingOn(settled.state)) {
        goesOnLater = true;
        continue;
      }
      isUnsure = true;
      open.push(record.intent);
    }
    const hasParked = await releaseParked({ parked, isUnsure, now });
    const isParked = new Set(parked.map(({ record }) => record.intentId));
    for (const record of records) {
      const mayBeLost = record.state === "PREPARED" && !isParked.has(record.intentId);
      if (mayBeLost && now >= record.exitExpiresAt) {
        reportIfChanged(observer, record, await forget(record));
      }
    }
    if (!isUnsure && !hasParked) return (await keepExits(account)) || goesOnLater;
    // The outcome of an interrupted protect or flatten is read off the legs it left: they stay till then.
    const left = open.flatMap((intent) => legScopeOf(intent) ?? []);
    if (!left.includes("account")) await keepExits(account, left);
    return true;
  };

  /** Legs first: none of them may be for more than is held when a plan looks at them. */
  async function keepExits(account: AccountId, left: readonly Scope[] = []): Promise<boolean> {
    const isDue = await deps.legs.keep(account, left, deps.plans.takenOver(account));
    await deps.plans.keep(account, left);
    return isDue;
  }

  async function forget(record: IntentRecord): Promise<IntentRecord> {
    const reason = "It never reached its lane and is too old to be sent; nothing was sent";
    const outcome = await judgeEnding(deps.views, record, { kind: "expired", reason });
    return await intents.withdraw(record.accountId, record.intentId, outcome);
  }

  /** What the broker cannot answer now stays as it is. */
  async function settle(record: IntentRecord): Promise<IntentRecord> {
    // Only the closes are left of an exit that goes on; what is left of an entry may go at the market.
    const mayEnter = record.intent.kind === "TIMEOUT" && record.intent.onlyCloses !== true;
    const isExit = onlyReduces(record.intent) || (goesOn(record) && !mayEnter);
    const by = isExit ? "exit" : "entry";
    const owned = connectedOf(record.accountId, deps, { by });
    if (owned === undefined) return record;
    try {
      return await lookUp(deps, record, owned);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      // An intent that cannot be judged must not block the others, or the legs.
      if (!(error instanceof BrokerReadError)) observer.intentFailed(record, error);
      return record;
    }
  }

  /**
   * Carries out the entries that wait behind an unknown outcome ("Rules for money" 4), in the order of
   * their acceptance, once nothing is unknown. One that becomes too old before that is run by itself: an
   * entry expires visibly, but what it closes is still sent, and so is a protection. Runs in the lane's
   * turn, before anything that was accepted later. Returns whether anything is still parked.
   */
  async function releaseParked({ parked, isUnsure, now }: ParkedIntents): Promise<boolean> {
    const waiting: ParkedIntent[] = [];
    for (const one of parked) {
      if (now < one.record.entryExpiresAt || !(await run(one))) waiting.push(one);
    }
    return isUnsure ? waiting.length > 0 : await sendAll(waiting);
  }

  /** The first one that cannot be ended now blocks the others behind it. */
  async function sendAll(waiting: readonly ParkedIntent[]): Promise<boolean> {
    for (const one of waiting) if (!(await run(one))) return true;
    return false;
  }

  async function run({ record, replyTo }: ParkedIntent): Promise<boolean> {
    const step = await runIntent(record.accountId, record.intentId, { replyTo });
    await storeStep(intents, step);
    return step.kind === "done";
  }
}
