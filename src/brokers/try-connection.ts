import { setTimeout as sleep } from "node:timers/promises";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { stopFor } from "./session-errors.ts";
import { scrub } from "../observability/scrub.ts";
import type { BrokerAccount } from "../trading/ports.ts";
import type { ConnectionTrial, TryConnection } from "../trading/connections/connection-setups.ts";
import { openConnection, type OpenConnectionDeps, UnusableSetupError } from "./open-connection.ts";

/** A broker that has not let in by then is not waited for. */
const LOGIN_WITHIN_MS = 15_000;
/** A session that does not end by then is left to itself. */
const LOGOUT_WITHIN_MS = 3_000;

/**
 * One session that reads the accounts and ends. It has no owner whose lease could be asked for, and
 * nothing is traded in it, so nothing in it is an alarm.
 */
export function createTryConnection({
  catalog,
  secrets,
  contracts,
  log,
  now,
}: Omit<OpenConnectionDeps, "exitsMissing" | "alarms">): TryConnection {
  // By name: who calls holds the gateway's alarms too.
  const deps: OpenConnectionDeps = { catalog, secrets, contracts, log, now };
  return async (setup) => {
    try {
      const adapter = await openConnection(setup, { mayWrite: () => true }, deps);
      const accounts = await readAccounts(adapter);
      return { result: "ok", accounts: accounts.map(toTried) };
    } catch (error) {
      return failureOf(error);
    }
  };
}

async function readAccounts(adapter: BrokerAdapter): Promise<readonly BrokerAccount[]> {
  const end = new AbortController();
  let session: Promise<void> = Promise.resolve();
  try {
    const ready = new Promise<void>((resolve, reject) => {
      session = adapter.runSession({ signal: end.signal, onReady: resolve });
      session.then(() => reject(new Error("The session ended at once")), reject);
    });
    const late = sleep(LOGIN_WITHIN_MS, undefined, { signal: end.signal }).then(() => {
      throw new Error("The broker did not let in within 15 seconds");
    });
    late.catch(() => undefined);
    await Promise.race([ready, late]);
    return await Promise.race([adapter.accounts(), late]);
  } finally {
    end.abort();
    await Promise.race([
      session.catch(() => undefined),
      sleep(LOGOUT_WITHIN_MS, undefined, { ref: false }),
    ]);
  }
}

function failureOf(error: unknown): ConnectionTrial {
  const stop = stopFor(error);
  if (stop !== undefined) return { result: "refused", reason: stop.reason };
  const reason = error instanceof Error ? error.message : "It failed for an unknown reason";
  return { result: "failed", reason: error instanceof UnusableSetupError ? reason : scrub(reason) };
}

const toTried = ({ accountId, name, active }: BrokerAccount) => ({ accountId, name, active });
