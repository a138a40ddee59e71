// The goal: an exit that was accepted is carried out, once, however its answer was kept from us.
// The method: stop Redis, or this process, just as the exits of twelve accounts are being accepted.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ACCOUNTS = Array.from({ length: 12 }, (_, n) => `paper-${n + 1}`);
/** Longer than a command may wait for Redis; shorter than an alert may be on its way. */
const STALL_MS = 1_300;
/**
 * A command waits a second for Redis, and so does the read of what became of it: no stall of `STALL_MS`
 * lasts for both. Timers may be a little early.
 */
const UNKNOWN_AFTER_MS = 2 * 1_000 - 20;
/** It only ends what hangs. */
const MOST_REPEATS = 100;

let gateway: TestGateway;
let hooks: readonly string[];

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-12" } });
  const created = await Promise.all(ACCOUNTS.map((account) => gateway.createWebhook(account)));
  hooks = created.map(({ url }) => url);
});
afterAll(() => gateway.stop());

interface Sent extends Reply {
  /** From the last post to its answer. */
  readonly tookMs: number;
}

async function send(hook: string, alert: object): Promise<Sent> {
  // Charting platforms repeat a 503 and nothing else.
  for (let repeat = 0; ; repeat += 1) {
    const beganAt = performance.now();
    const reply = await postAlert(hook, alert);
    const tookMs = performance.now() - beganAt;
    if (reply.status !== 503 || repeat === MOST_REPEATS) return { ...reply, tookMs };
    await sleep(300);
  }
}

const sendAll = async (alert: object) => await Promise.all(hooks.map((hook) => send(hook, alert)));
/** The session with the broker may have to begin anew after a stall. */
async function untilEachHolds(...quantities: number[]): Promise<void> {
  await waitUntil(`each holds ${quantities.join()}`, async () => {
    const all = Promise.all(ACCOUNTS.map((one) => gateway.broker.positions(one)));
    const held = await all.catch(() => []);
    return (
      held.length > 0 && held.every((one) => isDeepStrictEqual(Object.values(one), quantities))
    );
  });
}
const orders = async () =>
  await Promise.all(ACCOUNTS.map(async (one) => (await gateway.broker.filled(one)).orders));

async function stopRedis(): Promise<void> {
  const pid = await gateway.redisPid();
  process.kill(pid, "SIGSTOP");
  await sleep(STALL_MS);
  process.kill(pid, "SIGCONT");
}

async function stopOurselves(): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}

test("a Redis that forgot its scripts is given them again", async () => {
  const { status } = await gateway.alert({ symbol: "ES1!", action: "buy", qty: 1 });
  expect(status).toBe(200);
  await gateway.redis.script("FLUSH");
  expect((await gateway.alert({ action: "close" })).status).toBe(200);
  await untilEachHolds();
  await gateway.redis.script("FLUSH");
  expect((await call(gateway.url, "GET", "/readyz")).status).toBe(200);
  expect(await gateway.redis.script("EXISTS", laneScripts.acceptAlert.sha1)).toEqual([1]);
});

test.each([
  ["Redis stood still", stopRedis],
  ["this process stood still", stopOurselves],
])("no exit is lost or doubled although %s while it was accepted", async (what, stall) => {
  await untilEachHolds();
  const before = await orders();
  await sendAll({ symbol: "ES1!", action: "buy", qty: 1, alertId: `buy, ${what}` });
  await untilEachHolds(1);

  const closing = sendAll({ action: "close", alertId: `close, ${what}` });
  await sleep(5);
  await stall();
  const replies = await closing;
  const unheard = replies.filter(({ status }) => ![200, 202].includes(status));
  // Only a machine that is slow besides leaves a sender without an answer.
  const isSlow = ({ status, tookMs }: Sent) => status === 504 && tookMs >= UNKNOWN_AFTER_MS;
  expect(unheard.filter((reply) => !isSlow(reply))).toEqual([]);
  expect(unheard.length).toBeLessThan(replies.length);
  const ended = await Promise.all(
    replies.map(async ({ body }, n) => await endOf(n, body.intentId ?? body.error.intentId)),
  );
  expect(ended.map(({ state }) => state)).toEqual(ACCOUNTS.map(() => "done"));
  await untilEachHolds();
  expect(await orders()).toEqual(before.map((count) => count + 2));
});

test("no exit is lost or doubled although its sender was told that nothing is known of it", async () => {
  await untilEachHolds();
  const before = await orders();
  await sendAll({ symbol: "ES1!", action: "buy", qty: 1, alertId: "buy, unheard" });
  await untilEachHolds(1);

  const pid = await gateway.redisPid();
  process.kill(pid, "SIGSTOP");
  const closing = sendAll({ action: "close", alertId: "close, unheard" });
  const replies = await closing.finally(() => process.kill(pid, "SIGCONT"));
  // Nobody sends a 504 again.
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([504]));
  await untilEachHolds();
  expect(await orders()).toEqual(before.map((count) => count + 2));
});

/** What became of the account's intent. */
async function endOf(account: number, intent: string) {
  let body: Reply["body"];
  await waitUntil("it has ended", async () => {
    const path = `/v1/accounts/${ACCOUNTS[account]}/intents/${intent}`;
    ({ body } = await gateway.api.get(path));
    return typeof body.settledAt === "string";
  });
  return body;
}
