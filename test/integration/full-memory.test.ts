// The goal: near and at the limit of Redis' memory entries are refused first, and ways out still work.
// The method: a real Redis is filled up to shares of its maxmemory, with what is not the gateway's.
import type { Redis } from "ioredis";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { call, postAlert, type Reply } from "../support/http-client.ts";
import { ALLOW_RECEIVER, Receiver } from "../support/receiver.ts";
import { eventually, untilTaken, waitUntil } from "../support/wait.ts";

const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const SELL = { ...BUY, action: "sell" };
const HELD = "paper-1";
const FLAT = "paper-2";

let gateway: TestGateway;

const order = async (account: string, asked: object, headers = {}): Promise<Reply> =>
  await gateway.api.post(`/v1/accounts/${account}/orders`, asked, headers);

beforeEach(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-3", ...ALLOW_RECEIVER } });
  onTestFinished(gateway.stop);
  await gateway.redis.setrange("ballast", BALLAST_BYTES - 1, "x");
  await untilTaken(() => order(HELD, { ...BUY, qty: 3 }));
  await untilTaken(() => order(FLAT, BUY));
  await waitUntil("one account holds something, and the other is flat again", async () => {
    const { [frontMonth("ES").code]: held } = await gateway.broker.positions(HELD);
    const flat = await gateway.api.delete(`/v1/accounts/${FLAT}/positions`);
    return held === 3 && flat.status === 200;
  });
});

/** Somebody else's value: beside it the memory of answers, which comes and goes, is less than a hundredth. */
const BALLAST_BYTES = 64 * 1024 * 1024;

async function usedBytes(redis: Redis): Promise<number> {
  const info = await redis.info("memory");
  const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]);
  return bytes("used_memory") - bytes("mem_not_counted_for_evict");
}

/** Sets the limit so that this share of it is used. */
async function useShare(share: number): Promise<void> {
  const used = await usedBytes(gateway.redis);
  await gateway.redis.config("SET", "maxmemory", String(Math.round(used / share)));
}

/** Writes what is somebody else's until Redis takes nothing more. */
async function fillUp(): Promise<void> {
  await useShare(0.99);
  for (let at = 0; ; at += 1) {
    try {
      await gateway.redis.set(`filled:${at}`, "x".repeat(4_096));
    } catch (error) {
      expect(String(error)).toContain("OOM");
      return;
    }
  }
}

async function messages(): Promise<readonly string[]> {
  const { body } = await gateway.api.get("/v1/overview");
  return body.troubles.map(({ message }: { message: string }) => message);
}

const said = ({ status, text }: Reply): string => `${status} ${text}`;

const ready = async () => await call(gateway.url, "GET", "/readyz");

async function untilNamed(words: RegExp): Promise<void> {
  await waitUntil("it is named", async () => (await messages()).some((one) => words.test(one)));
}

test("from 80 % on it is named everywhere, and nothing is refused", async () => {
  await useShare(0.84);
  await untilNamed(/^Redis uses 8\d % of its maxmemory .*from 90 % on entries are refused/);
  const { status, body } = await ready();
  expect(status).toBe(200);
  expect(body.reasons).toContainEqual(expect.stringContaining("maxmemory"));
  expect((await call(gateway.url, "GET", "/metrics")).text).toMatch(
    /gateway_store_memory_ratio\S* 0\.8/,
  );
  expect(
    gateway.log.filter((line) => line.includes("The memory of Redis needs room")),
  ).toHaveLength(1);
  expect((await untilTaken(() => order(FLAT, BUY))).status).toBe(201);
});

