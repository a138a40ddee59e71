import { setImmediate } from "node:timers/promises";

/**
 * An answer of Redis, with a turn of the process to itself. Several answers can come in one piece; who
 * asked first then goes on first and alone, as far as to where it waits for something again. Without it
 * the one with fewer steps to go would overtake the other one: an entry the way out before it.
 */
export async function inTurn<Value>(asked: Promise<Value>): Promise<Value> {
  const answer = await asked;
  await setImmediate();
  return answer;
}
