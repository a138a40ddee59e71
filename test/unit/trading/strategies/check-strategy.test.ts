import { beforeEach, describe, expect, test } from "vitest";
import type { Strategy, StrategyTerms } from "../../../../src/domain/strategies/strategy.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { createCronScheduler } from "../../../../src/schedule/cron-scheduler.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  type CheckStrategyDeps,
  requireAlone,
  requireSoundTerms,
} from "../../../../src/trading/strategies/check-strategy.ts";
import {
  ACCOUNT,
  accountsOf,
  BrokerInHand,
  caller,
  CONNECTION,
  contracts,
  engine,
  NOW,
  NQ,
  OTHER_ACCOUNT,
  OTHER_ID,
  OWNER,
  pathsOf,
  refusal,
  SCHEDULE,
  STRANGER,
  stored,
  strategy,
  stranger,
} from "./strategy-kit.ts";

let broker: BrokerInHand;
let deps: CheckStrategyDeps;

beforeEach(async () => {
  broker = new BrokerInHand();
  deps = {
    accounts: await accountsOf([stored(), stored(OTHER_ACCOUNT, { userId: STRANGER })]),
    contracts,
    engine,
    scheduler: createCronScheduler(),
    reads: broker,
  };
});

const check = (change: Partial<Strategy> = {}, who = caller) =>
  requireSoundTerms(deps, who, strategy(change));
const refused = async (change: Partial<Strategy>) => await refusal(check(change));

describe("a strategy's terms", () => {
  test.each<[string, Partial<StrategyTerms>]>([
    ["plain", {}],
    [
      "with exits by distance",
      { bracket: { stopLoss: { ticks: 40 }, takeProfit: { offset: 20 } } },
    ],
    ["with a schedule", { schedule: SCHEDULE }],
    ["that are off", { enabled: false, mode: "observe" }],
    ["of a named month", { symbol: "NQZ6" }],
    ["without indicators", { indicators: {}, conditions: { enterShort: "close[0] < 1" } }],
  ])("are sound: %s", async (_, change) => {
    await expect(check(change)).resolves.toBeUndefined();
  });

  test.each<[string, Partial<StrategyTerms>, readonly string[]]>([
    ["an indicator that needs more bars than there are", { barCount: 2 }, ["indicators.average"]],
    [
      "an indicator whose name is a word of conditions",
      { indicators: { close: { type: "sma", period: 3 } } },
      ["indicators.close"],
    ],
    [
      "a condition that cannot be read",
      { conditions: { enterLong: "close[0] >" } },
      ["conditions.enterLong"],
    ],
    [
      "a condition about what is not there",
      { conditions: { enterLong: "close[0] > other[0]" } },
      ["conditions.enterLong"],
    ],
    [
      "no condition to enter by",
      { conditions: { exitLong: "close[0] > average[0]" } },
      ["conditions"],
    ],
    [
      "exits between two ticks",
      { bracket: { stopLoss: { offset: 0.1 }, takeProfit: { offset: "20.3" } } },
      ["bracket.takeProfit.offset", "bracket.stopLoss.offset"],
    ],
    [
      "an exit that is said twice",
      { bracket: { stopLoss: { ticks: 4, offset: 1 } } },
      ["bracket.stopLoss"],
    ],
    [
      "a schedule that is none",
      { schedule: { cron: "61 * * * *", timeZone: "Chicago" } },
      ["schedule.cron", "schedule.timeZone"],
    ],
    [
      "slots that are too close together",
      { schedule: { cron: "*/5 * * * * *", timeZone: "UTC" } },
      ["schedule.cron"],
    ],
  ])("are refused at their place: %s", async (_, change, paths) => {
    const error = await refused(change);
    expect(error.spec.code).toBe("VALIDATION_FAILED");
    expect(pathsOf(error)).toEqual(paths);
  });

  test("are refused for all that is wrong at once", async () => {
    const error = await refused({
      conditions: { enterLong: "closed[0] > 1", exitShort: "1 +" },
      bracket: { stopLoss: { offset: 0.1 } },
      schedule: { cron: "x", timeZone: "UTC" },
    });
    expect(pathsOf(error)).toEqual([
      "conditions.enterLong",
      "conditions.exitShort",
      "bracket.stopLoss.offset",
      "schedule.cron",
    ]);
    for (const { message } of error.details) expect(message).not.toBe("");
  });

  test.each(["NQH6", "AAPL", "NQ F7", "NQG7"])("name no contract by %j", async (symbol) => {
    const error = await refused({ symbol });
    expect(error.spec.code).toBe("UNKNOWN_SYMBOL");
    expect(pathsOf(error)).toEqual(["symbol"]);
  });

  test("are for an account of one's own", async () => {
    expect((await refused({ accountId: OTHER_ACCOUNT })).spec.code).toBe("NOT_FOUND");
    expect((await refusal(check({}, stranger))).spec.code).toBe("NOT_FOUND");
  });

  test("may be for an account that its broker does not report now", async () => {
    deps = { ...deps, accounts: await accountsOf([stored(ACCOUNT, { active: false })]) };
    await expect(check()).resolves.toBeUndefined();
  });
});

