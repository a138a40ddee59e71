// The goal: alerts in an array are worked in order, each with its own answer and its own line.
// The method: post arrays to the whole gateway and count orders at the paper broker.
import { beforeAll, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const NQ = frontMonth("NQ");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const nextAccount = accountNames(30);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-30" } });
  return gateway.stop;
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
const statuses = (body: any): number[] =>
  body.alerts.map(({ httpStatus }: { httpStatus: number }) => httpStatus);

test("they are placed in their order, with one answer and one line each", async () => {
  const { send, positions, log } = await openDesk();
  const { status, body } = await send([
    { ...BUY, qty: 2 },
    { action: "close" },
    { action: "sell", symbol: "NQ1!", qty: 1 },
    { action: "reverse", symbol: "NQ1!", qty: 3 },
  ]);
  expect([status, statuses(body)]).toEqual([200, [200, 200, 200, 200]]);
  expect(await positions()).toEqual({ [NQ.code]: 3 });

  const lines = await log();
  expect(lines).toHaveLength(4);
  const ids = body.alerts.map(({ alertId }: { alertId: string }) => alertId);
  const places = new Map<string, number>();
  for (const id of ids) {
    const line = (await gateway.api.get(`/v1/alerts/${id}`)).body;
    expect(line.outcome).toBe("done");
    places.set(id, line.place);
  }
  expect([...places.values()]).toEqual([0, 1, 2, 3]);
  const numbers = body.alerts.map(({ intentId }: { intentId: string }) => intentId);
  expect(new Set(numbers).size).toBe(4);
});

test("two equal ones in one message are two orders", async () => {
  const { send, orders } = await openDesk();
  const { body } = await send([BUY, BUY]);
  expect(body.alerts.map(({ duplicate }: { duplicate?: boolean }) => duplicate)).toEqual([
    undefined,
    undefined,
  ]);
  expect(await orders()).toBe(2);
});

test.each([
  ["cannot be read", { ...BUY, action: "hold" }, 400, /^1\./],
  ["is no alert", 5, 400, /^1/],
  ["has a placeholder", { ...BUY, qty: "{{strategy.order.contracts}}" }, 400, /./],
])("one that %s refuses all, and nothing is placed", async (_, bad, status, path) => {
  const { send, orders, outcomes } = await openDesk();
  const reply = await send([BUY, bad, { ...BUY, qty: 2 }]);
  expect(reply.status).toBe(status);
  expect(reply.body.error.details[0].path).toMatch(path);
  expect(await orders()).toBe(0);
  expect((await outcomes()).every((outcome) => outcome === "refused")).toBe(true);
});

test.each([
  ["names an unknown symbol", { ...BUY, symbol: "ES2!" }, "UNKNOWN_SYMBOL"],
  ["has a price between ticks", { ...BUY, type: "limit", limitPrice: 6000.1 }, "VALIDATION_FAILED"],
])("one that can be read and %s is refused alone", async (_, bad, code) => {
  const { send, positions, outcomes } = await openDesk();
  const { status, body } = await send([BUY, bad, { ...BUY, qty: 2 }]);
  expect([status, statuses(body), body.alerts[1].error.code]).toEqual([207, [200, 400, 200], code]);
  expect(await positions()).toEqual({ [ES.code]: 3 });
  expect((await outcomes()).toSorted()).toEqual(["done", "done", "refused"]);
});

test("the log lists them in their order, the last one first", async () => {
  const { send, log } = await openDesk();
  const { body } = await send(Array.from({ length: 12 }, (_, nth) => ({ ...BUY, qty: nth + 1 })));
  const answered = body.alerts.map(({ alertId }: { alertId: string }) => alertId);
  expect((await log()).map(({ alertId }) => alertId)).toEqual(answered);
});

test("too many of them are refused together", async () => {
  const { send, orders } = await openDesk();
  const { status } = await send(Array.from({ length: 1_000 }, () => BUY));
  expect([status, await orders()]).toEqual([400, 0]);
});

test("an empty array is refused", async () => {
  const { send, outcomes } = await openDesk();
  expect((await send([])).status).toBe(400);
  expect(await outcomes()).toEqual(["refused"]);
});

test("one that is denied does not stop the others: each says what became of it", async () => {
  const { send, positions, outcomes } = await openDesk();
  const { status, body } = await send([
    { ...BUY, qty: 60 },
    { ...BUY, qty: 2 },
  ]);
  expect([status, statuses(body)]).toEqual([207, [422, 200]]);
  expect(body.alerts[0].error.code).toBe("LIMIT_EXCEEDED");
  expect(await positions()).toEqual({ [ES.code]: 2 });
  expect((await outcomes()).toSorted()).toEqual(["denied", "done"]);
});

test("sent again it is answered as before, alert by alert, and nothing is placed twice", async () => {
  const { send, orders } = await openDesk();
  const alerts = [BUY, { ...BUY, symbol: "NQ1!" }, BUY];
  const first = await send(alerts);
  const second = await send(alerts);
  expect(second.status).toBe(200);
  expect(second.body.alerts).toEqual(
    first.body.alerts.map((one: object) => ({ ...one, duplicate: true })),
  );
  expect(await orders()).toBe(3);
});

test("sent again with something between, it is asked anew", async () => {
  const { send, done, orders } = await openDesk();
  await send([BUY, { ...BUY, qty: 2 }]);
  await done({ action: "close" });
  const { body } = await send([BUY, { ...BUY, qty: 2 }]);
  expect(body.alerts.map(({ duplicate }: { duplicate?: boolean }) => duplicate)).toEqual([
    undefined,
    undefined,
  ]);
  expect(await orders()).toBe(5);
});

test("an alertId in it is the sender's name wherever it stands", async () => {
  const { send, done, orders } = await openDesk();
  await done({ ...BUY, alertId: "first" });
  const { status, body } = await send([
    { ...BUY, alertId: "first" },
    { ...BUY, alertId: "second" },
  ]);
  expect(status).toBe(200);
  expect(body.alerts.map(({ duplicate }: { duplicate?: boolean }) => duplicate)).toEqual([
    true,
    undefined,
  ]);
  expect(await orders()).toBe(2);
});

test("partly accepted before Redis went away, it is completed by the resend", async () => {
  const own = await startGateway({ answersOnTime: true });
  const desk = await openPaperDesk(own, nextAccountOfOwn());
  try {
    const alerts = [BUY, { ...BUY, qty: 2 }, { ...BUY, qty: 3 }];
    const sending = postAlert(desk.url, alerts);
    const pid = await own.redisPid();
    process.kill(pid, "SIGSTOP");
    const first = await sending;
    process.kill(pid, "SIGCONT");
    expect([200, 202, 207, 503, 504]).toContain(first.status);
    await waitUntil("the resend is accepted", async () => (await desk.send(alerts)).status === 200);
    expect([await desk.positions(), await desk.orders()]).toEqual([{ [ES.code]: 6 }, 3]);
  } finally {
    await own.stop();
  }
});

function nextAccountOfOwn() {
  return accountNames(1)();
}
