import type { Config } from "../../config/index.ts";
import { createRedisBrokerState } from "../store/accounts/redis-broker-state.ts";
import type { ConnectionPlan } from "../brokers/connection-owner.ts";
import { accountDayAt, STANDARD_CLOCKS } from "../domain/calendar/account-day.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import { connectionId } from "../domain/ids.ts";
import type { OpenStore } from "./open-store.ts";
import { openPaperPlan } from "../brokers/paper-connection.ts";

export interface ConnectionPlansDeps {
  readonly config: Config;
  readonly store: OpenStore;
  readonly contracts: ContractDirectory;
  readonly now: () => number;
}

/** The connections that a process may own. */
export type ConnectionPlans = (deps: ConnectionPlansDeps) => Promise<readonly ConnectionPlan[]>;

/** The paper connection that every appliance comes with. */
export const PAPER = connectionId("paper");

export const openConnectionPlans: ConnectionPlans = async (deps) => [
  await openPaperPlan({ ...deps, ...paperPorts(deps), connectionId: PAPER }),
];

/** What the built-in demo broker asks of the rest of the gateway. */
export function paperPorts({ store }: Pick<ConnectionPlansDeps, "store">) {
  return {
    dayBeganAt: (at: number) => accountDayAt(STANDARD_CLOCKS, at).beganAt,
    state: createRedisBrokerState({ redis: store.request, keys: store.keys }),
  };
}
