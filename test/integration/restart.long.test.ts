// The goal: whatever ends the program, the next start goes on where it stood: nothing lost or doubled.
// The method: run the real program on a home of its own, and end it in order and by kill -9.
import { expect, test, type TestContext } from "vitest";
import { frontMonth } from "../support/front-month.ts";
import type { Settings } from "../support/gateway.ts";
import { GatewayMachine } from "../support/gateway-process.ts";
import { call, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ACCOUNT = "/v1/accounts/paper-1";
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
/** The gateway waits as long for an outcome before it answers. Its timers may be a little early. */
const ANSWER_WITHIN_MS = 4_500 - 20;
/** It waits as long for its store: for the acceptance, and for the read of what became of it. */
const UNKNOWN_AFTER_MS = 2 * 1_000 - 20;

async function openMachine({ onTestFinished }: TestContext, settings: Settings = {}) {
  const machine = await GatewayMachine.create(settings);
  onTestFinished(machine.stop);
  return machine;
}

/** How an intent ended. */
async function untilSettled({ api }: GatewayMachine, intentId: string): Promise<string> {
  let state = "";
  await waitUntil(`intent ${intentId} is settled`, async () => {
    const { status, body } = await api.get(`${ACCOUNT}/intents/${intentId}`);
    state = String(body.state);
    return status === 200 && !["prepared", "sending", "unknown"].includes(state);
  });
  return state;
}

const isLogLine = (line: string) => line.startsWith("{");
const printed = (stdout: string) => stdout.split("\n").filter((line) => !isLogLine(line));

test.concurrent("the first start prints all that is needed, and a later one no secret", async (context) => {
  const machine = await openMachine(context);
  const first = await machine.start();
  const { key, webhookPath } = machine.first;

  const said = printed(first.stdout()).join("\n");
  expect(said).toContain(`The gateway listens on ${first.url}`);
  expect(said).toContain(`${first.url}${webhookPath}`);
  const curls = printed(first.stdout()).filter((line) => line.trim().startsWith("curl "));
  expect(curls).toHaveLength(2);
  expect(curls[0]).toContain(`'{"action":"buy","symbol":"MNQ1!","qty":1}'`);
  expect(curls[1]).toContain(`'X-API-Key: ${key}' '${first.url}/v1/accounts/paper-1/positions'`);
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

  const alert = await machine.outcomeOf({ action: "buy", symbol: "MNQ1!", qty: 1 });
  expect([alert.status, alert.body.status]).toEqual([200, "filled"]);
  first.signal("SIGTERM");
  const ended = await first.ended;
  expect([ended.code, ended.signal, ended.stderr]).toEqual([0, null, ""]);

  const second = await machine.start();
  const all = second.stdout();
  expect(printed(all).join("\n")).toContain(`The gateway listens on ${second.url}`);
  expect(all).not.toMatch(/gw[kh]_|curl|\/hooks\//);
  const { body } = await machine.api.get(`${ACCOUNT}/positions`);
  expect(body.positions).toMatchObject([
    { symbol: frontMonth("MNQ").symbol, side: "long", qty: 1 },
  ]);
});

test.concurrent("everything survives a restart", async (context) => {
  const machine = await openMachine(context);
  const first = await machine.start();
  const { api } = machine;
  await api.post(`${ACCOUNT}/orders`, { ...BUY, qty: 3 });
  await api.post(`${ACCOUNT}/orders`, { ...BUY, type: "limit", limitPrice: 100 });
  await api.post(`${ACCOUNT}/protect`, { stopLoss: { price: 100 } });
  await api.put(`${ACCOUNT}/limits`, { maxOrderQty: 7 });
  await api.put("/v1/kill-switch", { active: true, accountId: "paper-2", reason: "maintenance" });
  const paths = [
    `${ACCOUNT}/working-orders`,
    `${ACCOUNT}/orders`,
    `${ACCOUNT}/limits`,
    "/v1/kill-switch",
    "/v1/user",
    "/v1/webhooks",
  ];
  const read = async () => {
    const replies = await Promise.all(paths.map((path) => machine.api.get(path)));
    const { body } = await machine.api.get(`${ACCOUNT}/positions`);
    const [{ qty, averagePrice }] = body.positions;
    return [...replies.map(({ status, body: each }) => ({ status, each })), { qty, averagePrice }];
  };
  const before = await read();
  expect(before).toHaveLength(7);

  first.signal("SIGTERM");
  expect((await first.ended).code).toBe(0);
  const second = await machine.start();
  expect(await read()).toEqual(before);

  second.signal("SIGKILL");
  await second.ended;
  await machine.start();
  expect(await read()).toEqual(before);
  expect((await machine.api.delete(`${ACCOUNT}/positions`)).body.closed).toHaveLength(1);
});

test.concurrent("SIGTERM answers what was sent and takes in nothing more", async (context) => {
  const machine = await openMachine(context);
  const gateway = await machine.start();
  const orders = Array.from({ length: 40 }, async () => {
    const beganAt = performance.now();
    const reply = await machine.api.post(`${ACCOUNT}/orders`, BUY).catch(() => undefined);
    return reply && { ...reply, tookMs: performance.now() - beganAt };
  });
  await Promise.race(orders);
  gateway.signal("SIGTERM");
  const replies = await Promise.all(orders);
  const ended = await gateway.ended;

  expect([ended.code, ended.signal]).toEqual([0, null]);
  expect(ended.stdout).toContain('"msg":"Stopped"');
  expect(ended.stdout).not.toMatch(/Did not end/);
  const placed = replies.filter((reply) => reply?.status === 201);
  expect(placed.length).toBeGreaterThan(0);
  // A busy machine answers some at the last moment, before their end; the next start knows it.
  const pending = replies.flatMap((reply) => {
    const intentId = reply?.body?.error?.intentId as string | undefined;
    return reply === undefined || intentId === undefined ? [] : [{ ...reply, intentId }];
  });
  const isEarly = ({ status, tookMs }: { status: number; tookMs: number }) =>
    tookMs < (status === 504 ? UNKNOWN_AFTER_MS : ANSWER_WITHIN_MS);
  expect(pending.filter(isEarly)).toEqual([]);
  await expect(call(gateway.url, "GET", "/healthz")).rejects.toThrow("fetch failed");

  await machine.start();
  const states = await Promise.all(
    pending.map(async ({ intentId }) => await untilSettled(machine, intentId)),
  );
  const late = pending.filter((_, n) => states[n] === "done");
  expect(late.filter(({ body: answer }) => answer.error.retry === "safe")).toEqual([]);
  const { body } = await machine.api.get(`${ACCOUNT}/orders?limit=500`);
  expect(body.trades).toHaveLength(placed.length + late.length);
});

test.concurrent("kill -9 among a hundred orders doubles none and loses none", async (context) => {
  const machine = await openMachine(context, { DEFAULT_MAX_POSITION_QTY: "1000" });
  const gateway = await machine.start();
  const place = async (n: number) =>
    await machine.api.post(`${ACCOUNT}/orders`, BUY, { "idempotency-key": `order-${n}` });

  let answered = 0;
  const orders = Array.from({ length: 100 }, async (_, n): Promise<Reply | undefined> => {
    const reply = await place(n).catch(() => undefined);
    answered += 1;
    return reply;
  });
  await waitUntil("some are answered", () => answered >= 20);
  gateway.signal("SIGKILL");
  const replies = await Promise.all(orders);
  await gateway.ended;
  const before = replies.filter((reply) => reply?.status === 201);
  expect(before.length).toBeGreaterThanOrEqual(1);

  await machine.start();
  // A repeat of each settles what was left open: the first answer, or the order placed now.
  for (let n = 0; n < 100; n += 1) {
    await waitUntil(`order ${n} is settled`, async () => (await place(n)).status === 201);
  }
  const again = await Promise.all(Array.from({ length: 100 }, (_, n) => place(n)));
  const texts = again.map(({ text }) => text);
  const first = replies.map((reply, n) => (reply?.status === 201 ? reply.text : texts[n]));
  expect(texts).toEqual(first);
  const { body } = await machine.api.get(`${ACCOUNT}/orders?limit=500`);
  const filled = body.trades.map(({ orderId }: { orderId: string }) => orderId);
  expect(filled).toHaveLength(100);
  expect(new Set(filled)).toEqual(new Set(again.map((reply) => reply.body.orderId)));
  expect(new Set(filled).size).toBe(100);
});

test.concurrent("a second start on the same data folder is refused, and says what to do", async (context) => {
  const machine = await openMachine(context);
  const { pid } = await machine.start();

  const second = await machine.run();

  expect([second.code, second.stdout]).toEqual([78, ""]);
  expect(second.stderr).toContain(`is in use by another gateway (process ${pid})`);
  expect(second.stderr).toContain("set DATA_DIR to another folder");
  expect(second.stderr).not.toMatch(/\n\s+at /);
  expect((await machine.api.get("/v1/user")).status).toBe(200);
});

test.concurrent("settings that are wrong are all named, and nothing starts", async (context) => {
  const machine = await openMachine(context, { LOG_LEVEL: "loud", PAPER_ACCOUNTS: "none" });
  const { code, stderr, stdout } = await machine.run();
  expect([code, stdout]).toEqual([78, ""]);
  expect(stderr).toMatch(/LOG_LEVEL[^]*PAPER_ACCOUNTS/);
});
