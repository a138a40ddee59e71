import { beforeEach, describe, expect, test } from "vitest";
import type { Bar } from "../../../../src/domain/strategies/bar.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import type { Decided } from "../../../../src/trading/strategies/compute-decision.ts";
import type { Evaluation } from "../../../../src/trading/strategies/ports.ts";
import type {
  BarTicket,
  EvaluationRequest,
} from "../../../../src/trading/strategies/strategy-requests.ts";
import {
  ACCOUNT,
  barsAt,
  BrokerInHand,
  CONNECTION,
  ES,
  evaluation,
  FALLING,
  MINUTE_MS,
  NOW,
  NQ,
  NQ_NEXT,
  openCompute,
  pathsOf,
  position,
  refusal,
  RISING,
  SCHEDULE,
  stored,
  strategy,
  ticketsOf,
} from "./strategy-kit.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

let broker: BrokerInHand;

beforeEach(() => {
  broker = new BrokerInHand();
});

interface Case {
  readonly strategy?: Partial<Strategy>;
  readonly evaluation?: Partial<Evaluation>;
  readonly given?: Pick<EvaluationRequest, "bars" | "position">;
  readonly accounts?: readonly StoredAccount[];
}

async function compute(with_: Case = {}): Promise<Decided> {
  const run = await openCompute(broker, with_.accounts);
  return await run(strategy(with_.strategy), evaluation(with_.evaluation), with_.given);
}

const SLOT = { trigger: "schedule", slotAt: NOW } as const;
const onBars = (bars: readonly Bar[], change: Case = {}) =>
  compute({ ...change, given: { ...change.given, bars: ticketsOf(bars) } });

describe("a decision", () => {
  test("tells all that it was made of", async () => {
    expect(await compute()).toEqual({
      ...evaluation(),
      contract: NQ,
      barsEndAt: NOW,
      barCount: 4,
      netQty: 0,
      inputsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      values: { average: 20_002 },
      conditions: { enterLong: true, exitLong: false },
      verdict: "enterLong",
      reason: expect.stringContaining("enterLong is true"),
      targetQty: 2,
      computeMs: 7,
    });
  });

  test.each<[string, readonly Bar[], number, Decided["verdict"], number | undefined]>([
    ["rising and flat", RISING, 0, "enterLong", 2],
    ["rising and long", RISING, 1, "hold", undefined],
    ["rising and short", RISING, -1, "enterLong", 2],
    ["falling and flat", FALLING, 0, "hold", undefined],
    ["falling and long", FALLING, 3, "exit", 0],
    ["falling and short", FALLING, -3, "hold", undefined],
  ])("is by bars and position: %s", async (_, bars, netQty, verdict, targetQty) => {
    broker.told = bars;
    broker.held = netQty === 0 ? [] : [position(NQ, netQty)];
    const decided = await compute();
    expect([decided.verdict, decided.targetQty, decided.netQty]).toEqual([
      verdict,
      targetQty,
      netQty,
    ]);
    // What is given in the request decides alike, whatever the account holds.
    broker.held = [position(NQ, 9)];
    const given = { position: { netQty, averagePrice: netQty === 0 ? 0 : 20_000 } };
    expect(await onBars(bars, { given })).toMatchObject({ verdict, netQty });
  });

  test("to enter short wants as many contracts below zero", async () => {
    const conditions = { enterShort: "close[0] < average[0]" };
    const decided = await onBars(FALLING, { strategy: { conditions, qty: 3 } });
    expect(decided).toMatchObject({ verdict: "enterShort", targetQty: -3 });
  });

  test("is asked of the account's own broker for as many bars as are looked at", async () => {
    await compute({ strategy: { barCount: 3, barMinutes: 5 } });
    expect(broker.asked).toEqual([[CONNECTION, ACCOUNT, { contract: NQ, minutes: 5, count: 3 }]]);
    expect((await compute({ strategy: { barCount: 3 } })).barCount).toBe(3);
  });

  test.each<[string, string, readonly ContractCode[], ContractCode]>([
    ["the front month while nothing is held", "NQ", [], NQ],
    ["the month that is held", "NQ", [NQ_NEXT], NQ_NEXT],
    ["the front month where several are held", "NQ", [NQ_NEXT, NQ], NQ],
    ["the month that was named", "NQZ6", [NQ_NEXT], NQ],
    ["the front month beside another market's", "NQ", [ES], NQ],
  ])("is made on bars of %s", async (_, symbol, held, expected) => {
    broker.held = held.map((contract) => position(contract, 1));
    const { contract } = await compute({ strategy: { symbol } });
    expect([contract, broker.asked.map(([, , request]) => request.contract)]).toEqual([
      expected,
      [expected],
    ]);
    // Bars that are given are of nobody knows which month.
    expect((await onBars(RISING, { strategy: { symbol } })).contract).toBe(NQ);
  });

  test("on bars that were given asks no broker, and takes the newest of them", async () => {
    const long = barsAt([1, 2, 20_000, 20_001, 20_002, 20_003]);
    expect(await onBars(long, { strategy: { barCount: 4 } })).toMatchObject({
      barCount: 4,
      barsEndAt: NOW,
      values: { average: 20_002 },
    });
    expect(broker.asked).toEqual([]);
  });
});

