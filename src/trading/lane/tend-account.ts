import type { AccountId } from "../../domain/ids.ts";
import { type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import { BrokerReadError } from "../ports.ts";
import { connectedOf, type ConnectedDeps } from "./connected.ts";
import { createReleaseHeld, type ReleaseHeldDeps } from "./release-held.ts";
import type { UnknownSettler } from "./settle-unknown.ts";

export interface TendAccountDeps extends ReleaseHeldDeps, ConnectedDeps {
  readonly settler: UnknownSettler;
}

/**
 * Looks after the unsettled intents of a lane: what is unknown is looked up at the broker again,
 * what is held is released after that, and what never got its job is expired, visibly. Runs in the
 * lane's turn, so that nothing it looks at is being worked. Answers whether anything is still
 * unknown or held.
 */
export function createTendAccount(deps: TendAccountDeps): (account: AccountId) => Promise<boolean> {
  const { intents, settler, observer } = deps;
  const releaseHeld = createReleaseHeld(deps);

  return async function tendAccount(account) {
    const [records, held, now] = await Promise.all([
      intents.unsettled(account),
      intents.held(account),
      intents.now(),
    ]);
    let isUnsure = false;
    for (const record of records) {
      if (record.state === "PREPARED") continue;
      const settled = await settle(record);
      tell(record, settled);
      isUnsure ||= isUnsettled(settled.state);
    }
    const isHolding = await releaseHeld(account, { held, isUnsure, now });
    const isHeld = new Set(held.map(({ record }) => record.intentId));
    for (const record of records) {
      const mayBeLost = record.state === "PREPARED" && !isHeld.has(record.intentId);
      if (mayBeLost && now >= record.exitExpiresAt) tell(record, await forget(record));
    }
    return isUnsure || isHolding;
  };

  function tell(before: IntentRecord, after: IntentRecord): void {
    if (after.state !== before.state) observer.intentSettled(after);
  }

  async function forget({ accountId, intentId }: IntentRecord): Promise<IntentRecord> {
    const reason = "It never reached its lane and is too old to be sent; nothing was sent";
    return await intents.withdraw(accountId, intentId, { kind: "expired", reason });
  }

  /** What the broker cannot tell now stays as it is. */
  async function settle(record: IntentRecord): Promise<IntentRecord> {
    const owned = connectedOf(record.accountId, deps);
    if (owned === undefined) return record;
    try {
      return await settler.settle(record, owned.broker);
    } catch (error) {
      if (error instanceof BrokerReadError) return record;
      throw error;
    }
  }
}
