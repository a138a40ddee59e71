// The goal: a Redis that runs out of memory, or whose disk is slow, is named in time, and refuses entries
// before it refuses anything else.
// The method: a small limit, filled up by the gateway's own orders; and a disk whose syncs are held.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert, type Reply } from "../support/http-client.ts";
import { alertSender, apiSender } from "../support/order-storm.ts";
import { openSlowDisk } from "../support/slow-disk.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const MEGABYTE = 1024 * 1024;
const BUSY = ["paper-1", "paper-2", "paper-3"];
const CLOSED = "paper-4";

async function openGateway(): Promise<TestGateway> {
  const gateway = await startGateway({
    settings: { PAPER_ACCOUNTS: "1-4", DEFAULT_MAX_POSITION_QTY: "100000" },
  });
  onTestFinished(gateway.stop);
  return gateway;
}

async function troubles(gateway: TestGateway): Promise<readonly string[]> {
  const { body } = await gateway.api.get("/v1/overview");
  return (body?.troubles ?? []).map(({ message }: { message: string }) => message);
}

async function untilNamed(gateway: TestGateway, words: RegExp): Promise<void> {
  await waitUntil(`${String(words)} is named`, async () =>
    (await troubles(gateway)).some((one) => words.test(one)),
  );
}

/** The kill switch refuses entries, and takes those that wait off the lanes. */
const OF_THE_SWITCH = ["KILL_SWITCH_ON", "OVERTAKEN_BY_EXIT"];

const isSuccess = ({ status, body }: Reply): boolean =>
  status === 201 || (status === 200 && body.outcome === "done");

const isRefusedFull = ({ status, body }: Reply): boolean =>
  status === 503 && body.error.code === "STORE_FULL";

/** Repeats a turn until it is ended, or the test is. A turn waits for its answers: none pile up. */
function again(turn: (number: number) => Promise<void>) {
  let isOn = true;
  async function go(): Promise<void> {
    for (let number = 0; isOn; number += 1) {
      await turn(number);
      await sleep(100);
    }
  }
  const going = go();
  const end = async () => {
    isOn = false;
    await going;
  };
  onTestFinished(end);
  return end;
}

test("a small memory is named in time, refuses entries first, and takes each exit", async () => {
  const gateway = await openGateway();
  const hooks = await Promise.all(BUSY.map((account) => gateway.createWebhook(account)));
  const { url } = await gateway.createWebhook(CLOSED);
  const used = Number(/^used_memory:(\d+)/m.exec(await gateway.redis.info("memory"))?.[1]);
  await gateway.redis.config("SET", "maxmemory", String(used + 2 * MEGABYTE));

  const exits: Reply[] = [];
  const endExits = again(async (number) => {
    await postAlert(url, { symbol: "ES1!", action: "buy", qty: 1, comment: `open ${number}` });
    exits.push(await postAlert(url, { action: "close", comment: `close ${number}` }));
  });
  const senders = [
    ...hooks.map((hook, at) => alertSender(hook.url, BUSY[at] ?? "")),
    ...BUSY.map((account) => apiSender(gateway.url, gateway.key, account)),
  ];
  const posted: Reply[] = [];
  const endEntries = again(async (number) => {
    posted.push(...(await Promise.all(senders.map(async ({ post }) => await post(number)))));
  });
  await waitUntil("the alarm says what comes next", () =>
    gateway.log.some(
      (line) =>
        line.includes("The memory of Redis needs room") &&
        line.includes("from 90 % on entries are refused"),
    ),
  );
  await untilNamed(gateway, /^Redis uses \d+ % of its maxmemory/);
  await waitUntil("entries are refused", () => posted.filter(isRefusedFull).length > 60);
  const { body } = await call(gateway.url, "GET", "/readyz");
  expect(body.reasons).toContainEqual(expect.stringMatching(/of its maxmemory/));
  const killed = await gateway.api.put("/v1/kill-switch", { active: true, reason: "full" });
  expect(killed).toMatchObject({ status: 200, body: { active: true } });
  await Promise.all([endExits(), endEntries()]);

  expect(exits.length).toBeGreaterThan(5);
  expect(exits.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  const others = posted.filter((one) => !isSuccess(one) && !isRefusedFull(one));
  const codes = new Set(others.map(({ body: answer }) => answer?.error?.code));
  expect([...codes].filter((code) => !OF_THE_SWITCH.includes(code))).toEqual([]);
  for (const account of BUSY) {
    expect((await gateway.api.delete(`/v1/accounts/${account}/positions`)).status).toBe(200);
    expect(await gateway.broker.positions(account)).toEqual({});
  }
});

test("a slow disk is named wherever one looks, and by what it refuses", async () => {
  const disk = await openSlowDisk();
  const gateway = await disk.during(openGateway);
  const { url } = await gateway.createWebhook(CLOSED);
  const buy = async (comment: string) =>
    await postAlert(url, { symbol: "ES1!", action: "buy", qty: 1, comment });
  expect(await buy("before")).toMatchObject({ status: 200 });

  disk.slowBy(500);
  await untilNamed(gateway, /^Redis is slow: its disk takes \d{3} ms to sync a write/);
  const { body } = await call(gateway.url, "GET", "/readyz");
  expect(body.reasons).toContainEqual(expect.stringMatching(/^Redis is slow: its disk/));
  await eventually(async () => {
    const { text } = await call(gateway.url, "GET", "/metrics");
    const [, seconds] = /^gateway_store_slowest_answer_seconds\S* (\S+)$/m.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0.2);
  });
  expect(gateway.log.some((line) => line.includes("Redis is slow"))).toBe(true);

  disk.slowBy(1_500);
  await eventually(async () => {
    const { status, text } = await buy(`slow ${performance.now()}`);
    expect([status >= 500, text]).toEqual([true, expect.stringContaining("is overloaded")]);
  });

  disk.slowBy(0);
  await waitUntil("nothing is named any more", async () => (await troubles(gateway)).length === 0);
  await eventually(async () => {
    expect(await buy(`after ${performance.now()}`)).toMatchObject({ status: 200 });
  });
});
