import { setTimeout as sleep } from "node:timers/promises";

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/** Tries until it is true, and fails with the name of what was waited for. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const began = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) throw new Error(`Waited in vain until ${what}`);
    await sleep(Math.min(Math.max(waitedMs / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** More than a login on a busy machine takes. */
const LOGIN_WITHIN_MS = 30_000;

/** Waits until a gateway can take orders. */
export async function untilBrokerIsThere(url: string): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  await waitUntil("the gateway has a broker", isReady, LOGIN_WITHIN_MS);
}
