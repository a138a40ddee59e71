// The goal: a strategy is kept as it was asked for, refused with every reason at its place, shown as it
// stands, and nobody else's business.
// The method: strategies over HTTP on the whole gateway, with paper accounts.
import { beforeAll, describe, expect, test } from "vitest";
import { userId } from "../../../src/domain/ids.ts";
import { createRedisCredentialStore } from "../../../src/store/people/redis-credential-store.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { apiClient, type Reply } from "../../support/http-client.ts";
import {
  type Answered,
  closingAt,
  EVERY_TEN_SECONDS,
  LEVELS,
  openStrategyDesk,
  refusalOf,
  STRATEGIES,
  termsOf,
} from "./strategy-desk.ts";

const MNQ = frontMonth("MNQ");
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

const create = async (body: object) => await gateway.api.post(STRATEGIES, body);
const open = async (terms: object = {}, account: string = nextAccount()) =>
  await openStrategyDesk(() => gateway.api, { ...termsOf(account), ...terms });

/** Every place that a refusal names, with what is wrong there. */
const problemsOf = ({ status, body }: Reply): Record<string, string> => {
  expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  const details = body.error.details as { path: string; message: string }[];
  return Object.fromEntries(details.map(({ path, message }) => [path, message]));
};

/** Half a year from now: no slot of it comes while a test runs. */
const FAR_MONTH = ((new Date().getUTCMonth() + 6) % 12) + 1;

const WHOLE = {
  name: "EMA cross",
  symbol: "MNQ1!",
  barMinutes: 5,
  barCount: 100,
  indicators: {
    fast: { type: "ema", period: 9, source: "typical" },
    bands: { type: "bollinger", period: 20, deviations: 2 },
  },
  conditions: { enterLong: "crossesAbove(fast, bands.middle)", exitLong: "close[0] < fast[0]" },
  qty: 3,
  bracket: { takeProfit: { ticks: 80 }, stopLoss: { offset: 10 } },
  schedule: { cron: `*/5 9-15 * ${FAR_MONTH} MON-FRI`, timeZone: "America/New_York" },
  mode: "trade",
  enabled: true,
};

describe("a strategy", () => {
  test("is as it was asked for", async () => {
    const accountId = nextAccount();
    const { strategy, id, read } = await open(WHOLE, accountId);
    expect(strategy).toEqual({
      ...WHOLE,
      accountId,
      id: expect.stringMatching(/^st_[0-9a-f]{12}$/) as string,
      state: "scheduled",
      reason: null,
      nextEvaluationAt: expect.stringMatching(/:[0-5][05]:00\.000Z$/) as string,
      lastEvaluation: null,
      version: 1,
      createdAt: expect.any(String) as string,
      changedAt: strategy.createdAt as string,
    });
    expect(await read()).toEqual(strategy);
    const { body } = await gateway.api.get(STRATEGIES);
    expect(body.strategies.find((one: Answered) => one.id === id)).toEqual(strategy);
  });

  test("is careful where nothing was said", async () => {
    const { strategy } = await open();
    expect(strategy).toMatchObject({
      name: "MNQ1!",
      barCount: 200,
      indicators: {},
      qty: 1,
      bracket: null,
      schedule: null,
      mode: "observe",
      enabled: true,
      state: "onRequest",
      nextEvaluationAt: null,
    });
  });

  test("is answered alike under /api/v1", async () => {
    const { path, strategy } = await open();
    const { body } = await gateway.api.get(`/api${path}`);
    expect(body).toEqual(strategy);
    const dry = { bars: closingAt(25_010), dryRun: true };
    const evaluated = await gateway.api.post(`/api${path}/evaluate`, dry);
    expect([evaluated.status, evaluated.body.decision]).toEqual([200, "enterLong"]);
    expect((await gateway.api.get(`/api${path}/logs`)).body.logs).toHaveLength(1);
    expect((await gateway.api.get(`/api${path}/chart`)).status).toBe(200);
    expect((await gateway.api.delete(`/api${path}`)).status).toBe(204);
  });

  test("keeps what a change leaves out, and clears what is null", async () => {
    const { strategy, change, read } = await open(WHOLE);
    const changed = await change({ qty: 2, name: "Renamed" });
    expect(changed).toEqual({
      ...strategy,
      qty: 2,
      name: "Renamed",
      version: 2,
      changedAt: expect.any(String) as string,
    });
    const cleared = await change({
      schedule: null,
      bracket: null,
      indicators: {},
      conditions: LEVELS,
    });
    expect(cleared).toMatchObject({
      schedule: null,
      bracket: null,
      indicators: {},
      conditions: LEVELS,
      state: "onRequest",
      nextEvaluationAt: null,
      version: 3,
    });
    expect(await change({ enabled: false })).toMatchObject({ state: "off", version: 4 });
    expect((await read()).version).toBe(4);
  });

  test("that is off rests, whatever its schedule", async () => {
    const { strategy } = await open({ schedule: EVERY_TEN_SECONDS, enabled: false });
    expect([strategy.state, strategy.nextEvaluationAt]).toEqual(["off", null]);
  });

  test("is kept over a restart", async () => {
    const desk = await open(WHOLE);
    await desk.ask({ bars: closingAt(25_010), dryRun: true });
    const before = await desk.read();
    await gateway.restart();
    expect(await desk.read()).toEqual(before);
  });

  test("is gone with its log when it is deleted, and its market is free again", async () => {
    const { path, id, at, strategy } = await open({ mode: "trade" });
    await at(24_990);
    expect((await gateway.api.delete(path)).status).toBe(204);
    for (const call of [
      gateway.api.delete(path),
      gateway.api.get(path),
      gateway.api.patch(path, { qty: 1 }),
      gateway.api.get(`${path}/logs`),
      gateway.api.get(`${path}/chart`),
      gateway.api.post(`${path}/evaluate`, {}),
    ]) {
      expect(refusalOf(await call)).toBe("404 NOT_FOUND: There is no such strategy");
    }
    expect(await gateway.redis.exists(`gw:{strategies}:log:${id}`)).toBe(0);
    expect((await create({ ...termsOf(strategy.accountId), mode: "trade" })).status).toBe(201);
  });
});

