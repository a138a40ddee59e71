import { beforeEach, describe, expect, test } from "vitest";
import { strategyId } from "../../../../src/domain/ids.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { createStrategyUses } from "../../../../src/trading/strategies/manage-strategies.ts";
import type { StrategyRequest } from "../../../../src/trading/strategies/strategy-requests.ts";
import { Clock, MemoryStrategies, MinuteScheduler } from "./memory-strategies.ts";
import {
  ACCOUNT,
  accountsOf,
  BrokerInHand,
  caller,
  contracts,
  engine,
  ID,
  MINUTE_MS,
  NOW,
  OTHER_ACCOUNT,
  OTHER_ID,
  pathsOf,
  refusal,
  SCHEDULE,
  STRANGER,
  stored,
  strategy,
  stranger,
} from "./strategy-kit.ts";

const BRACKET = { stopLoss: { ticks: 40 } };
const NEXT = NOW + MINUTE_MS;

let clock: Clock;
let memory: MemoryStrategies;
let broker: BrokerInHand;
let uses: ReturnType<typeof createStrategyUses>;

beforeEach(async () => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
  broker = new BrokerInHand();
  let last = 0;
  uses = createStrategyUses({
    accounts: await accountsOf([stored(), stored(OTHER_ACCOUNT)]),
    contracts,
    engine,
    scheduler: new MinuteScheduler(clock),
    reads: broker,
    strategies: memory.strategies,
    log: memory.log,
    newStrategyId: () => strategyId(`st_new${(last += 1)}`),
  });
});

const { indicators, conditions } = strategy();
const REQUEST: StrategyRequest = {
  accountId: ACCOUNT,
  symbol: "NQ",
  barMinutes: 5,
  indicators,
  conditions,
};
const kept = (id = ID) => memory.kept.get(id);

/** Others change strategies under every one of the next writes. */
function disturb(times: number) {
  memory.beforeWrite = () => {
    if (memory.writes > times) return;
    memory.put(strategy({ strategyId: OTHER_ID, symbol: "ES", name: String(memory.writes) }));
  };
}

describe("a new strategy", () => {
  test("does what is safe where nothing is said", async () => {
    const { strategy: made, state, nextAt, newest } = await uses.createStrategy(caller, REQUEST);
    expect(made).toEqual({
      ...REQUEST,
      strategyId: "st_new1",
      userId: caller.userId,
      version: 1,
      createdAt: NOW,
      changedAt: NOW,
      name: "NQ",
      barCount: 200,
      qty: 1,
      mode: "observe",
      enabled: true,
    });
    expect([state, nextAt, newest]).toEqual(["onRequest", undefined, undefined]);
    expect(kept(made.strategyId)).toEqual(made);
    expect(memory.nextSlots.size).toBe(0);
  });

  test("is what was asked for", async () => {
    const terms = {
      name: "Mine",
      barCount: 50,
      qty: 3,
      mode: "trade",
      enabled: true,
      bracket: BRACKET,
      schedule: SCHEDULE,
    } as const;
    const {
      strategy: made,
      state,
      nextAt,
    } = await uses.createStrategy(caller, {
      ...REQUEST,
      ...terms,
    });
    expect(made).toMatchObject({ ...REQUEST, ...terms });
    expect([state, nextAt]).toEqual(["scheduled", NEXT]);
    expect(memory.nextSlots.get(made.strategyId)).toBe(NEXT);
  });

  test("that is off has no slots", async () => {
    const change = { enabled: false, schedule: SCHEDULE };
    const { strategy: made, state } = await uses.createStrategy(caller, { ...REQUEST, ...change });
    expect(state).toBe("off");
    expect(memory.nextSlots.has(made.strategyId)).toBe(false);
  });

  test("that is wrong is not kept", async () => {
    const wrong = { ...REQUEST, conditions: { enterLong: "1 +" } };
    const error = await refusal(uses.createStrategy(caller, wrong));
    expect(pathsOf(error)).toEqual(["conditions.enterLong"]);
    expect([memory.kept.size, memory.writes]).toEqual([0, 0]);
  });

  test("that would trade beside another one on its market is not kept", async () => {
    memory.put(strategy());
    const trading = { ...REQUEST, symbol: "NQZ6", mode: "trade" } as const;
    const error = await refusal(uses.createStrategy(caller, trading));
    expect(error.spec).toMatchObject({ code: "STRATEGY_CONFLICT", status: 409 });
    expect(memory.kept.size).toBe(1);
    for (const beside of [{ mode: "observe" }, { symbol: "MNQ" }, { accountId: OTHER_ACCOUNT }]) {
      await uses.createStrategy(caller, { ...trading, ...beside } as StrategyRequest);
    }
    expect(memory.kept.size).toBe(4);
  });

  test("that comes to conflict with one that is made at the same moment is not kept", async () => {
    memory.beforeWrite = () => {
      if (memory.writes === 1) memory.put(strategy());
    };
    const error = await refusal(uses.createStrategy(caller, { ...REQUEST, mode: "trade" }));
    expect(error.spec.code).toBe("STRATEGY_CONFLICT");
    expect([...memory.kept.keys()]).toEqual([ID]);
  });

  test("is one of 50 of its user at most", async () => {
    const many = (count: number, change: Partial<Strategy> = {}) => {
      for (let n = 0; n < count; n += 1) {
        const id = strategyId(`st_${change.userId ?? "own"}${n}`);
        memory.put(strategy({ strategyId: id, mode: "observe", ...change }));
      }
    };
    many(60, { userId: STRANGER });
    many(49);
    await uses.createStrategy(caller, REQUEST);
    const error = await refusal(uses.createStrategy(caller, REQUEST));
    expect(error.spec.code).toBe("TOO_MANY_STRATEGIES");
    expect(error.message).toContain("50");
    // Changing one is not making one.
    await uses.changeStrategy(caller, strategyId("st_own7"), { name: "Other" });
  });
});

