import { beforeEach, describe, expect, test } from "vitest";
import { exact } from "../../domain/exact.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Intent, IntentRecord } from "../../../../src/domain/intent.ts";
import type { ExitPlan } from "../../../../src/domain/exits/exit-plan.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { SizeRule } from "../../../../src/domain/order-handling.ts";
import type { PreparedOrder } from "../../../../src/domain/order-ticket.ts";
import { NO_GUARD } from "../../../../src/trading/guards/entry-guards.ts";
import { adjustIntent, nextFillsTo } from "./adjust-kit.ts";
import { ACCOUNT, ES, type Lane, openLane, order, position } from "../lane-kit.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const away = (distance: number): Partial<PreparedOrder> => ({
  bracket: { stopLoss: { by: "distance", distance: ticks(distance) } },
});
const at = (price: number): Partial<PreparedOrder> => ({
  bracket: { stopLoss: { by: "price", price: ticks(price) } },
});
const risk = (money: string, min?: number): SizeRule => ({
  by: "risk",
  money,
  ...(min !== undefined && { min }),
});
const sized = (size: SizeRule, change: Partial<PreparedOrder> = away(24)): Intent => ({
  kind: "PLACE",
  order: order(change),
  handling: { size },
});
const sentQty = () => lane.broker.sent.map(({ orderQty }) => orderQty);
const placed = ({ outcome }: IntentRecord) => {
  if (outcome?.kind !== "done" || outcome.result.kind !== "PLACE") {
    throw new Error(JSON.stringify(outcome));
  }
  return outcome.result;
};
const balance = (change: object = {}) => ({
  currency: "USD",
  at: lane.intents.clock,
  cash: minor(5_000_000),
  netLiquidation: minor(5_000_000),
  ...change,
});

describe("a risk in money", () => {
  test("24 ticks of ES are 300: of 500 one contract goes", async () => {
    const record = await lane.run(sized(risk("500")));
    expect(sentQty()).toEqual([1]);
    expect(placed(record)).toMatchObject({ orderQty: 1 });
    expect(placed(record).problems).toBeUndefined();
  });

  test("50 ticks are 625: nothing goes, and it is said why", async () => {
    const record = await lane.run(sized(risk("500"), away(50)));
    expect(record.outcome).toMatchObject({
      kind: "denied",
      code: "RISK_TOO_SMALL",
      reason:
        "One contract of ESZ6 loses 625.00 USD at its stop-loss, fees included, and 500.00 USD may be risked",
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("fees of both ways count", async () => {
    lane.money.fee = exact("0.01");
    await lane.run(sized(risk("900")));
    expect(sentQty()).toEqual([2]);
  });

  test("min is sent all the same, and told", async () => {
    const record = await lane.run(sized(risk("500", 1), away(50)));
    expect(sentQty()).toEqual([1]);
    expect(placed(record).problems).toEqual([
      "One contract of ESZ6 loses 625.00 USD at its stop-loss, fees included, and 500.00 USD may be risked: that is enough for 0, and 1 at least were asked for",
    ]);
  });

  test("a limit is counted from, and no price is asked for", async () => {
    await lane.run(sized(risk("1000"), { ordType: "LIMIT", price: ticks(20_000), ...at(19_980) }));
    expect(sentQty()).toEqual([4]);
  });

  test("at the market a stop-loss of a price is counted from a fresh price", async () => {
    lane.money.quote = quoteHeardAt(0, { bid: ticks(19_999), ask: ticks(20_000) });
    await lane.run(sized(risk("1000"), at(19_980)));
    expect(sentQty()).toEqual([4]);
  });

  test("without a fresh price nothing goes", async () => {
    const record = await lane.run(sized(risk("1000"), at(19_980)));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "SIZE_UNKNOWN" });
    expect(lane.broker.commands).toEqual([]);
  });

  test("a stop-loss on the winning side sends nothing", async () => {
    lane.money.quote = quoteHeardAt(0, { last: ticks(19_970) });
    const record = await lane.run(sized(risk("1000"), at(19_980)));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "VALIDATION_FAILED" });
    expect(lane.broker.commands).toEqual([]);
  });

  test("without a stop-loss nothing goes, whatever its place holder says", async () => {
    const record = await lane.run(sized(risk("1000"), {}));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "SIZE_UNKNOWN" });
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("a percentage of the account", () => {
  const percent = (text: string): SizeRule => ({ by: "riskPercent", percent: text });

  test.each([
    ["its balance", {}, 3],
    ["the worth, where open positions lose", { netLiquidation: minor(3_100_000) }, 2],
    ["the balance, where they win", { netLiquidation: minor(9_000_000) }, 3],
    ["the cash of a flat account", { netLiquidation: undefined }, 3],
  ])("is of %s", async (_, change, qty) => {
    lane.money.balances = [balance(change)];
    await lane.run(sized(percent("2"), away(24)));
    expect(sentQty()).toEqual([qty]);
  });

  test.each([
    ["nothing is told", () => []],
    ["it is of another currency", () => [balance({ currency: "EUR" })]],
    ["it is old", () => [balance({ at: lane.intents.clock - 121_000 })]],
    ["neither figure is told", () => [balance({ cash: undefined, netLiquidation: undefined })]],
  ])("sends nothing where %s", async (_, balances) => {
    lane.money.balances = balances();
    const record = await lane.run(sized(percent("2")));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "SIZE_UNKNOWN" });
    expect(lane.broker.commands).toEqual([]);
  });

  test("cash alone is not enough while something is held", async () => {
    lane.broker.held = [position(1)];
    lane.money.balances = [balance({ netLiquidation: undefined })];
    const record = await lane.run(sized(percent("2")));
    expect(record.outcome).toMatchObject({ code: "SIZE_UNKNOWN" });
  });
});

