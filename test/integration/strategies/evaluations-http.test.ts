// The goal: an evaluation decides by its bars and position alone, carries out no more than its strategy is
// set to, doubles nothing, and tells what became of it at once and in the log.
// The method: evaluations over HTTP on the whole gateway, on bars in the request and on the broker's own;
// look into the paper broker's accounts after each.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import {
  accountNames,
  frontMonth,
  quarterAfter,
  startGateway,
  type TestGateway,
} from "../../support/gateway.ts";
import type { Bar } from "../../../src/domain/strategies/bar.ts";
import { waitUntil } from "../../support/wait.ts";
import {
  type Answered,
  barsAround,
  closingAt,
  openStrategyDesk,
  refusalOf,
  termsOf,
} from "./strategy-desk.ts";

const MNQ = frontMonth("MNQ");
const MES = frontMonth("MES");
const nextAccount = accountNames(60);
const BRACKET = { takeProfit: { ticks: 80 }, stopLoss: { offset: 10 } };
const [LONG, NEUTRAL, SHORT] = [25_010, 24_990, 24_890];

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

async function openGateway(): Promise<TestGateway> {
  const own = await startGateway();
  onTestFinished(own.stop);
  return own;
}

/** A strategy that trades an account of its own. */
async function openTrader(terms: object = {}, account: string = nextAccount(), on = gateway) {
  const own = { ...termsOf(account), mode: "trade", ...terms };
  const desk = await openStrategyDesk(() => on.api, own);
  return {
    ...desk,
    account,
    positions: async () => await on.broker.positions(account),
    working: async () => await on.broker.working(account),
    filled: async () => await on.broker.filled(account),
    intent: async (id: string): Promise<Answered> =>
      (await on.api.get(`/v1/accounts/${account}/intents/${id}`)).body,
    /** Evaluates on bars of which the newest closes there; the log has to tell the same. */
    told: async (close: number, request: object = {}): Promise<Answered> => {
      const answer = await desk.at(close, request);
      const [newest] = await desk.log();
      const { endedAt: _, durationMs: __, ...facts } = answer;
      expect(newest).toMatchObject(facts);
      return answer;
    },
  };
}

/** Whether an account is open for trading, and whether its broker is connected. */
async function standing(account: string) {
  const { accounts } = (await gateway.api.get("/v1/accounts")).body;
  const found = accounts.find(({ id }: Answered) => id === account);
  return {
    isActive: found.active as boolean,
    isConnected: found.connectionStatus === "CONNECTED",
  };
}

async function untilActive(account: string, isActive: boolean): Promise<void> {
  await waitUntil(`${account} is ${isActive ? "active" : "inactive"}`, async () => {
    const now = await standing(account);
    return now.isConnected && now.isActive === isActive;
  });
}

/** The link to the broker is lost until the returned function is called. */
async function loseLink(account: string): Promise<() => void> {
  // Only a session that is up can be broken.
  await untilActive(account, true);
  const letIn = gateway.loseBroker();
  await waitUntil("the link is lost", async () => !(await standing(account)).isConnected);
  return letIn;
}

