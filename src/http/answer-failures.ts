import type { Admissions } from "../trading/people/admissions.ts";
import { publicError } from "../trading/public-error.ts";
import { type Effect, type Handled, OWN_RECORD } from "./route.ts";
import { isPerson } from "../trading/people/people.ts";
import type { Answer } from "./answer.ts";
import type { ChangeMaker, HttpObserver } from "./observer.ts";
import type { Caller } from "../trading/people/caller.ts";

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
    throw failureOf(effect, error);
  }
}

export const failureOf = (effect: Effect, error: unknown): unknown =>
  publicError(error, { changesNothing: effect === "read" });

/** Credentials are looked up before anything else: a failure here has changed nothing. */
export function answerAdmissionFailures(admissions: Admissions): Admissions {
  const { admitKey, admitWebhook, admitSession } = admissions;
  return {
    ...admissions,
    admitKey: async (...asked) => await answerFailures("read", () => admitKey(...asked)),
    admitWebhook: async (...asked) => await answerFailures("read", () => admitWebhook(...asked)),
    admitSession: async (...asked) => await answerFailures("read", () => admitSession(...asked)),
  };
}

/** Does what a route is there for, and reports the change that it made. */
export async function carryOut<Input>(
  route: Handled<Input>,
  input: Input,
  { caller, observer }: { readonly caller: Caller; readonly observer: HttpObserver },
): Promise<Answer> {
  if (route.effect === "read" || route.audit === OWN_RECORD) {
    return await answerFailures(route.effect, () => route.handle(input));
  }
  const answer = await answerFailures(route.effect, () => route.handle(input));
  observer.changeMade(route.audit, changeMaker(caller), answer.changed);
  return answer;
}

function changeMaker(caller: Caller): ChangeMaker {
  const { userId, credentialId, requestId } = caller;
  const address = isPerson(caller) ? { address: caller.visit.address } : {};
  return { userId, credentialId, requestId, ...address };
}