describe("a schedule", () => {
  test("needs a broker that tells bars", async () => {
    broker.told = undefined;
    const error = await refused({ schedule: SCHEDULE });
    expect(error.spec.code).toBe("VALIDATION_FAILED");
    expect(error.details).toEqual([
      { path: "schedule", message: expect.stringMatching(/^needs bars, and paper tells .* none/) },
    ]);
    await expect(check()).resolves.toBeUndefined();
  });

  test("is believed where the broker cannot be asked now", async () => {
    broker.fault = new BrokerReadError("The session is gone");
    await expect(check({ schedule: SCHEDULE })).resolves.toBeUndefined();
  });

  test("is not believed on an error that nobody foresaw", async () => {
    broker.fault = new TypeError("a bug");
    await expect(check({ schedule: SCHEDULE })).rejects.toThrow(TypeError);
  });

  test("asks for one bar of its contract, and only where all else is right", async () => {
    await check({ schedule: SCHEDULE });
    await refused({ schedule: SCHEDULE, conditions: {} });
    expect(broker.asked).toEqual([[CONNECTION, ACCOUNT, { contract: NQ, minutes: 5, count: 1 }]]);
  });

  test("is not asked about where there is none", async () => {
    await check();
    expect(broker.asked).toEqual([]);
  });
});

describe("two strategies on one market of an account", () => {
  const other = (change: Partial<Strategy> = {}) =>
    strategy({ strategyId: OTHER_ID, name: "Other", ...change });
  const conflict = (one: Strategy, known: readonly Strategy[]) => {
    try {
      requireAlone(one, known, contracts, NOW);
      return undefined;
    } catch (error) {
      if (error instanceof GatewayError) return `${error.spec.code}: ${error.message}`;
      throw error;
    }
  };

  test("are in conflict where both trade", () => {
    const message = conflict(strategy(), [other()]);
    expect(message).toMatch(
      /^STRATEGY_CONFLICT: The strategy "Other" trades NQ on paper-1 already/,
    );
  });

  test.each(["NQ", "NQ1!", "NQZ6", "NQZ2026", "NQH7", "nq"])(
    "are so however the market is written: %s",
    (symbol) => {
      expect(conflict(strategy({ symbol }), [other()])).toMatch(/^STRATEGY_CONFLICT/);
      expect(conflict(strategy(), [other({ symbol })])).toMatch(/^STRATEGY_CONFLICT/);
    },
  );

  test.each<[string, Partial<Strategy>]>([
    ["observes", { mode: "observe" }],
    ["is off", { enabled: false }],
    ["is for another account", { accountId: OTHER_ACCOUNT }],
    ["trades the micro contract", { symbol: "MNQ" }],
    ["trades another market", { symbol: "ES" }],
    ["is for a month that has expired", { symbol: "NQH6" }],
    ["is itself, as it was before", { strategyId: strategy().strategyId, symbol: "NQZ6" }],
  ])("are none where one of them %s", (_, change) => {
    expect(conflict(strategy(), [other(change)])).toBeUndefined();
    expect(conflict(other(change), [strategy()])).toBeUndefined();
  });

  test("are looked for among all", () => {
    const others = [other({ symbol: "ES" }), other({ mode: "observe" }), other()];
    expect(conflict(strategy(), others)).toMatch(/^STRATEGY_CONFLICT/);
    expect(conflict(strategy(), others.slice(0, 2))).toBeUndefined();
    expect(conflict(strategy(), [])).toBeUndefined();
  });

  test("are so for another user's too: an account has one position", () => {
    expect(conflict(strategy(), [other({ userId: STRANGER })])).toMatch(/^STRATEGY_CONFLICT/);
    expect(OWNER).not.toBe(STRANGER);
  });
});