describe("a change", () => {
  beforeEach(() => memory.put(strategy({ bracket: BRACKET, schedule: SCHEDULE }), NEXT));

  test("of nothing changes nothing but its version and time", async () => {
    clock.at += 90_000;
    const later = { ...caller, receivedAt: clock.at };
    const { strategy: is } = await uses.changeStrategy(later, ID, {});
    expect(is).toEqual({
      ...strategy({ bracket: BRACKET, schedule: SCHEDULE }),
      version: 2,
      changedAt: clock.at,
    });
    expect(kept()).toEqual(is);
    expect(memory.nextSlots.get(ID)).toBe(NOW + 2 * MINUTE_MS);
  });

  test("is of what is given only", async () => {
    const change = { name: "Mine", qty: 5, mode: "observe", barMinutes: 15 } as const;
    await uses.changeStrategy(caller, ID, change);
    expect(kept()).toEqual({
      ...strategy({ bracket: BRACKET, schedule: SCHEDULE }),
      ...change,
      version: 2,
      changedAt: NOW,
    });
  });

  test("by null clears what may be absent", async () => {
    const { strategy: is, state } = await uses.changeStrategy(caller, ID, {
      bracket: null,
      schedule: null,
    });
    expect(is).toEqual({ ...strategy(), version: 2, changedAt: NOW });
    expect(Object.keys(is)).not.toContain("bracket");
    expect(Object.keys(is)).not.toContain("schedule");
    expect(state).toBe("onRequest");
    expect(memory.nextSlots.has(ID)).toBe(false);
  });

  test("replaces indicators, conditions, bracket and schedule as a whole", async () => {
    const change = {
      indicators: { slow: { type: "ema", period: 10 } },
      conditions: { enterShort: "close[0] < slow[0]" },
      bracket: { takeProfit: { ticks: 8 } },
      schedule: { cron: "0 9 * * *", timeZone: "UTC" },
    } as const;
    await uses.changeStrategy(caller, ID, change);
    expect(kept()).toEqual({ ...strategy(), ...change, version: 2, changedAt: NOW });
  });

  test("to off takes its slots away, and to on gives it new ones", async () => {
    expect((await uses.changeStrategy(caller, ID, { enabled: false })).state).toBe("off");
    expect(memory.nextSlots.has(ID)).toBe(false);
    clock.at += 10 * MINUTE_MS;
    const later = { ...caller, receivedAt: clock.at };
    expect((await uses.changeStrategy(later, ID, { enabled: true })).nextAt).toBe(
      clock.at + MINUTE_MS,
    );
    expect(memory.nextSlots.get(ID)).toBe(clock.at + MINUTE_MS);
  });

  test("is checked as a whole, and what is wrong is not kept", async () => {
    const before = kept();
    const error = await refusal(uses.changeStrategy(caller, ID, { barCount: 2 }));
    expect(pathsOf(error)).toEqual(["indicators.average"]);
    expect(kept()).toEqual(before);
  });

  test("to trading beside another one on its market is refused", async () => {
    memory.put(strategy({ strategyId: OTHER_ID, symbol: "NQZ6", mode: "observe" }));
    const change = uses.changeStrategy(caller, OTHER_ID, { mode: "trade" });
    expect((await refusal(change)).spec.code).toBe("STRATEGY_CONFLICT");
    expect(kept(OTHER_ID)?.mode).toBe("observe");
    await uses.changeStrategy(caller, ID, { enabled: false });
    await uses.changeStrategy(caller, OTHER_ID, { mode: "trade" });
    const back = uses.changeStrategy(caller, ID, { enabled: true });
    expect((await refusal(back)).spec.code).toBe("STRATEGY_CONFLICT");
  });

  test("to off is possible when its contract has expired meanwhile", async () => {
    memory.put(strategy({ symbol: "NQH6" }));
    await uses.changeStrategy(caller, ID, { enabled: false });
    expect(kept()?.enabled).toBe(false);
  });

  test("is made to what others left, however often they change it meanwhile", async () => {
    memory.beforeWrite = () => {
      if (memory.writes === 1) memory.put(strategy({ version: 8, qty: 9 }));
    };
    const { strategy: is } = await uses.changeStrategy(caller, ID, { name: "Mine" });
    expect(is).toMatchObject({ name: "Mine", qty: 9, version: 9 });
  });

  test("is given up after 5 tries", async () => {
    disturb(4);
    await uses.changeStrategy(caller, ID, { name: "Mine" });
    expect(memory.writes).toBe(5);
    memory.writes = 0;
    disturb(5);
    const error = await refusal(uses.changeStrategy(caller, ID, { name: "Other" }));
    expect(error.spec).toMatchObject({ code: "CHANGED_MEANWHILE", status: 409, retry: "safe" });
    expect([kept()?.name, memory.writes]).toEqual(["Mine", 5]);
  });

  test("of one that is removed meanwhile is NOT_FOUND", async () => {
    memory.beforeWrite = () => {
      memory.kept.delete(ID);
      memory.put(strategy({ strategyId: OTHER_ID, symbol: "ES" }));
    };
    expect((await refusal(uses.changeStrategy(caller, ID, {}))).spec.code).toBe("NOT_FOUND");
    expect(kept()).toBeUndefined();
  });
});