describe("limits and guards", () => {
  test("the limit of an order cuts it, and it is told", async () => {
    const record = await lane.run(sized(risk("6000")));
    expect(sentQty()).toEqual([10]);
    expect(placed(record)).toMatchObject({
      orderQty: 10,
      problems: [
        "Of 20 contracts for a risk of 6000.00 USD only 10 go: The order's quantity 11 is over the account's limit of 10 per order",
      ],
    });
  });

  test("so does the limit of a position, with what is held", async () => {
    lane.broker.held = [position(17)];
    await lane.run(sized(risk("3000")));
    expect(sentQty()).toEqual([3]);
  });

  test("what leaves no room for one contract refuses it as ever", async () => {
    lane.broker.held = [position(20)];
    const record = await lane.run(sized(risk("3000")));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "LIMIT_EXCEEDED" });
    expect(lane.broker.commands).toEqual([]);
  });

  test("a guard cuts it as well", async () => {
    const refused = { kind: "denied", code: "GUARD_REFUSED", reason: "2 are the most" } as const;
    lane = await openLane({
      guards: {
        of: () => ({
          ...NO_GUARD,
          refuse: ({ orderQty }) => (orderQty > 2 ? refused : undefined),
        }),
        upToDate: () => undefined,
        reread: () => undefined,
      },
    });
    const record = await lane.run(sized(risk("3000")));
    expect(sentQty()).toEqual([2]);
    expect(placed(record).problems).toEqual([
      "Of 10 contracts for a risk of 3000.00 USD only 2 go: 2 are the most",
    ]);
  });

  test("the kill switch refuses it, before a price is asked for", async () => {
    lane.intents.accountKillSwitch = { active: true };
    const record = await lane.run(sized(risk("500"), at(19_980)));
    expect(record.outcome).toMatchObject({ kind: "denied", code: "KILL_SWITCH_ON" });
  });
});

