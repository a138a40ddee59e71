import type { ConnectionTrial } from "../../trading/connections/connection-setups.ts";
import { presentTime } from "./figures.ts";
import type { ConnectionView } from "../../trading/connections/connection-uses.ts";

export function presentConnection(connection: ConnectionView) {
  const { connectionId, broker, environment, status, since, reason, retryAt, setup } = connection;
  return {
    connectionId,
    broker,
    environment,
    name: setup?.name ?? null,
    paused: setup?.paused ?? false,
    status,
    since: presentTime(since),
    reason: reason ?? null,
    retryAt: retryAt === undefined ? null : presentTime(retryAt),
  };
}

/** With what was set of it; of secrets only whether they are. */
export function presentConnectionDetail(connection: ConnectionView) {
  const { settings = null, secrets = null } = connection.setup ?? {};
  return { ...presentConnection(connection), settings, secrets };
}

export function presentTrial(trial: ConnectionTrial) {
  const { result } = trial;
  return "accounts" in trial
    ? { result, reason: null, accounts: trial.accounts }
    : { result, reason: trial.reason, accounts: [] };
}
