// The goal: one Idempotency-Key is one order, however often and however fast it is sent.
// The method: repeat orders against the whole gateway over HTTP and count what the broker has.
import { beforeAll, expect, test } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import type { ApiClient } from "../support/http-client.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-20" } });
  return gateway.stop;
});

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

async function place(account: string, key: string, body: object = ORDER) {
  return await placeBy(gateway.api, account, key, body);
}

async function placeBy(api: ApiClient, account: string, key: string, body: object = ORDER) {
  return await api.post(`/v1/accounts/${account}/orders`, body, { "idempotency-key": key });
}

test("a repeat gets the first answer to the byte, and places nothing", async () => {
  const account = nextAccount();
  const first = await place(account, "order-1");
  const second = await place(account, "order-1");
  // The quoted form of the header names the same key, and the order of fields says nothing.
  const third = await place(account, '"order-1"', { qty: 1, action: "buy", symbol: "ES1!" });

  expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
  for (const replay of [second, third]) {
    expect([replay.status, replay.text]).toEqual([201, first.text]);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
    expect(replay.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  }
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test("the same key with another body is refused, and places nothing", async () => {
  const account = nextAccount();
  await place(account, "order-1");
  const { status, body } = await place(account, "order-1", { ...ORDER, qty: 2 });

  expect([status, body.error.code, body.error.retry]).toEqual([
    422,
    "IDEMPOTENCY_KEY_REUSED",
    "never",
  ]);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test("fifty calls at once with one key are one order and one answer", async () => {
  const account = nextAccount();
  const replies = await Promise.all(Array.from({ length: 50 }, () => place(account, "burst")));

  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies[0]?.status).toBe(201);
  const replayed = replies.filter(({ headers }) => headers.get("idempotency-replayed") === "true");
  expect(replayed).toHaveLength(49);
  expect(await gateway.broker.positions(account)).toEqual({ [ES.code]: 1 });
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test("fifty calls at once with a key each are fifty orders", async () => {
  const account = nextAccount();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => place(account, `single-${n}`)),
  );
  // Not by ids alone: a refusal, for instance by a Redis that stands still for a second, has none.
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(new Set(replies.map(({ body }) => body.orderId)).size).toBe(50);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 50, orders: 50 });
});

test("a key belongs to its user and account, whichever API key sends it", async () => {
  const [one, other] = [nextAccount(), nextAccount()];
  const second = await gateway.createKey("trade");
  const first = await place(one, "shared");
  const repeat = await placeBy(second.api, one, "shared");
  const changed = await placeBy(second.api, one, "shared", { ...ORDER, qty: 2 });
  const elsewhere = await place(other, "shared");

  expect([first.status, repeat.status, elsewhere.status]).toEqual([201, 201, 201]);
  expect([repeat.text, repeat.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  expect([changed.status, changed.body.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  expect(elsewhere.body.intentId).not.toBe(first.body.intentId);
  expect(await gateway.broker.positions(one)).toEqual({ [ES.code]: 1 });
  expect(await gateway.broker.positions(other)).toEqual({ [ES.code]: 1 });
});

test("a repeat finds its order that an earlier version kept under the API key", async () => {
  const account = accountId(nextAccount());
  const sender = await gateway.createKey("trade");
  const first = await placeBy(sender.api, account, "upgraded");
  const [kept = ""] = await gateway.redis.keys(
    `${gateway.keys.idempotency(account, "*:upgraded")}`,
  );
  await gateway.redis.rename(kept, gateway.keys.idempotency(account, `${sender.id}:upgraded`));

  const repeat = await placeBy(sender.api, account, "upgraded");
  expect([repeat.status, repeat.text]).toEqual([201, first.text]);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test.each([
  ["the broker's", { ...ORDER, type: "stop", stopPrice: 6000 }, 502, "BROKER_ORDER_REJECTED"],
  ["the limits'", { ...ORDER, qty: 51 }, 422, "LIMIT_EXCEEDED"],
])("%s refusal is the answer of every repeat", async (_, body, status, code) => {
  const account = nextAccount();
  const first = await place(account, "refused", body);
  expect([first.status, first.body.error.code]).toEqual([status, code]);

  const second = await place(account, "refused", body);
  expect([second.status, second.text]).toEqual([status, first.text]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
});

test("a body or a symbol that was refused leaves its key free", async () => {
  const account = nextAccount();
  expect((await place(account, "free", { ...ORDER, qty: 0 })).status).toBe(400);
  expect((await place(account, "free", { ...ORDER, symbol: "ES2!" })).status).toBe(400);
  expect((await place(account, "free")).status).toBe(201);
});

test("a 503 is not kept: the same key places the order later", async () => {
  const account = nextAccount();
  const bringBack = gateway.loseBroker();
  expect((await place(account, "later")).status).toBe(503);
  bringBack();
  await expect.poll(async () => (await place(account, "later")).status).toBe(201);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test("what was filled stays the answer while the connection is down or the account inactive", async () => {
  const account = accountId(nextAccount());
  const first = await place(account, "filled");
  gateway.paper.setActive(account, false);
  const bringBack = gateway.loseBroker();
  const down = await place(account, "filled");
  const other = await place(account, "filled", { ...ORDER, qty: 2 });
  const fresh = await place(account, "not-yet-used");
  bringBack();
  await expect.poll(async () => (await place(account, "inactive")).status).toBe(403);
  const inactive = await place(account, "filled");

  for (const replay of [down, inactive]) {
    expect([replay.status, replay.text]).toEqual([201, first.text]);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
  }
  expect([other.status, other.body.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  expect(fresh.status).toBe(503);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test("a replay survives a restart", async () => {
  const account = nextAccount();
  const first = await place(account, "kept");
  await gateway.restart();
  const second = await place(account, "kept");
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(await gateway.broker.filled(account)).toEqual({ qty: 1, orders: 1 });
});

test.each([
  ["an empty one", ""],
  ["one that is too long", "k".repeat(256)],
  ["words", "a b"],
])("%s is no key", async (_, key) => {
  const account = nextAccount();
  const { status, body } = await place(account, key);
  expect([status, body.error.details[0].path]).toEqual([400, "Idempotency-Key"]);
  expect(await gateway.broker.positions(account)).toEqual({});
});
