import { describe, expect, test } from "vitest";
import { clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../src/domain/intent.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { ES, settled, startApp } from "./http-kit.ts";

const PATH = "/v1/accounts/paper-1/orders/4000008";

const asked: Intent = {
  kind: "MODIFY",
  orderId: orderId("4000008"),
  clOrdId: clOrdId("i1-1"),
  change: { orderQty: 3 },
};
const changed = {
  kind: "done",
  result: {
    kind: "MODIFY",
    order: {
      orderId: orderId("4000008"),
      contract: ES,
      ordStatus: "PARTIALLY_FILLED",
      orderQty: 3,
      cumQty: 1,
      leavesQty: 2,
      price: ticks(20_001),
    },
  },
} as const satisfies Outcome;

const modifying = (outcome: Outcome) =>
  startApp({
    gateway: {
      modifyOrder: async () => settled(outcome, asked),
      findIntent: async () => settled(outcome, asked).record,
    },
  });

const ANSWER = {
  orderId: "4000008",
  accountId: "paper-1",
  symbol: "ESZ6",
  status: "partiallyFilled",
  qty: 3,
  filledQty: 1,
  remainingQty: 2,
  limitPrice: 5000.25,
  stopPrice: null,
  trailOffset: null,
  intentId: "01J8ZK3V7M",
};

describe("PATCH an order", () => {
  test("answers 200 with the order as it stands", async () => {
    const app = await modifying(changed);
    const { status, body } = await app.send("PATCH", PATH, { qty: 3 });
    expect([status, body]).toEqual([200, ANSWER]);
  });

  test("hands the use case the change in the domain's words", async () => {
    const app = await modifying(changed);
    await app.send("PATCH", PATH, { qty: 3, limitPrice: 5000.25 });
    await app.send("PATCH", PATH, { stopPrice: 4990, trailOffset: 2 });
    expect(app.calls.map(({ name, args }) => [name, ...args.slice(1)])).toEqual([
      ["modifyOrder", "paper-1", "4000008", { orderQty: 3, limitPrice: 5000.25 }],
      ["modifyOrder", "paper-1", "4000008", { stopPrice: 4990, trailOffset: 2 }],
    ]);
  });

  test.each<[unknown, Record<string, string>]>([
    [{}, { body: "needs at least one of qty, limitPrice, stopPrice and trailOffset" }],
    [{ qty: 0 }, { qty: "must be at least 1" }],
    [{ qty: 1.5 }, { qty: "must be a whole number" }],
    [{ qty: 3, symbol: "ESZ6" }, { symbol: "is not a known field" }],
    [{ limitPrice: "5000" }, { limitPrice: "must be a number, not text" }],
    [{ trailOffset: 0 }, { trailOffset: "must be greater than 0" }],
  ])("%j is refused before anything is asked", async (body, expected) => {
    const app = await modifying(changed);
    const reply = await app.send("PATCH", PATH, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    const details = reply.body.error.details as { path: string; message: string }[];
    expect(Object.fromEntries(details.map(({ path, message }) => [path, message]))).toEqual(
      expected,
    );
    expect(app.calls).toEqual([]);
  });

  test.each([
    [{ kind: "rejected", reason: "Too late" }, 409, "MODIFY_REJECTED"],
    [{ kind: "denied", code: "LIMIT_EXCEEDED", reason: "too large" }, 422, "LIMIT_EXCEEDED"],
    [{ kind: "denied", code: "KILL_SWITCH_ON", reason: "on" }, 422, "KILL_SWITCH_ON"],
    [{ kind: "denied", code: "VALIDATION_FAILED", reason: "qty" }, 400, "VALIDATION_FAILED"],
    [{ kind: "notSent", reason: "down" }, 503, "BROKER_UNAVAILABLE"],
    [{ kind: "lost", reason: "It works without" }, 503, "BROKER_UNAVAILABLE"],
    [{ kind: "expired", reason: "late" }, 503, "INTENT_EXPIRED"],
    [{ kind: "unknown", reason: "timeout" }, 500, "OUTCOME_UNKNOWN"],
  ] satisfies [Outcome, number, string][])("%j has its own code", async (outcome, status, code) => {
    const app = await modifying(outcome);
    const reply = await app.send("PATCH", PATH, { qty: 3 });
    expect(reply.status).toBe(status);
    expect(reply.body.error).toMatchObject({
      code,
      intentId: "01J8ZK3V7M",
      message: expect.stringContaining(outcome.reason),
    });
  });

  test("its intent shows which order was meant, and what became of it", async () => {
    const app = await modifying(changed);
    const { body } = await app.get("/v1/accounts/paper-1/intents/01J8ZK3V7M");
    expect(body).toMatchObject({ kind: "modify", state: "done", orderId: "4000008", order: null });
    expect(body.result).toEqual(ANSWER);
  });
});