describe("bars that were given", () => {
  const BARS = ticketsOf(RISING);
  const [FIRST, SECOND] = BARS as [BarTicket, BarTicket, ...BarTicket[]];
  const given = (...bars: BarTicket[]) => compute({ given: { bars } });

  test.each<[string, readonly BarTicket[], readonly string[]]>([
    ["prices between two ticks", [{ ...FIRST, open: 20_000.1 }], ["bars.0.open"]],
    ["a price that is no number", [{ ...FIRST, close: "x" }], ["bars.0.close"]],
    ["a high below the close", [FIRST, { ...SECOND, high: 20_000.75 }], ["bars.1.high"]],
    ["a low above the open", [{ ...FIRST, high: 20_005, low: 20_000.25 }], ["bars.0.low"]],
    ["two at one time", [FIRST, { ...SECOND, startsAt: FIRST.startsAt }], ["bars.1.time"]],
    ["the newest first", [SECOND, FIRST], ["bars.1.time"]],
    ["bars that overlap", [FIRST, { ...SECOND, startsAt: SECOND.startsAt - 1 }], ["bars.1.time"]],
    [
      "several wrong ones",
      [
        { ...FIRST, open: "1.1", low: "2.2" },
        { ...SECOND, startsAt: 0, high: 1 },
      ],
      ["bars.0.open", "bars.0.low", "bars.1.high", "bars.1.time"],
    ],
  ])("are refused at their places: %s", async (_, bars, paths) => {
    const error = await refusal(given(...bars));
    expect(error.spec.code).toBe("VALIDATION_FAILED");
    expect(pathsOf(error)).toEqual(paths);
  });

  test("may have gaps, be as old as they are, and come as text or numbers", async () => {
    const old = ticketsOf(barsAt([1, 2, 3, 5], NOW - 90 * 86_400_000));
    const [first, ...rest] = old as [BarTicket, ...BarTicket[]];
    const gap = { ...first, startsAt: first.startsAt - 86_400_000 };
    expect(await given(gap, ...rest)).toMatchObject({ verdict: "enterLong", barCount: 4 });
  });

  test("name 20 problems at most", async () => {
    const wrong = Array.from({ length: 50 }, (_, n) => ({
      ...FIRST,
      startsAt: n * 5 * MINUTE_MS,
      open: "0.1",
    }));
    const error = await refusal(given(...wrong));
    expect(error.details).toHaveLength(20);
  });

  test("that are none yet are not ready", async () => {
    expect(await given()).toMatchObject({ verdict: "notReady", contract: NQ });
  });
});

