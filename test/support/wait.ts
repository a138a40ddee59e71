import { setTimeout } from "node:timers";
import { call, type Reply } from "./http-client.ts";
import { lookWith, noteSeen } from "./last-seen.ts";

/**
 * A wait of a test that lasts this long hangs, even on a busy machine. It bounds all of them, and is no
 * promise of the gateway: a promise about time is measured on the gateway's own clock.
 */
export const HANGS_AFTER_MS = 60_000;

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * Tries until it is true. An error ends the wait at once; in vain, the wait fails with its name and with
 * the last answer of the gateway that it saw.
 */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = HANGS_AFTER_MS,
): Promise<void> {
  const began = performance.now();
  const sight = { last: undefined };
  for (let looks = 1; !(await lookWith(sight, isTrue)); looks += 1) {
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) {
      const waited = `${looks} looks in ${(waitedMs / 1_000).toFixed(1)} s`;
      throw new Error(`Waited in vain until ${what} (${waited}), last seen: ${sight.last ?? "-"}`);
    }
    // A wait costs at most a tenth of its time, and asks a gateway four times a second in the long run.
    await sleep(Math.min(Math.max(waitedMs / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Tries until nothing is thrown, and answers the result; in vain, it fails with the last error. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const found: T[] = [];
  const isFound = async () => {
    try {
      found.push(await look());
    } catch (error) {
      noteSeen(String(error));
    }
    return found.length > 0;
  };
  await waitUntil("nothing is thrown", isFound);
  return found[0] as T;
}

/** A machine that stops for seconds causes these: nothing was accepted or sent then. */
const UNTAKEN: readonly unknown[] = [
  "STORE_UNAVAILABLE",
  "BROKER_UNAVAILABLE",
  // The gateway itself may just be writing down what it has learned of an account.
  "CHANGED_MEANWHILE",
];

/** A gateway that lost its lease, its store or its broker in a stall has them back within this. */
const RECOVERS_WITHIN_MS = 10_000;

/**
 * Asks again while a gateway takes nothing, for as long as one needs after a stall of any process that it
 * works with, and answers the first other reply, or the last refusal. It hides a short refusal that has no
 * reason: a test whose promise is that there is none asks once.
 */
export async function untilTaken(
  ask: () => Promise<Reply>,
  onRefusal: (reply: Reply) => void = () => undefined,
): Promise<Reply> {
  const began = performance.now();
  const replies: Reply[] = [];
  await waitUntil("the gateway takes it", async () => {
    const reply = await ask();
    const { code, retry } = reply.body?.error ?? {};
    const isUntaken = retry === "safe" && UNTAKEN.includes(code);
    if (isUntaken && performance.now() - began < RECOVERS_WITHIN_MS) onRefusal(reply);
    else replies.push(reply);
    return replies.length > 0;
  });
  return replies[0] as Reply;
}

/** The body of a setup's answer, asked for as by `untilTaken`; a refusal fails with its own text. */
export async function made(ask: () => Promise<Reply>): Promise<Reply["body"]> {
  const { status, text, body } = await untilTaken(ask);
  if (status < 200 || status > 299) throw new Error(`Could not be set up: ${status} ${text}`);
  return body;
}

/** Not the sleep of `node:timers/promises`, which some tests replace. */
async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Waits until a gateway can take orders. */
export async function untilBrokerIsThere(url: string): Promise<void> {
  const isReady = async () => (await call(url, "GET", "/readyz")).status === 200;
  await waitUntil("the gateway has a broker", isReady);
}
