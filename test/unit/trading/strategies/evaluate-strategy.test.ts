import { beforeEach, describe, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { Outcome } from "../../../../src/domain/intent.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { errors, GatewayError } from "../../../../src/errors.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  createEvaluateStrategy,
  type EvaluateStrategy,
} from "../../../../src/trading/strategies/evaluate-strategy.ts";
import type { LoggedEvaluation } from "../../../../src/trading/strategies/ports.ts";
import type { EvaluationRequest } from "../../../../src/trading/strategies/strategy-requests.ts";
import { DENIED, DONE, MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies } from "./memory-strategies.ts";
import {
  ACCOUNT,
  accountsOf,
  BrokerInHand,
  caller,
  CONNECTION,
  contracts,
  FALLING,
  ID,
  NOW,
  NQ,
  openCompute,
  OTHER_ID,
  pathsOf,
  position,
  refusal,
  RISING,
  stored,
  strategy,
  stranger,
  ticketsOf,
} from "./strategy-kit.ts";

let memory: MemoryStrategies;
let lane: MemoryLane;
let broker: BrokerInHand;
let told: LoggedEvaluation[];
let isDown: boolean;
let active: boolean;
/** What was open in the log at the moment in which the lane was asked. */
let openWhenAsked: string[];

beforeEach(() => {
  const clock = new Clock();
  memory = new MemoryStrategies(clock);
  lane = new MemoryLane(clock);
  broker = new BrokerInHand();
  [told, isDown, active, openWhenAsked] = [[], false, true, []];
});

async function open(): Promise<EvaluateStrategy> {
  const known = [stored(ACCOUNT, { active })];
  let [last, elapsed] = [0, 0];
  return createEvaluateStrategy({
    strategies: memory.strategies,
    log: memory.log,
    compute: await openCompute(broker, known),
    contracts,
    accounts: await accountsOf(known),
    requireConnection: (connection) => {
      if (isDown) throw errors.brokerUnavailable(undefined, connection);
    },
    answer: async (...asked) => {
      openWhenAsked.push(...memory.open.keys());
      return await lane.answer(...asked);
    },
    newIntentId: () => intentId(`i${(last += 1)}`),
    observer: { evaluated: (_, evaluation) => void told.push(evaluation) },
    elapsed: () => (elapsed += 20),
  });
}

async function evaluate(
  request: EvaluationRequest = {},
  change: Partial<Strategy> = {},
): Promise<LoggedEvaluation> {
  memory.put(strategy(change));
  return await (
    await open()
  )(caller, ID, request);
}

/** What is in the log, as everybody is told it. */
const logged = () => memory.ended(ID);

describe("a strategy that trades", () => {
  test("does what it decides, and tells and logs what became of it", async () => {
    const ended = await evaluate();
    expect(ended).toMatchObject({
      evaluationId: "i1",
      strategyId: ID,
      version: 1,
      trigger: "request",
      openedAt: NOW,
      verdict: "enterLong",
      targetQty: 2,
      sends: true,
      outcome: DONE,
      durationMs: 20,
    });
    expect(logged()).toMatchObject([{ evaluationId: "i1", verdict: "enterLong", outcome: DONE }]);
    expect(told).toMatchObject([{ evaluationId: "i1", outcome: DONE }]);
    expect(memory.open.size).toBe(0);
  });

  test("sends one adjustment with the id of its evaluation, in its caller's name", async () => {
    await evaluate();
    expect(lane.asked).toEqual([
      {
        accountId: ACCOUNT,
        intentId: "i1",
        kind: "strategy",
        intent: {
          kind: "ADJUST",
          contract: NQ,
          isFrontMonth: true,
          aim: {
            to: "enter",
            side: "BUY",
            qty: 2,
            whenHeld: "refuse",
            whenOpposite: "close",
            whenWorking: "refuse",
          },
          terms: { ordType: "MARKET", timeInForce: "DAY" },
          onlyWhen: ["FLAT"],
        },
      },
    ]);
  });

  test("is in the log before anything is sent", async () => {
    await evaluate();
    expect(openWhenAsked).toEqual(["i1"]);
  });

  test("sends again what it is asked again, each time as an evaluation of its own", async () => {
    memory.put(strategy());
    const run = await open();
    await run(caller, ID, {});
    await run(caller, ID, {});
    expect(lane.asked.map((one) => one.intentId)).toEqual(["i1", "i2"]);
  });

  test("closes what it holds, on bars of the request", async () => {
    broker.held = [position(NQ, 3)];
    await evaluate({ bars: ticketsOf(FALLING) });
    expect(lane.accepted).toMatchObject([
      { kind: "ADJUST", aim: { to: "close", percent: 100, holding: "LONG" } },
    ]);
  });

  test.each<Outcome>([
    DENIED,
    { kind: "rejected", reason: "Margin" },
    { kind: "notSent", reason: "The link is down" },
    { kind: "withdrawn", reason: "Nobody waits" },
  ])("that is not carried out tells why: %j", async (outcome) => {
    lane.outcome = outcome;
    expect(await evaluate()).toMatchObject({ verdict: "enterLong", sends: true, outcome });
    expect(logged()).toMatchObject([{ outcome }]);
  });

  test("whose outcome is not known in time is pending: answered, and left open", async () => {
    lane.outcome = undefined;
    const ended = await evaluate();
    expect(ended).toMatchObject({ verdict: "enterLong", sends: true });
    expect(Object.keys(ended)).not.toContain("outcome");
    expect([logged(), memory.open.size]).toEqual([[], 1]);
  });

  test("sends nothing where nothing is to change", async () => {
    broker.held = [position(NQ, 1)];
    const ended = await evaluate();
    expect(ended).toMatchObject({ verdict: "hold" });
    expect([ended.sends, ended.heldBack, ended.outcome]).toEqual([undefined, undefined, undefined]);
    expect([lane.asked, logged().length]).toEqual([[], 1]);
  });

  test.each<[string, () => void, string]>([
    ["stale", () => (broker.told = RISING.map((bar) => ({ ...bar, startsAt: 0 }))), "stale"],
    ["failed", () => (broker.fault = new BrokerReadError("The session is gone")), "failed"],
    ["not ready", () => (broker.told = []), "notReady"],
  ])(
    "sends nothing where it is %s, which is an answer and in the log",
    async (_, arrange, verdict) => {
      arrange();
      expect(await evaluate()).toMatchObject({ verdict });
      expect(logged()).toMatchObject([{ verdict }]);
      expect(lane.asked).toEqual([]);
    },
  );
});