describe("an evaluation that cannot decide", () => {
  test.each<[string, () => void, Decided["verdict"], RegExp]>([
    ["its broker tells no bars", () => (broker.told = undefined), "failed", /tells .* no bars/],
    [
      "its broker cannot be read",
      () => (broker.fault = new BrokerReadError("The session is gone")),
      "failed",
      /could not be read: The session is gone/,
    ],
    ["there is no bar yet", () => (broker.told = []), "notReady", /no bars yet/],
    ["there are too few bars", () => (broker.told = RISING.slice(2)), "notReady", /too few/],
    [
      "the newest bar is too old",
      () => (broker.told = barsAt([1, 2, 3, 4], NOW - 10 * MINUTE_MS)),
      "stale",
      /too old/,
    ],
  ])("says why: %s", async (_, arrange, verdict, reason) => {
    arrange();
    for (const change of [{}, SLOT]) {
      const decided = await compute({ evaluation: change });
      expect(decided).toMatchObject({ ...evaluation(change), verdict, contract: NQ });
      expect(decided.reason).toMatch(reason);
      expect(decided.targetQty).toBeUndefined();
    }
  });

  test("because no broker reports its account says so", async () => {
    const decided = await compute({ accounts: [] });
    expect(decided).toMatchObject({ verdict: "failed", reason: "No broker reports its account" });
  });

  test("because a condition has no value says which", async () => {
    const conditions = { enterLong: "1 / 0 > 1", exitLong: "true" };
    const decided = await compute({ strategy: { conditions } });
    expect(decided.verdict).toBe("failed");
    expect(decided.reason).toMatch(/^enterLong has no value/);
    expect(decided.inputsHash).toBeDefined();
  });

  test("not because of a condition that is no matter to what is held", async () => {
    const conditions = { enterLong: "true", exitLong: "1 / 0 > 1" };
    const decided = await compute({ strategy: { conditions } });
    expect(decided).toMatchObject({ verdict: "enterLong", conditions: { enterLong: true } });
  });

  test("not because of an entry, where an exit is true", async () => {
    const conditions = { enterShort: "close[400] > 1", exitLong: "true" };
    broker.held = [position(NQ, 2)];
    const decided = await compute({ strategy: { conditions, barCount: 500 } });
    expect(decided).toMatchObject({ verdict: "exit", targetQty: 0 });
    const staying = { ...conditions, exitLong: "false" };
    const undecided = await compute({ strategy: { conditions: staying, barCount: 500 } });
    expect(undecided.verdict).toBe("notReady");
  });

  test("nor because of an exit, where the position is turned", async () => {
    const conditions = { enterShort: "true", exitLong: "1 / 0 > 1" };
    broker.held = [position(NQ, 2)];
    expect(await compute({ strategy: { conditions } })).toMatchObject({
      verdict: "enterShort",
      targetQty: -2,
    });
    // From flat either entry may keep the other from being taken.
    broker.held = [];
    const both = { enterShort: "true", enterLong: "1 / 0 > 1" };
    expect((await compute({ strategy: { conditions: both } })).verdict).toBe("failed");
  });

  test("is stale from two bars of silence on, and not before", async () => {
    const endedAgo = async (ms: number) => {
      broker.told = barsAt([1, 2, 3, 4], NOW - ms);
      return (await compute()).verdict;
    };
    expect(await endedAgo(10 * MINUTE_MS)).toBe("stale");
    expect(await endedAgo(10 * MINUTE_MS - 1)).toBe("enterLong");
    expect(await endedAgo(0)).toBe("enterLong");
  });

  test("throws an error that nobody foresaw", async () => {
    broker.fault = new TypeError("a bug");
    await expect(compute()).rejects.toThrow(TypeError);
  });
});

describe("a symbol that has expired", () => {
  const expired = { strategy: { symbol: "NQH6" } } as const;

  test("fails a slot, with its reason", async () => {
    const decided = await compute({ ...expired, evaluation: SLOT });
    expect(decided).toMatchObject({ ...evaluation(SLOT), verdict: "failed" });
    expect(decided.reason).toMatch(/^Its symbol: .*expired/);
    expect(decided.contract).toBeUndefined();
    expect(broker.asked).toEqual([]);
  });

  test("is UNKNOWN_SYMBOL for whoever asks", async () => {
    const error = await refusal(compute(expired));
    expect(error.spec).toMatchObject({ code: "UNKNOWN_SYMBOL", status: 400 });
  });

  test("is judged by the time of the evaluation", async () => {
    const openedAt = Date.parse("2026-02-02T15:00:00Z");
    broker.told = barsAt([1, 2, 3, 4], openedAt);
    const decided = await compute({ ...expired, evaluation: { ...SLOT, openedAt } });
    expect(decided).toMatchObject({ verdict: "enterLong", contract: "NQH2026" });
  });
});

describe("the position", () => {
  const positionOf = async (
    symbol: string,
    ...held: readonly [ContractCode, number, number?][]
  ) => {
    broker.held = held.map(([contract, netQty, price]) => position(contract, netQty, price));
    // Whatever it is that is held, its average is looked at by the condition.
    const conditions = { enterLong: "position.averagePrice > 15000.0" };
    const { netQty, conditions: isTrue } = await compute({ strategy: { symbol, conditions } });
    return [netQty, isTrue?.enterLong];
  };

  test.each<[string, string, readonly (readonly [ContractCode, number, number?])[], unknown]>([
    ["nothing", "NQ", [], [0, false]],
    ["the front month", "NQ", [[NQ, 2]], [2, true]],
    ["another month, by the root", "NQ", [[NQ_NEXT, -2]], [-2, true]],
    ["another month, by a month's name", "NQZ6", [[NQ_NEXT, -2]], [0, false]],
    [
      "several months, by the root: all of them, without an average",
      "NQ",
      [
        [NQ, 1],
        [NQ_NEXT, 2],
      ],
      [3, undefined],
    ],
    [
      "several months, by a month's name: its own",
      "NQH7",
      [
        [NQ, 1],
        [NQ_NEXT, 2],
      ],
      [2, true],
    ],
    [
      "two months against each other",
      "NQ",
      [
        [NQ, 1],
        [NQ_NEXT, -1],
      ],
      [0, false],
    ],
    ["another market", "NQ", [[ES, 5]], [0, false]],
    ["at a lower price", "NQ", [[NQ, 2, 14_000]], [2, false]],
  ])("is what its symbol means: %s", async (_, symbol, held, expected) => {
    const found = await positionOf(symbol, ...(held as [ContractCode, number, number?][]));
    expect(found).toEqual(expected);
  });

  test("has the exact average of its fills", async () => {
    const conditions = {
      enterLong: "position.averagePrice == 20000.375 && position.side == 'long'",
    };
    const avgPx = { numerator: 80_000 + 80_003, denominator: 2 };
    broker.held = [{ contract: NQ, netQty: 2, avgPx }];
    const { conditions: isTrue } = await compute({ strategy: { conditions } });
    expect(isTrue?.enterLong).toBe(true);
  });
});

