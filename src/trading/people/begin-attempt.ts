import { errors } from "../../errors.ts";
import type { Attempt, AttemptStore, SignInObserver } from "./ports.ts";

interface BeginAttemptDeps {
  readonly attempts: Pick<AttemptStore, "begin">;
  readonly observer: Pick<SignInObserver, "signInThrottled">;
}

/** Counts an attempt to sign in before anything of it is looked at; RATE_LIMITED after too many. */
export async function beginAttempt(
  { attempts, observer }: BeginAttemptDeps,
  attempt: Attempt,
): Promise<void> {
  const waitMs = await attempts.begin(attempt);
  if (waitMs === 0) return;
  observer.signInThrottled({ address: attempt.address });
  throw errors.tooManyAttempts(waitMs);
}