describe("a strategy is evaluated and sends nothing", () => {
  test.each<[string, EvaluationRequest, Partial<Strategy>, object]>([
    ["on a dry run", { dryRun: true }, {}, { dryRun: true }],
    ["on a dry run while it is off", { dryRun: true }, { enabled: false }, { dryRun: true }],
    ["while it observes", {}, { mode: "observe" }, { heldBack: "observe" }],
    ["while it is off", {}, { enabled: false }, { heldBack: "off" }],
    ["while it is off and observes", {}, { enabled: false, mode: "observe" }, { heldBack: "off" }],
  ])("%s", async (_, request, change, expected) => {
    const ended = await evaluate(request, change);
    expect(ended).toMatchObject({ verdict: "enterLong", targetQty: 2, ...expected });
    expect([ended.sends, ended.outcome]).toEqual([undefined, undefined]);
    expect(lane.asked).toEqual([]);
    expect(logged()).toMatchObject([{ evaluationId: "i1", ...expected }]);
  });

  test("whatever its account and connection are like", async () => {
    [active, isDown] = [false, true];
    expect(await evaluate({ dryRun: true })).toMatchObject({ verdict: "enterLong" });
    expect(await evaluate({}, { mode: "observe" })).toMatchObject({ heldBack: "observe" });
    broker.held = [position(NQ, 1)];
    expect(await evaluate()).toMatchObject({ verdict: "hold" });
  });
});

describe("what cannot be sent", () => {
  const notSent = (reason: RegExp) => ({
    evaluationId: "i1",
    verdict: "enterLong",
    sends: true,
    outcome: { kind: "notSent", reason: expect.stringMatching(reason) },
  });

  test("because the account is inactive is 403, and in the log", async () => {
    active = false;
    const error = await refusal(evaluate());
    expect(error.spec).toMatchObject({ code: "ACCOUNT_INACTIVE", status: 403 });
    expect(logged()).toMatchObject([notSent(/^Account is inactive$/)]);
    expect([lane.asked, memory.open.size]).toEqual([[], 0]);
  });

  test("because the connection is down is 503, and in the log", async () => {
    isDown = true;
    const error = await refusal(evaluate());
    expect(error.spec).toMatchObject({ code: "BROKER_UNAVAILABLE", status: 503, retry: "safe" });
    expect(logged()).toMatchObject([notSent(new RegExp(`"${CONNECTION}" is not available`))]);
    expect([lane.asked, memory.open.size]).toEqual([[], 0]);
  });

  test("because its bracket does not fit its contract any more is 400, and in the log", async () => {
    const error = await refusal(evaluate({}, { bracket: { stopLoss: { offset: "0.1" } } }));
    expect(pathsOf(error)).toEqual(["bracket.stopLoss.offset"]);
    expect(logged()).toMatchObject([notSent(/stopLoss/)]);
  });

  test.each<[string, Error]>([
    ["it is known that nothing was written", errors.storeUnavailable(undefined)],
    ["it is not known", new GatewayError("INTERNAL_ERROR", "The store did not answer")],
    ["nobody foresaw it", new TypeError("a bug")],
  ])(
    "because the store failed is that error, and stays open for the sweep: %s",
    async (_, fault) => {
      lane.fault = fault;
      await expect(evaluate()).rejects.toBe(fault);
      expect(logged()).toEqual([]);
      expect(await memory.log.findOpen(intentId("i1"))).toMatchObject({
        verdict: "enterLong",
        sends: true,
      });
    },
  );
});

describe("a request that is wrong", () => {
  test("names what is wrong with its bars, and is not in the log", async () => {
    const bars = ticketsOf(RISING).map((bar) => ({ ...bar, open: "0.1" }));
    const error = await refusal(evaluate({ bars }));
    expect(pathsOf(error)[0]).toBe("bars.0.open");
    expect([logged(), memory.open.size]).toEqual([[], 0]);
  });

  test("names a symbol that has expired", async () => {
    const error = await refusal(evaluate({}, { symbol: "NQH6" }));
    expect(error.spec.code).toBe("UNKNOWN_SYMBOL");
    expect([logged(), memory.open.size]).toEqual([[], 0]);
  });

  test("for another's strategy, or none, is NOT_FOUND", async () => {
    memory.put(strategy());
    const run = await open();
    for (const answer of [run(stranger, ID, {}), run(caller, OTHER_ID, {})]) {
      expect((await refusal(answer)).spec.code).toBe("NOT_FOUND");
    }
    expect(lane.asked).toEqual([]);
  });
});
