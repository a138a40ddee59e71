// The goal: an evaluation that takes for ever delays no order, and ends as one that failed.
// The method: put a condition that no check would let through into the store; place orders while it is
// evaluated.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { ENDLESS } from "../../support/endless-condition.ts";
import { eventually, untilTaken } from "../../support/wait.ts";
import { closingAt, must, openStrategyDesk, termsOf } from "./strategy-desk.ts";

const ACCOUNT = "paper-1";
/** As many as conditions can see. */
const BARS = 100;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  return gateway.stop;
});

test("orders are worked while an evaluation runs to its limit", async () => {
  const { api, keys, redis } = gateway;
  const desk = await openStrategyDesk(() => api, termsOf(ACCOUNT));
  const [, words = ""] =
    /^\d+ (.+)$/.exec((await redis.hget(keys.strategies, desk.id)) ?? "") ?? [];
  const strategy = JSON.parse(words) as { version: number };
  const runaway = { ...strategy, conditions: { enterLong: ENDLESS } };
  const stored = `${strategy.version} ${JSON.stringify(runaway)}`;
  await redis.hset(keys.strategies, desk.id, stored);

  let isOver = false;
  const asked = { dryRun: true, position: { netQty: 0 } };
  const evaluating = desk
    .ask({ ...asked, bars: closingAt(25_010, BARS) })
    .finally(() => (isOver = true));
  let placed = 0;
  while (!isOver) {
    const action = placed % 2 === 0 ? "buy" : "sell";
    const order = { symbol: "MNQ1!", action, qty: 1 };
    must(await untilTaken(() => api.post(`/v1/accounts/${ACCOUNT}/orders`, order)), 201);
    placed += 1;
    // One after another shows as much as all that fit in.
    await sleep(100);
  }
  expect(placed).toBeGreaterThan(0);
  expect((await gateway.broker.filled(ACCOUNT)).orders).toBe(placed);

  const { decision, reason } = must(await evaluating, 200);
  expect({ decision, reason }).toEqual({
    decision: "failed",
    reason: "It could not be computed: It took longer than 2 s",
  });
  const said = gateway.log.filter((line) => line.includes("is started anew"));
  expect(said).toHaveLength(1);

  // The next one has a thread again.
  await redis.hset(keys.strategies, desk.id, `${strategy.version} ${words}`);
  await eventually(async () => {
    const next = must(await desk.ask({ ...asked, bars: closingAt(25_010) }), 200);
    expect(next.decision).toBe("enterLong");
  });
});