describe("a dry run", () => {
  test.each([
    [LONG, 0, "enterLong", 2],
    [LONG, 3, "hold", null],
    [LONG, -1, "enterLong", 2],
    [NEUTRAL, 0, "hold", null],
    [NEUTRAL, 2, "exit", 0],
    [NEUTRAL, -2, "exit", 0],
    [SHORT, 0, "enterShort", -2],
    [SHORT, 1, "enterShort", -2],
  ])("at %d holding %d decides %s", async (close, netQty, decision, targetQty) => {
    const { told, filled } = await openTrader({ qty: 2, bracket: BRACKET });
    const answer = await told(close, { dryRun: true, position: { netQty, averagePrice: 25_000 } });
    expect(answer).toMatchObject({
      trigger: "request",
      dryRun: true,
      decision,
      targetQty,
      heldQty: netQty,
      outcome: targetQty === null ? "none" : "dryRun",
      outcomeReason: null,
      intentId: null,
      symbol: MNQ.symbol,
      slotAt: null,
      barCount: 3,
      inputsHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      conditions: { enterLong: close === LONG, enterShort: close === SHORT },
    });
    expect(await filled()).toEqual({ qty: 0, orders: 0 });
  });

  test("again on the same bars and position is the same, on others it is not", async () => {
    const indicators = { mean: { type: "sma", period: 3 }, range: { type: "donchian", period: 2 } };
    const { at } = await openTrader({ indicators });
    const bars = closingAt(LONG, 5);
    const dry = { bars, dryRun: true, position: { netQty: 1, averagePrice: 25_000.25 } };
    const [one, two] = [await at(0, dry), await at(0, dry)];
    const { inputsHash, values, decision } = one;
    expect(two).toMatchObject({ inputsHash, values, decision });
    expect(values).toEqual({
      mean: 25_009.75,
      range: { upper: 25_010, middle: 25_009.875, lower: 25_009.75 },
    });
    const other = await at(0, { ...dry, position: { netQty: 2, averagePrice: 25_000.25 } });
    expect(other.inputsHash).not.toBe(inputsHash);
  });

  test("looks at the newest bars only, and says when they are too few", async () => {
    const { at } = await openTrader({
      barCount: 4,
      indicators: { mean: { type: "sma", period: 4 } },
    });
    const position = { netQty: 0 };
    const of = (count: number) => ({ bars: closingAt(LONG, count), dryRun: true, position });
    expect(await at(0, of(20))).toMatchObject({ barCount: 4, values: { mean: 25_009.625 } });
    expect(await at(0, of(3))).toMatchObject({ decision: "enterLong", values: { mean: null } });
    const waits = await openTrader({
      indicators: { mean: { type: "sma", period: 4 } },
      conditions: { enterLong: "close[0] > mean[0]" },
    });
    expect(await waits.told(0, of(3))).toMatchObject({
      decision: "notReady",
      outcome: "none",
      reason: "enterLong asks for values that are not there yet: 3 bars are too few",
    });
  });

  test("of a condition without a value failed", async () => {
    const { told } = await openTrader({
      conditions: { enterLong: "volume[0] / 0.0 > 1.0 && 1 / int(volume[0] - 1.0) > 0" },
    });
    const answer = await told(LONG, { dryRun: true });
    expect([answer.decision, answer.outcome]).toEqual(["failed", "none"]);
    expect(answer.reason).toMatch(/enterLong has no value/);
  });
});