describe("the hash of what was looked at", () => {
  const hashOf = async (change: Case = {}) => {
    const { inputsHash } = await compute(change);
    if (inputsHash === undefined) throw new Error("it has none");
    return inputsHash;
  };
  const base = strategy();

  test("is the same for the same, whenever and whoever asks", async () => {
    const one = await hashOf();
    expect(await hashOf()).toBe(one);
    expect(await hashOf({ evaluation: { ...SLOT, openedAt: NOW + 1_000 } })).toBe(one);
    // What decides nothing changes nothing.
    const change = { name: "Other", qty: 7, mode: "observe", bracket: {}, version: 9 } as const;
    expect(await hashOf({ strategy: change })).toBe(one);
    expect(await hashOf({ strategy: { symbol: "NQZ6" } })).toBe(one);
  });

  test("is the same for bars of the broker and the same ones in a request", async () => {
    const bars = ticketsOf(RISING);
    expect(await hashOf({ given: { bars } })).toBe(await hashOf());
  });

  test("is the same for a position that is held and the same one in a request", async () => {
    broker.held = [position(NQ, 1)];
    const given = { position: { averagePrice: 20_000, netQty: 1 } };
    expect(await hashOf({ given })).toBe(await hashOf());
  });

  test("is the same for rules that are written in another order", async () => {
    const { exitLong = "", enterLong = "" } = base.conditions;
    const conditions = { exitLong, enterLong };
    const indicators = { average: { period: 3, type: "sma" } } as const;
    expect(await hashOf({ strategy: { conditions, indicators } })).toBe(await hashOf());
  });

  test.each<[string, Case]>([
    ["a condition", { strategy: { conditions: { enterLong: "close[0] > average[1]" } } }],
    ["an indicator", { strategy: { indicators: { average: { type: "sma", period: 2 } } } }],
    [
      "an indicator's name",
      { strategy: { indicators: { ...base.indicators, b: { type: "sma", period: 3 } } } },
    ],
    ["how many bars it looks at", { strategy: { barCount: 19 } }],
    ["the bars", { given: { bars: ticketsOf(barsAt([20_000, 20_001, 20_002, 20_004])) } }],
    ["one volume", { given: { bars: ticketsOf(RISING).map((bar, n) => ({ ...bar, volume: n })) } }],
    [
      "when the bars were",
      { given: { bars: ticketsOf(barsAt([20_000, 20_001, 20_002, 20_003], NOW - MINUTE_MS)) } },
    ],
    ["the position", { given: { position: { netQty: 1, averagePrice: 20_000 } } }],
    ["the position's price", { given: { position: { netQty: 0, averagePrice: 1 } } }],
    ["the market", { strategy: { symbol: "MNQ" } }],
    ["the month", { strategy: { symbol: "NQH7" } }],
    ["the time zone", { strategy: { schedule: { ...SCHEDULE, timeZone: "Asia/Tokyo" } } }],
  ])("is another one with another part: %s", async (_, change) => {
    // Both on bars of a request where one is, so that nothing but the part differs.
    const inRequest =
      change.given?.bars === undefined ? {} : { given: { bars: ticketsOf(RISING) } };
    expect(await hashOf(change)).not.toBe(await hashOf(inRequest));
  });

  test("knows the exchange's own time zone where a schedule names none", async () => {
    expect(await hashOf({ strategy: { schedule: SCHEDULE } })).toBe(await hashOf());
    const reads = { conditions: { enterLong: "time.hour == 9" } };
    expect((await compute({ strategy: reads })).verdict).toBe("enterLong");
    const tokyo = { ...reads, schedule: { ...SCHEDULE, timeZone: "Asia/Tokyo" } };
    expect((await compute({ strategy: tokyo })).verdict).toBe("hold");
  });
});

test("an account that its broker stopped is evaluated all the same", async () => {
  const accounts = [stored(ACCOUNT, { active: false })];
  expect((await compute({ accounts })).verdict).toBe("enterLong");
});