describe("the other side", () => {
  const sell = { side: "SELL", ...away(24) } as const;

  test("goes as a whole, and only what opens is sized", async () => {
    lane.broker.held = [position(5)];
    nextFillsTo(lane, 0);
    const record = await lane.run(sized(risk("700"), sell));
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["close", "submit"]);
    expect(sentQty()).toEqual([2]);
    expect(placed(record)).toMatchObject({ orderQty: 2, closed: [{ contract: ES, netQty: 5 }] });
  });

  test("goes also where the risk is too small for what was to follow", async () => {
    lane.broker.held = [position(5)];
    const record = await lane.run(sized(risk("100"), sell));
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["close"]);
    expect(placed(record).problems).toEqual([
      "The order was not placed: One contract of ESZ6 loses 300.00 USD at its stop-loss, fees included, and 100.00 USD may be risked",
    ]);
  });

  test("goes also where nobody tells the price that its exit plan counts from", async () => {
    lane.broker.held = [position(5)];
    const exitPlan: ExitPlan = { targets: [], stop: { by: "percent", percent: "0.5" } };
    const record = await lane.run({
      kind: "PLACE",
      order: order({ side: "SELL" }),
      handling: { size: risk("700"), exitPlan },
    });
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["close"]);
    expect(placed(record).problems).toEqual([
      expect.stringContaining("The order was not placed: Its exit plan counts from"),
    ]);
  });

  test("is not closed at the market for an order that rests", async () => {
    lane.broker.held = [position(5)];
    const record = await lane.run(
      sized(risk("700"), { ...sell, ordType: "LIMIT", price: ticks(20_000) }),
    );
    expect(record.outcome).toMatchObject({ kind: "denied", code: "POSITION_HELD" });
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("an adjustment", () => {
  const terms = { ordType: "MARKET", timeInForce: "DAY", ...away(24) } as const;
  const handling = { size: risk("1000") };

  test("opens with what the risk allows", async () => {
    const aim = {
      to: "enter",
      side: "BUY",
      qty: 1,
      whenHeld: "refuse",
      whenOpposite: "close",
    } as const;
    const { outcome } = await lane.run(adjustIntent(aim, { terms, handling }));
    expect(sentQty()).toEqual([3]);
    expect(outcome).toMatchObject({ result: { order: { orderQty: 3 } } });
  });

  test.each([
    ["reduceIfLess", undefined],
    ["close", "withRest"],
  ] as const)(
    "takes no part of the other side by its place holder (%s, %s)",
    async (whenOpposite, swap) => {
      lane.broker.held = [position(-5)];
      nextFillsTo(lane, 0);
      const aim = {
        to: "enter",
        side: "BUY",
        qty: 1,
        whenHeld: "add",
        whenOpposite,
        ...(swap !== undefined && { swap }),
      } as const;
      await lane.run(adjustIntent(aim, { terms, handling }));
      expect(lane.broker.commands.map(([name]) => name)).toEqual(["close", "submit"]);
      expect(sentQty()).toEqual([3]);
    },
  );

  test("turns around into what the risk allows", async () => {
    lane.broker.held = [position(-5)];
    await lane.run(adjustIntent({ to: "reverse" }, { terms, handling }));
    expect(sentQty()).toEqual([3]);
  });

  test("no target position is sized, and what is held is left alone", async () => {
    lane.broker.held = [position(5)];
    const { outcome } = await lane.run(
      adjustIntent({ to: "position", netQty: 1 }, { terms, handling }),
    );
    expect(outcome).toMatchObject({ kind: "denied", code: "VALIDATION_FAILED" });
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("a dry run", () => {
  const stepsOf = ({ outcome }: IntentRecord) =>
    outcome?.kind === "done" && outcome.result.kind === "TEST" ? outcome.result.steps : outcome;

  test("shows the quantity that would go", async () => {
    const record = await lane.run(sized(risk("1000")), { test: true });
    expect(stepsOf(record)).toMatchObject([{ kind: "order", order: { orderQty: 3 } }]);
    expect(lane.broker.commands).toEqual([]);
  });

  test("shows it after a close too", async () => {
    lane.broker.held = [position(-5)];
    const record = await lane.run(sized(risk("1000")), { test: true });
    expect(stepsOf(record)).toMatchObject([
      { kind: "close", netQty: -5 },
      { kind: "order", order: { orderQty: 3 } },
    ]);
  });

  test("is refused for what would be", async () => {
    const record = await lane.run(sized(risk("100")), { test: true });
    expect(record.outcome).toMatchObject({ kind: "denied", code: "RISK_TOO_SMALL" });
  });
});

test("an outcome that was unknown tells the quantity of the broker's order", async () => {
  lane.broker.next.submit.push({ kind: "unknown", reason: "no answer" });
  const record = await lane.run(sized(risk("1000")));
  expect(record.state).toBe("UNKNOWN");
  const clOrdId = record.clOrdIds[0];
  if (clOrdId === undefined) throw new Error("nothing was sent");
  lane.broker.show({
    orderId: "77" as never,
    clOrdId,
    orderQty: 3,
    cumQty: 1,
    leavesQty: 2,
    ordStatus: "PARTIALLY_FILLED",
  });
  await lane.settlePending(ACCOUNT);
  const settled = lane.record(record.intentId);
  expect(placed(settled)).toMatchObject({ orderQty: 3, order: { cumQty: 1 } });
});