describe("from 90 % on", () => {
  beforeEach(async () => {
    await useShare(0.94);
    await untilNamed(/entries are refused, and exits, cancels and kill switches pass/);
  });

  test("an entry is refused where it comes in, and nothing of it is kept", async () => {
    const key = { "Idempotency-Key": "again" };
    const { status, body } = await order(FLAT, BUY, key);
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ code: "STORE_FULL", retry: "safe" });
    expect(body.error.message).toContain("Redis' memory is nearly full");
    const { url } = await gateway.createWebhook(FLAT);
    expect((await postAlert(url, BUY)).status).toBe(503);
    expect(await gateway.redis.zcard(gateway.keys.open(FLAT as never))).toBe(0);

    await gateway.redis.config("SET", "maxmemory", "0");
    await eventually(async () => {
      expect((await order(FLAT, BUY, key)).status).toBe(201);
    });
  });

  test("an entry of an account that holds something is refused on its lane, and an exit passes", async () => {
    const entry = await order(HELD, BUY);
    expect([entry.status, entry.body.error?.code]).toEqual([503, "STORE_FULL"]);
    expect((await gateway.alert(BUY)).status).toBe(503);
    expect((await order(HELD, SELL)).status).toBe(201);
    expect((await gateway.alert(SELL)).body.outcome).toBe("done");
    expect(await gateway.broker.positions(HELD)).toEqual({ [frontMonth("ES").code]: 1 });
  });
});

test("from 90 % on an entry holds up no exit that follows it in its message", async () => {
  await useShare(0.94);
  await untilNamed(/entries are refused/);
  const { status, body } = await gateway.alert(JSON.stringify([BUY, { action: "close" }]));
  const statuses = body.alerts.map(({ httpStatus }: { httpStatus: number }) => httpStatus);
  expect([status, statuses]).toEqual([207, [503, 200]]);
  expect(await gateway.broker.positions(HELD)).toEqual({});
});

describe("at the limit itself", () => {
  let resting: string;

  beforeEach(async () => {
    const far = { ...BUY, type: "limit", limitPrice: 6000 };
    const { body } = await order(HELD, far);
    resting = body.orderId;
    await fillUp();
  });

  test("readiness names it, and an entry is refused", async () => {
    await eventually(async () => {
      const { status, body } = await ready();
      expect(status).toBe(503);
      expect(body.checks.store).toBe(false);
      expect(body.reasons).toContainEqual(expect.stringMatching(/^Redis uses \d+ % .*it is full/));
    });
    const { status, body } = await order(FLAT, BUY);
    expect([status, body.error.code]).toEqual([503, "STORE_FULL"]);
  });

  test("exits, protection, cancels and the kill switch work at once", async () => {
    const on = (path: string) => `/v1/accounts/${HELD}/${path}`;
    expect(said(await order(HELD, SELL))).toMatch(/^201 /);
    expect(said(await gateway.alert(SELL))).toMatch(/^200 .*"done"/);
    const levels = { symbol: "ES1!", stopLoss: { price: 6000 } };
    expect(said(await gateway.api.post(on("protect"), levels))).toMatch(/^200 /);
    expect(said(await gateway.api.delete(on(`orders/${resting}`)))).toMatch(/^200 /);
    const killed = await gateway.api.put("/v1/kill-switch", { active: true, reason: "enough" });
    expect([killed.status, killed.body.active]).toEqual([200, true]);
    expect(said(await gateway.alert({ action: "close" }))).toMatch(/^200 .*"done"/);
    expect(await gateway.broker.positions(HELD)).toEqual({});
    expect(await gateway.broker.working(HELD)).toEqual([]);
    const alerts = await gateway.api.get("/v1/alerts");
    expect(alerts.body.alerts[0]).toMatchObject({ outcome: "done" });
  });

  test("what happens is still sent to people", async () => {
    const receiver = await Receiver.open();
    onTestFinished(() => receiver.close());
    const settings = { url: receiver.url };
    const destination = { name: "mine", kind: "webhook", settings, rules: [{ tell: "on" }] };
    expect((await gateway.api.post("/v1/destinations", destination)).status).toBe(201);
    expect(said(await order(HELD, SELL))).toMatch(/^201 /);
    await waitUntil("the exit is sent", () => receiver.of("order.filled").length > 0);
    await waitUntil("the full memory is sent", () =>
      receiver.posted.some(({ text }) => text.includes("of its maxmemory")),
    );
  });
});