describe("a strategy that trades", () => {
  test("enters with its bracket, once, and leaves with all of it", async () => {
    const { told, positions, working, filled, intent, read } = await openTrader({
      qty: 2,
      bracket: BRACKET,
    });
    const entered = await told(LONG);
    expect(entered).toMatchObject({
      decision: "enterLong",
      outcome: "done",
      outcomeReason: expect.stringMatching(/filled: 2 at 25000\.25$/) as string,
      targetQty: 2,
      heldQty: 0,
      intentId: entered.id as string,
      dryRun: false,
    });
    expect(await positions()).toEqual({ [MNQ.code]: 2 });
    const legs = (await working()).map(({ side, ordType, orderQty, price, stopPx }) => {
      return [side, ordType, orderQty, price ?? stopPx];
    });
    // Filled at the ask, 100,001 ticks.
    expect(new Set(legs)).toEqual(
      new Set([
        ["SELL", "LIMIT", 2, 100_081],
        ["SELL", "STOP", 2, 99_961],
      ]),
    );
    expect(await intent(entered.intentId)).toMatchObject({ source: "strategy", state: "done" });
    expect((await read()).lastEvaluation).toMatchObject({
      id: entered.id as string,
      outcome: "done",
    });

    const again = await told(LONG);
    expect([again.decision, again.outcome, again.intentId]).toEqual(["hold", "none", null]);
    expect(await filled()).toEqual({ qty: 2, orders: 1 });

    const left = await told(NEUTRAL);
    expect([left.decision, left.outcome, left.heldQty, left.targetQty]).toEqual([
      "exit",
      "done",
      2,
      0,
    ]);
    expect([await positions(), await working()]).toEqual([{}, []]);
    expect(await filled()).toEqual({ qty: 4, orders: 2 });
  });

  test("turns by closing and then opening", async () => {
    const { told, positions, working, filled } = await openTrader({ qty: 2, bracket: BRACKET });
    await told(LONG);
    const turned = await told(SHORT);
    expect([turned.decision, turned.outcome, turned.targetQty]).toEqual(["enterShort", "done", -2]);
    expect(await positions()).toEqual({ [MNQ.code]: -2 });
    expect((await working()).map(({ side, orderQty }) => [side, orderQty])).toEqual([
      ["BUY", 2],
      ["BUY", 2],
    ]);
    expect(await filled()).toEqual({ qty: 6, orders: 3 });
    const left = await told(NEUTRAL);
    expect([left.decision, left.outcome]).toEqual(["exit", "done"]);
    expect([await positions(), await working()]).toEqual([{}, []]);
  });

  test("evaluated five times at once enters once", async () => {
    const { at, positions, filled } = await openTrader({ qty: 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, async () => await at(LONG)));
    const outcomes = answers.map(({ outcome }) => outcome as string);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    const others = outcomes.filter((outcome) => outcome !== "done");
    expect(["none", "denied"]).toEqual(expect.arrayContaining([...new Set(others)]));
    const denied = answers.filter(({ outcome }) => outcome === "denied");
    for (const { outcomeReason } of denied) expect(outcomeReason).toMatch(/\w/);
    expect(await positions()).toEqual({ [MNQ.code]: 2 });
    expect(await filled()).toEqual({ qty: 2, orders: 1 });
  });

  test("an entry that still works unfilled is not sent again", async () => {
    onTestFinished(() => gateway.quote(MNQ, 100_000));
    gateway.quote(MNQ, 100_000, 0);
    const { at, positions, working } = await openTrader({ qty: 2 });
    expect(await at(LONG)).toMatchObject({ decision: "enterLong", outcome: "done" });
    for (const _ of [1, 2]) {
      expect(await at(LONG)).toMatchObject({
        decision: "enterLong",
        outcome: "denied",
        outcomeReason: expect.stringContaining("works on that side already") as string,
      });
    }
    expect(await working()).toHaveLength(1);
    gateway.quote(MNQ, 100_000);
    await waitUntil("it is filled", async () => (await positions())[MNQ.code] === 2);
    expect(await at(LONG)).toMatchObject({ decision: "hold" });
  });

  test("leaves a position in another month where it is held", async () => {
    const { told, positions, account } = await openTrader();
    gateway.quote(quarterAfter(MNQ), 100_400);
    const { symbol, code } = quarterAfter(MNQ);
    const buy = { symbol, action: "buy", qty: 1 };
    expect((await gateway.api.post(`/v1/accounts/${account}/orders`, buy)).status).toBe(201);
    expect(await positions()).toEqual({ [code]: 1 });
    const held = await told(LONG);
    expect([held.decision, held.heldQty]).toEqual(["hold", 1]);
    const left = await told(NEUTRAL);
    expect([left.decision, left.outcome]).toEqual(["exit", "done"]);
    expect(await positions()).toEqual({});
  });

  test.each([
    ["observes", { mode: "observe" }, "observed"],
    ["is off", { enabled: false }, "off"],
  ])("that %s sends nothing", async (_, terms, outcome) => {
    const { told, filled, intent } = await openTrader(terms);
    const answer = await told(LONG);
    expect(answer).toMatchObject({ decision: "enterLong", outcome, intentId: null, targetQty: 1 });
    expect((await intent(answer.id)).error.code).toBe("NOT_FOUND");
    expect(await filled()).toEqual({ qty: 0, orders: 0 });
  });
});

