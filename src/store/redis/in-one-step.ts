import type { Redis } from "ioredis";
import { translateStoreErrors } from "../store-error.ts";

/**
 * Carries out commands as one step: nobody else's come between them, and either all of them are
 * carried out or none. Each of `sends` sends exactly one command, on this connection and before it
 * returns. Answers their replies in order, with an error in the place of one that failed by itself.
 * Throws `StoreError`.
 */
export async function inOneStep(
  redis: Redis,
  sends: readonly (() => Promise<unknown>)[],
): Promise<readonly unknown[]> {
  // Without ioredis' pipeline object: the commands leave in one write all the same, and cost less.
  const opened: Promise<unknown> = redis.multi({ pipeline: false });
  // One that throws has sent nothing: what is begun must be ended all the same.
  const queued = sends.map(async (send) => await send());
  const executed = redis.exec();
  // What they answer themselves is only that they wait for the end.
  const [replies] = await translateStoreErrors(Promise.all([executed, opened, ...queued]));
  return (replies ?? []).map(([error, reply]) => error ?? reply);
}
