import { signal } from "@preact/signals";
import { Refused } from "../api/client.ts";

/**
 * What the console reads by itself, over everything that is shown: it never takes more of the
 * session's requests than this, so that what a person clicks still gets through.
 */
const MOST_AT_ONCE = 150;
const PER_SECOND = 4;
const MS_PER_SECOND = 1_000;

/** Until when nothing is read, because the gateway said so; by this machine's clock, else 0. */
export const restUntil = signal(0);

/** Whatever is shown and could not be read just now: it is older than the page makes believe. */
export const failing = signal<ReadonlySet<symbol>>(new Set());

let left = MOST_AT_ONCE;
let leftAt = Date.now();
let turns = Promise.resolve();

/** Resolves when the next question may be asked: in the order in which they want to be. */
export async function awaitTurn(): Promise<void> {
  turns = turns.then(takeTurn);
  await turns;
}

async function takeTurn(): Promise<void> {
  for (;;) {
    const now = Date.now();
    left = Math.min(MOST_AT_ONCE, left + ((now - leftAt) / MS_PER_SECOND) * PER_SECOND);
    leftAt = now;
    const waitMs = Math.max(restUntil.value - now, left < 1 ? MS_PER_SECOND / PER_SECOND : 0);
    if (waitMs <= 0) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  left -= 1;
}

/** Keeps what came of a question: who is asked to wait, waits with everything. */
export function noteReading(who: symbol, error: Error | undefined): void {
  if (failing.value.has(who) !== (error !== undefined)) {
    const next = new Set(failing.value);
    if (error === undefined) next.delete(who);
    else next.add(who);
    failing.value = next;
  }
  if (error instanceof Refused && error.retryAfterSeconds !== undefined) {
    const until = Date.now() + error.retryAfterSeconds * MS_PER_SECOND;
    restUntil.value = Math.max(restUntil.value, until);
  }
}