describe("what cannot be carried out", () => {
  test("a broker's refusal is an answer", async () => {
    const { told, positions, account } = await openTrader();
    gateway.paper.setActive(accountId(account), false);
    const answer = await told(LONG);
    expect(answer).toMatchObject({
      decision: "enterLong",
      outcome: "rejected",
      outcomeReason: expect.stringContaining("Account is not active") as string,
      intentId: answer.id as string,
    });
    gateway.paper.setActive(accountId(account), true);
    expect(await positions()).toEqual({});
  });

  test("a limit denies it, with its reason", async () => {
    const { told, account, filled } = await openTrader({ qty: 3 });
    await gateway.api.put(`/v1/accounts/${account}/limits`, { maxOrderQty: 2 });
    expect(await told(LONG)).toMatchObject({
      decision: "enterLong",
      outcome: "denied",
      outcomeReason: expect.stringMatching(/limit of 2/) as string,
    });
    expect(await filled()).toEqual({ qty: 0, orders: 0 });
  });

  test("an account's kill switch denies entries and turns, and lets exits pass", async () => {
    const { told, account, positions } = await openTrader();
    await told(LONG);
    const set = async (active: boolean) =>
      await gateway.api.put("/v1/kill-switch", { active, accountId: account, reason: "news" });
    expect((await set(true)).status).toBe(200);
    const left = await told(NEUTRAL);
    expect([left.decision, left.outcome]).toEqual(["exit", "done"]);
    expect(await positions()).toEqual({});
    expect(await told(LONG)).toMatchObject({
      decision: "enterLong",
      outcome: "denied",
      outcomeReason: expect.stringContaining("news") as string,
    });
    expect(await positions()).toEqual({});
    await set(false);
    expect((await told(LONG)).outcome).toBe("done");
  });

  test("without its broker's connection it is a 503 at once, and in the log", async () => {
    const { ask, log, told, filled, account } = await openTrader();
    const letIn = await loseLink(account);
    const refused = await ask({ bars: closingAt(LONG) });
    expect([refused.status, refused.body.error.code, refused.body.error.retry]).toEqual([
      503,
      "BROKER_UNAVAILABLE",
      "safe",
    ]);
    expect(await log()).toMatchObject([
      {
        decision: "enterLong",
        outcome: "notSent",
        outcomeReason: expect.stringContaining("is not available") as string,
      },
    ]);
    letIn();
    await untilActive(account, true);
    expect(await filled()).toEqual({ qty: 0, orders: 0 });
    expect((await told(LONG)).outcome).toBe("done");
  });

  test("while nobody owns the connection, dry runs go on and its own bars fail", async () => {
    const own = await openGateway();
    const { ask, at, log, path } = await openTrader({}, "paper-1", own);
    await own.restart({ ROLE: "ingress" });
    const refused = await ask({ bars: closingAt(LONG) });
    expect([refused.status, refused.body.error.code]).toEqual([503, "BROKER_UNAVAILABLE"]);
    expect((await at(LONG, { dryRun: true })).decision).toBe("enterLong");
    const blind = await ask();
    expect([blind.status, blind.body.decision, blind.body.outcome]).toEqual([
      200,
      "failed",
      "none",
    ]);
    expect(blind.body.reason).toMatch(/^The bars could not be read: \w/);
    const chart = await own.api.get(`${path}/chart`);
    expect([chart.status, chart.body.error.code]).toEqual([503, "BROKER_UNAVAILABLE"]);
    expect((await log()).map(({ decision, outcome }) => [decision, outcome])).toEqual([
      ["failed", "none"],
      ["enterLong", "dryRun"],
      ["enterLong", "notSent"],
    ]);
  });

  test("an inactive account is a 403, and in the log; a dry run is not", async () => {
    const { ask, at, log, account } = await openTrader();
    // Only a session that is up can be broken.
    await untilActive(account, true);
    gateway.paper.setActive(accountId(account), false);
    gateway.paper.breakSession(new Error("The link is lost"));
    await untilActive(account, false);
    const refused = await ask({ bars: closingAt(LONG) });
    expect(refusalOf(refused)).toBe("403 ACCOUNT_INACTIVE: Account is inactive");
    expect(await log()).toMatchObject([
      { decision: "enterLong", outcome: "notSent", outcomeReason: "Account is inactive" },
    ]);
    expect((await at(LONG, { dryRun: true })).outcome).toBe("dryRun");
    expect((await at(NEUTRAL)).outcome).toBe("none");
  });
});

