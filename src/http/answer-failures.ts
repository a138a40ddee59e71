import type { Admissions } from "../trading/people/admissions.ts";
import { publicError } from "../trading/public-error.ts";
import type { Effect } from "./route.ts";

/**
 * Does what a route is there for. What fails in a change may have been made: that it was not has to
 * be proven where it is known, by a `GatewayError` that says so.
 */
export async function answerFailures<Value>(
  effect: Effect,
  handle: () => Promise<Value>,
): Promise<Value> {
  try {
    return await handle();
  } catch (error) {
    throw publicError(error, { changesNothing: effect === "read" });
  }
}

/** Credentials are looked up before anything else: a failure here has changed nothing. */
export function answerAdmissionFailures(admissions: Admissions): Admissions {
  const { admitKey, admitWebhook, admitSession } = admissions;
  return {
    admitKey: async (...asked) => await answerFailures("read", () => admitKey(...asked)),
    admitWebhook: async (...asked) => await answerFailures("read", () => admitWebhook(...asked)),
    admitSession: async (...asked) => await answerFailures("read", () => admitSession(...asked)),
  };
}