describe("what is wrong is told with its place", () => {
  test("all that is wrong with the body's form", async () => {
    const problems = problemsOf(
      await create({
        symbol: "",
        barMinutes: 7,
        barCount: 501,
        conditions: { enterLong: "", somewhere: "true" },
        indicators: { a: { type: "magic" } },
        qty: 0,
        bracket: { stopLoss: { ticks: 1, offset: 1 } },
        schedule: { cron: "* * * * *" },
        mode: "bet",
        extra: 1,
      }),
    );
    expect(Object.keys(problems).toSorted()).toEqual([
      "accountId",
      "barCount",
      "barMinutes",
      "bracket.stopLoss",
      "conditions.enterLong",
      "conditions.somewhere",
      "extra",
      "indicators.a.type",
      "mode",
      "qty",
      "schedule.timeZone",
      "symbol",
    ]);
  });

  test("all that is wrong with parameters of indicators", async () => {
    const indicators = {
      a: { type: "ema" },
      b: { type: "macd", period: 9, fast: 5, slow: 9 },
      c: { type: "atr", period: 5, source: "open" },
    };
    const account = nextAccount();
    expect(problemsOf(await create({ ...termsOf(account), indicators }))).toEqual({
      "indicators.a.period": "is needed for ema",
      "indicators.b.signal": "is needed for macd",
      "indicators.b.period": "is no parameter of macd",
      "indicators.c.source": "is no parameter of atr",
    });
  });

  test("indicators, bracket, cron and time zone in one answer", async () => {
    const problems = problemsOf(
      await create({
        ...termsOf(nextAccount()),
        barCount: 30,
        indicators: {
          "9fast": { type: "sma", period: 5 },
          close: { type: "sma", period: 5 },
          m: { type: "macd", fast: 9, slow: 5, signal: 3 },
          long: { type: "sma", period: 31 },
        },
        bracket: { takeProfit: { offset: 0.1 }, stopLoss: { offset: 0.3 } },
        schedule: { cron: "61 * * * *", timeZone: "Mars/Olympus" },
      }),
    );
    expect(problems).toMatchObject({
      "indicators.9fast": expect.stringContaining("is no name") as string,
      "indicators.close": "is a word of conditions already",
      "indicators.m.fast": "must be less than slow",
      "indicators.long": "needs 31 bars, and barCount is 30",
      "schedule.cron": expect.stringContaining("is no cron expression") as string,
      "schedule.timeZone": expect.stringContaining("Mars/Olympus") as string,
    });
    expect(Object.keys(problems).filter((place) => place.startsWith("bracket."))).toHaveLength(2);
  });

  test("each condition by itself, and that there is no entry", async () => {
    const problems = problemsOf(
      await create({
        ...termsOf(nextAccount()),
        conditions: { exitLong: "close[0] > unknown[0]", exitShort: "close[0] + 1.0" },
      }),
    );
    expect(problems).toEqual({
      conditions: "need enterLong, enterShort or both",
      "conditions.exitLong": expect.stringMatching(/unknown.*\(at character 12\)/s) as string,
      "conditions.exitShort": expect.stringContaining("must come to true or false") as string,
    });
  });

  test.each([
    ["*/5 * * * * *", "schedule.cron", /closer together than 10 seconds/],
    ["0 0 30 2 *", "schedule.cron", /impossible day of month/],
    ["* * *", "schedule.cron", /3 fields/],
    ["0-4000000000 * * * *", "schedule.cron", /a field that is none/],
  ])("the schedule %s", async (cron, place, words) => {
    const schedule = { cron, timeZone: "UTC" };
    const problems = problemsOf(await create({ ...termsOf(nextAccount()), schedule }));
    expect(problems).toEqual({ [place]: expect.stringMatching(words) as string });
  });

  test("a change is held to the same, and changes nothing then", async () => {
    const { path, strategy, read } = await open();
    const refused = await gateway.api.patch(path, {
      qty: 5,
      conditions: { enterLong: "nothing[0] > 1.0" },
      schedule: { cron: "* * * * * *", timeZone: "UTC" },
    });
    expect(Object.keys(problemsOf(refused))).toEqual(["conditions.enterLong", "schedule.cron"]);
    expect(problemsOf(await gateway.api.patch(path, {}))).toBeTruthy();
    expect(await read()).toEqual(strategy);
  });

  test("bars that are not of the contract, or not in order", async () => {
    const { ask } = await open();
    const [first, second, third] = closingAt(25_000);
    const bars = [
      second,
      { ...first, open: 24_999.9 },
      { ...third, high: 1 },
      { ...third, time: "noon" },
    ];
    expect(Object.keys(problemsOf(await ask({ bars })))).toEqual(["bars.3.time"]);
    expect(Object.keys(problemsOf(await ask({ bars: bars.slice(0, 3) })))).toEqual([
      "bars.1.open",
      "bars.2.high",
      "bars.1.time",
    ]);
  });

  test("a supposed position outside of a dry run", async () => {
    const { ask, log } = await open({ mode: "trade" });
    const refused = await ask({ bars: closingAt(25_010), position: { netQty: 1 } });
    expect(Object.keys(problemsOf(refused))).toEqual(["position"]);
    expect(await log()).toEqual([]);
  });

  test("a symbol that is none, and an account that is none", async () => {
    const symbol = await create({ ...termsOf(nextAccount()), symbol: "NOSUCH1!" });
    expect([symbol.status, symbol.body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
    const account = await create(termsOf("paper-999"));
    expect([account.status, account.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const { path } = await open();
    const moved = await gateway.api.patch(path, { accountId: "paper-999" });
    expect([moved.status, moved.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("two that trade one market of an account", () => {
  test("are refused, however the second one comes to it", async () => {
    const account = nextAccount();
    const trading = { mode: "trade" };
    const first = await open({ ...trading, name: "First" }, account);
    const conflict = `409 STRATEGY_CONFLICT: The strategy "First" trades MNQ on ${account} already`;
    const refused = [
      await create({ ...termsOf(account), ...trading }),
      // By its own month it is the same market.
      await create({ ...termsOf(account), ...trading, symbol: MNQ.symbol }),
    ];
    const watching = await open({}, account);
    refused.push(await gateway.api.patch(watching.path, trading));
    const off = await open({ ...trading, enabled: false }, account);
    refused.push(await gateway.api.patch(off.path, { enabled: true }));
    const micro = await open({ ...trading, symbol: "MES1!" }, account);
    refused.push(await gateway.api.patch(micro.path, { symbol: "MNQ1!" }));
    const elsewhere = await open(trading);
    refused.push(await gateway.api.patch(elsewhere.path, { accountId: account }));
    for (const reply of refused) expect(refusalOf(reply)).toContain(conflict);

    await first.change({ enabled: false });
    expect((await off.change({ enabled: true })).state).toBe("onRequest");
  });

  test("asked for at once are one", async () => {
    const account = nextAccount();
    const trading = { ...termsOf(account), mode: "trade" };
    const replies = await Promise.all(Array.from({ length: 4 }, async () => await create(trading)));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409, 409,
    ]);
  });
});

describe("who may", () => {
  /** Every call of a strategy, by the scope that it needs. */
  const calls = (path: string) =>
    ({
      read: [
        ["GET", STRATEGIES],
        ["GET", path],
        ["GET", `${path}/logs`],
        ["GET", `${path}/chart`],
      ],
      trade: [
        ["POST", STRATEGIES],
        ["PATCH", path],
        ["POST", `${path}/evaluate`],
        ["DELETE", path],
      ],
    }) as const;

  type Call = ReturnType<typeof calls>["read" | "trade"][number];
  const send = async (api: TestGateway["api"], [method, path]: Call): Promise<Reply> => {
    switch (method) {
      case "GET":
        return await api.get(path);
      case "POST":
        return await api.post(path, path === STRATEGIES ? termsOf(nextAccount()) : {});
      case "PATCH":
        return await api.patch(path, { qty: 2 });
      case "DELETE":
        return await api.delete(path);
    }
  };

  test.each(["read", "trade"] as const)(
    "a key that may %s alone may not do the other",
    async (scope) => {
      const { path, read, strategy } = await open();
      const { api } = await gateway.createKey(scope);
      const other = scope === "read" ? "trade" : "read";
      const refused = calls(path)[other].map(async (call) => refusalOf(await send(api, call)));
      for (const refusal of await Promise.all(refused)) {
        expect(refusal).toContain("403 INSUFFICIENT_SCOPE");
      }
      expect(await read()).toEqual(strategy);
      const statuses: number[] = [];
      for (const call of calls(path)[scope]) statuses.push((await send(api, call)).status);
      expect(statuses).toEqual(scope === "read" ? [200, 200, 200, 200] : [201, 200, 200, 204]);
    },
  );

  test("a stranger's strategy is not there", async () => {
    const { path, read, strategy } = await open();
    const { redis, keys } = gateway;
    const { secret } = await createRedisCredentialStore({ redis, keys }).createKey({
      userId: userId("user_other"),
      name: "stranger",
      scopes: ["read", "trade"],
    });
    const stranger = apiClient(gateway.url, secret);
    const { read: reads, trade: trades } = calls(path);
    for (const call of [...reads, ...trades].filter(([, place]) => place !== STRATEGIES)) {
      expect(refusalOf(await send(stranger, call))).toBe(
        "404 NOT_FOUND: There is no such strategy",
      );
    }
    expect((await stranger.get(STRATEGIES)).body).toEqual({ strategies: [] });
    const onOurs = await stranger.post(STRATEGIES, termsOf(strategy.accountId));
    expect([onOurs.status, onOurs.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(await read()).toEqual(strategy);
  });
});

// The last one: no other test could make a strategy after it.
test("there are 50 strategies of a user at most", async () => {
  const account = nextAccount();
  const all = async (): Promise<string[]> =>
    (await gateway.api.get(STRATEGIES)).body.strategies.map(({ id }: { id: string }) => id);
  const more = async () => await create(termsOf(account));
  for (let there = (await all()).length; there < 50; there += 1) {
    expect((await more()).status).toBe(201);
  }
  const refused = await more();
  expect([refused.status, refused.body.error.code]).toEqual([422, "TOO_MANY_STRATEGIES"]);

  const ids = await all();
  expect(new Set(ids).size).toBe(50);
  expect((await gateway.api.delete(`${STRATEGIES}/${ids[0]}`)).status).toBe(204);
  expect((await more()).status).toBe(201);
});
