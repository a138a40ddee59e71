import type { AccountId } from "../../domain/ids.ts";
import { type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import type { AccountDirectory } from "../account-directory.ts";
import type { Connections } from "../ports.ts";
import type { IntentStore } from "../store-ports.ts";
import { connectedOf } from "./connected.ts";
import type { LaneObserver } from "./run-intent.ts";
import type { UnknownSettler } from "./settle-unknown.ts";

export interface TendAccountDeps {
  readonly intents: IntentStore;
  readonly accounts: AccountDirectory;
  readonly connections: Connections;
  readonly settler: UnknownSettler;
  readonly observer: LaneObserver;
}

/**
 * Looks after the unsettled intents of a lane on which nothing waits: what never got its job is
 * expired, visibly, and what is unknown is looked up at the broker again. Runs on the lane, so that
 * nothing it looks at is being worked. Answers whether an outcome is still unknown.
 */
export function createTendAccount(deps: TendAccountDeps): (account: AccountId) => Promise<boolean> {
  const { intents, settler, observer } = deps;

  return async function tendAccount(account) {
    let isRestless = false;
    for (const record of await intents.unsettled(account)) {
      const settled = record.state === "PREPARED" ? await forget(record) : await settle(record);
      if (settled !== undefined && settled.state !== record.state) observer.intentSettled(settled);
      isRestless ||= isUnsettled((settled ?? record).state) && record.state !== "PREPARED";
    }
    return isRestless;
  };

  async function forget(record: IntentRecord): Promise<IntentRecord | undefined> {
    if ((await intents.now()) < record.exitExpiresAt) return undefined;
    const reason = "It never reached its lane and is too old to be sent; nothing was sent";
    return await intents.settle(record.accountId, record.intentId, { kind: "expired", reason });
  }

  async function settle(record: IntentRecord): Promise<IntentRecord | undefined> {
    const owned = connectedOf(record.accountId, deps);
    return owned && (await settler.settle(record, owned.broker));
  }
}