describe("a strategy", () => {
  beforeEach(() => memory.put(strategy({ schedule: SCHEDULE }), NEXT));

  test("goes with its slots and its log", async () => {
    const slot = { strategyId: ID, slotAt: NEXT, openedAt: NEXT } as const;
    const { userId, accountId } = strategy();
    const facts = { ...slot, userId, accountId, version: 1, trigger: "schedule" } as const;
    const missed = { ...facts, evaluationId: "i1", verdict: "missed" } as Parameters<
      typeof memory.log.end
    >[0];
    await memory.log.open(missed);
    await memory.log.end(missed);
    expect(memory.ended(ID)).toHaveLength(1);
    await uses.deleteStrategy(caller, ID);
    expect([kept(), memory.nextSlots.size, memory.logs.size]).toEqual([undefined, 0, 0]);
    expect((await refusal(uses.deleteStrategy(caller, ID))).spec.code).toBe("NOT_FOUND");
  });

  test("is deleted however often others are changed meanwhile, up to 5 tries", async () => {
    disturb(5);
    expect((await refusal(uses.deleteStrategy(caller, ID))).spec.code).toBe("CHANGED_MEANWHILE");
    expect(kept()).toBeDefined();
    memory.writes = 0;
    disturb(4);
    await uses.deleteStrategy(caller, ID);
    expect(kept()).toBeUndefined();
  });

  test("of another user is not there: the same answer as for none", async () => {
    for (const [who, id] of [
      [stranger, ID],
      [caller, OTHER_ID],
    ] as const) {
      for (const answer of [
        uses.findStrategy(who, id),
        uses.changeStrategy(who, id, { name: "Mine" }),
        uses.deleteStrategy(who, id),
      ]) {
        const error = await refusal(answer);
        expect([error.spec.code, error.message]).toEqual([
          "NOT_FOUND",
          "There is no such strategy",
        ]);
      }
    }
    expect(kept()?.name).toBe("Above its average");
  });

  test("is listed with one's own only, oldest first", async () => {
    memory.put(strategy({ strategyId: OTHER_ID, userId: STRANGER }));
    memory.put(strategy({ strategyId: strategyId("st_3"), enabled: false }));
    const ids = (views: Awaited<ReturnType<typeof uses.listStrategies>>) =>
      views.map((view) => `${view.strategy.strategyId} ${view.state}`);
    expect(ids(await uses.listStrategies(caller))).toEqual(["st_1 scheduled", "st_3 off"]);
    expect(ids(await uses.listStrategies(stranger))).toEqual(["st_2 onRequest"]);
  });
});