describe("on the broker's own bars", () => {
  test("it decides and trades, and its chart shows what it saw", async () => {
    const bars = barsAround(100_040);
    gateway.feed.setBars(MNQ.code, 1, bars);
    const finished = () => bars.filter(({ startsAt }) => startsAt + 60_000 <= Date.now());
    const { ask, path, positions } = await openTrader({
      barCount: 5,
      indicators: { mean: { type: "sma", period: 2 }, range: { type: "donchian", period: 3 } },
    });
    const { status, body } = await ask();
    expect([status, body.decision, body.outcome, body.barCount]).toEqual([
      200,
      "enterLong",
      "done",
      5,
    ]);
    expect(await positions()).toEqual({ [MNQ.code]: 1 });
    expect((await ask()).body).toMatchObject({ decision: "hold", heldQty: 1 });

    // In which no minute has ended.
    let [shown, chart]: [readonly Bar[], Answered] = [[], undefined];
    do {
      shown = finished().slice(-5);
      chart = (await gateway.api.get(`${path}/chart`)).body;
    } while (finished().at(-1) !== shown.at(-1));
    expect(chart).toMatchObject({ symbol: MNQ.symbol, barMinutes: 1 });
    expect(chart.bars).toEqual(
      shown.map(({ startsAt, close, volume }) => {
        const price = close / 4;
        const time = new Date(startsAt).toISOString();
        return { time, open: price, high: price, low: price, close: price, volume };
      }),
    );
    const closes = shown.map(({ close }) => close / 4);
    expect(chart.indicators).toEqual({
      mean: closes.map((close, n) => (n < 1 ? null : close - 0.125)),
      "range.upper": closes.map((close, n) => (n < 2 ? null : close)),
      "range.middle": closes.map((close, n) => (n < 2 ? null : close - 0.25)),
      "range.lower": closes.map((close, n) => (n < 2 ? null : close - 0.5)),
    });
    expect(chart.decisions).toMatchObject([{ id: body.id as string, decision: "enterLong" }]);
  });

  test("that have stopped, or are not there, it decides nothing", async () => {
    const old = barsAround(27_400, 2).map((bar) => ({
      ...bar,
      startsAt: bar.startsAt - 3_600_000,
    }));
    gateway.feed.setBars(MES.code, 2, old);
    const stopped = await openTrader({ symbol: "MES1!", barMinutes: 2 });
    expect((await stopped.ask()).body).toMatchObject({
      decision: "stale",
      outcome: "none",
      reason: expect.stringContaining("too old") as string,
    });
    const empty = await openTrader({ symbol: "MES1!", barMinutes: 60 });
    const { body } = await empty.ask();
    expect([body.decision, body.reason]).toEqual(["notReady", "There are no bars yet"]);
    expect((await gateway.api.get(`${empty.path}/chart`)).body).toMatchObject({
      bars: [],
      decisions: [],
    });
  });

  test("of the made-up prices, the same bars come to the same", async () => {
    const own = await startGateway({ seeded: true });
    onTestFinished(own.stop);
    const indicators = { fast: { type: "ema", period: 9 }, rsi: { type: "rsi", period: 14 } };
    const conditions = { enterLong: "close[0] > 0.0 && fast[0] > 0.0" };
    const desk = await openTrader({ barMinutes: 1_440, indicators, conditions }, "paper-1", own);
    const [one, two] = [
      (await desk.ask({ dryRun: true })).body,
      (await desk.ask({ dryRun: true })).body,
    ];
    expect(one).toMatchObject({ decision: "enterLong", barCount: 200, outcome: "dryRun" });
    expect([one.values.fast, one.values.rsi]).toEqual([expect.any(Number), expect.any(Number)]);
    expect([two.inputsHash, two.values]).toEqual([one.inputsHash, one.values]);
    const { body } = await desk.ask();
    expect([body.decision, body.outcome]).toEqual(["enterLong", "done"]);
    expect(await desk.positions()).toEqual({ [MNQ.code]: 1 });
  });
});

describe("the log", () => {
  const idsOf = (logs: readonly Answered[]): string[] => logs.map(({ id }) => id as string);

  test("is read page by page, newest first, and by what is notable", async () => {
    const { at, path } = await openTrader({ mode: "observe" });
    const closes = [LONG, NEUTRAL, SHORT, NEUTRAL, LONG];
    const answers: Answered[] = [];
    for (const close of closes) answers.push(await at(close));
    const newestFirst = idsOf(answers.toReversed());

    const pages: string[][] = [];
    let cursor: string | null = "";
    while (cursor !== null && pages.length < 10) {
      const place: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await gateway.api.get(`${path}/logs?limit=2${place}`);
      pages.push(idsOf(body.logs));
      cursor = body.nextCursor as string | null;
      // What comes meanwhile moves nothing on the next pages.
      if (pages.length === 1) await at(NEUTRAL);
    }
    expect(pages.flat()).toEqual(newestFirst);
    expect(pages.map(({ length }) => length).slice(0, 3)).toEqual([2, 2, 1]);

    const notable = (await gateway.api.get(`${path}/logs?notable=true&limit=2`)).body;
    expect(notable.logs.map(({ decision }: Answered) => decision)).toEqual([
      "enterLong",
      "enterShort",
    ]);
    const rest = `${path}/logs?notable=true&limit=2&cursor=${encodeURIComponent(notable.nextCursor)}`;
    expect(idsOf((await gateway.api.get(rest)).body.logs)).toEqual([answers[0].id]);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["cursor=nonsense", "cursor"],
    ["unknown=1", "unknown"],
  ])("refuses %s", async (query, place) => {
    const { path } = await openTrader();
    const { status, body } = await gateway.api.get(`${path}/logs?${query}`);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([
      400,
      "VALIDATION_FAILED",
      place,
    ]);
  });

  test("refuses the cursor of another strategy's log, and of another filter", async () => {
    const [one, other] = [await openTrader(), await openTrader()];
    for (let n = 0; n < 3; n += 1) await one.at(LONG, { dryRun: true });
    const { nextCursor } = (await gateway.api.get(`${one.path}/logs?limit=1`)).body;
    const cursor = `cursor=${encodeURIComponent(nextCursor)}`;
    expect((await gateway.api.get(`${one.path}/logs?${cursor}`)).status).toBe(200);
    for (const query of [
      `${other.path}/logs?${cursor}`,
      `${one.path}/logs?notable=true&${cursor}`,
    ]) {
      expect((await gateway.api.get(query)).status).toBe(400);
    }
  });
});
