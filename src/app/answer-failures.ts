import type { Gateway } from "../trading/gateway.ts";
import type { Admissions } from "../trading/admissions.ts";
import type { People } from "../trading/people/people.ts";
import { publicError } from "../trading/public-error.ts";

/**
 * Several steps, or one whose answer may be lost: after a failure only looking tells what was
 * written. All others either change nothing, or say themselves what became of their intent.
 */
const CHANGES: ReadonlySet<string> = new Set<keyof Gateway | keyof People>([
  "changeLimits",
  "changeKillSwitch",
  "createWebhook",
  "changeWebhook",
  "deleteWebhook",
  "reconnectConnection",
  "addConnection",
  "changeConnection",
  "removeConnection",
  "createCopyGroup",
  "changeCopyGroup",
  "deleteCopyGroup",
  "putFollower",
  "changeFollower",
  "removeFollower",
  "syncCopyGroup",
  "signOut",
  "setUp",
  "changePassword",
  "addPasskey",
  "removePasskey",
  "createKey",
  "revokeKey",
]);

/** Turns a store or a broker that is away into the public errors that say what that means. */
export function answerFailures<Uses extends Gateway | People>(uses: Uses): Uses {
  const entries = Object.entries(uses).map(([name, use]) => [
    name,
    guarded(use as (...args: unknown[]) => Promise<unknown>, !CHANGES.has(name)),
  ]);
  return Object.fromEntries(entries) as unknown as Uses;
}

/** Credentials are looked up before anything else: a failure here is always certain. */
export function answerAdmissionFailures(admissions: Admissions): Admissions {
  return {
    admitKey: guarded(admissions.admitKey, true),
    admitWebhook: guarded(admissions.admitWebhook, true),
    admitSession: guarded(admissions.admitSession, true),
  };
}

function guarded<Args extends unknown[], Value>(
  use: (...args: Args) => Promise<Value>,
  changesNothing: boolean,
): (...args: Args) => Promise<Value> {
  return async (...args) => {
    try {
      return await use(...args);
    } catch (error) {
      throw publicError(error, { changesNothing });
    }
  };
}
