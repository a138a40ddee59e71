import type { AccountId } from "../../domain/ids.ts";
import { type Intent, type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import { legScopeOf } from "../../domain/overtaking.ts";
import { BrokerReadError } from "../ports.ts";
import { connectedOf, type ConnectedDeps } from "./connected.ts";
import type { LegKeeper } from "./legs/leg-keeper.ts";
import { lookUp, type LookUpDeps } from "./look-up.ts";
import { goesOn } from "./settle/goes-on.ts";
import { createReleaseParked, type ReleaseParkedDeps } from "./release-parked.ts";
import type { LaneObserver } from "./run-intent.ts";
import { reportIfChanged } from "./report-if-changed.ts";
import { StoreError } from "../store-error.ts";

export interface SettlePendingDeps extends ReleaseParkedDeps, ConnectedDeps, LookUpDeps {
  readonly legs: Pick<LegKeeper, "keep" | "keepAfter">;
  readonly observer: LaneObserver;
}

/**
 * Looks after the unsettled intents of a lane: what is unknown is looked up at the broker again, and
 * exits that stand go on, what is held is released after that, what never got its job is expired,
 * visibly, and at last legs are held against their position. Runs in the lane's turn, so that nothing
 * it looks at is being worked. Answers whether anything is still unknown or held, or a leg is to be
 * looked at again.
 */
export function createSettlePending(
  deps: SettlePendingDeps,
): (account: AccountId) => Promise<boolean> {
  const { intents, observer, legs } = deps;
  const releaseParked = createReleaseParked(deps);

  return async function settlePending(account) {
    const [records, parked, now] = await Promise.all([
      intents.unsettled(account),
      intents.parked(account),
      intents.now(),
    ]);
    const open: Intent[] = parked.map(({ record }) => record.intent);
    let isUnsure = false;
    const begun = records.filter(({ state }) => state !== "PREPARED");
    // An exit goes on once what came before it is known.
    const exitsLast = [...begun.filter((one) => !goesOn(one)), ...begun.filter(goesOn)];
    for (const record of exitsLast) {
      const settled = await settle(record);
      reportIfChanged(observer, record, settled);
      if (!isUnsettled(settled.state)) continue;
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
    if (!isUnsure && !hasParked) return await legs.keep(account);
    // An interrupted protect or flatten is judged by the legs that it has left: they stay till then.
    const left = open.flatMap((intent) => legScopeOf(intent) ?? []);
    if (!left.includes("account")) await legs.keep(account, left);
    return true;
  };

  async function forget({ accountId, intentId }: IntentRecord): Promise<IntentRecord> {
    const reason = "It never reached its lane and is too old to be sent; nothing was sent";
    return await intents.withdraw(accountId, intentId, { kind: "expired", reason });
  }

  /** What the broker cannot tell now stays as it is. */
  async function settle(record: IntentRecord): Promise<IntentRecord> {
    const owned = connectedOf(record.accountId, deps);
    if (owned === undefined) return record;
    try {
      return await lookUp(deps, record, owned);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      // One that cannot be judged must not keep the others, and the legs, from being looked after.
      if (!(error instanceof BrokerReadError)) observer.intentFailed(record, error);
      return record;
    }
  }
}
