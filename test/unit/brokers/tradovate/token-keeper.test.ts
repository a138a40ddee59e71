import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { CredentialsRefusedError } from "../../../../src/brokers/session-errors.ts";
import type { TradovateSettings } from "../../../../src/brokers/tradovate/config.ts";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import type { RestAnswer, RestRequest } from "../../../../src/brokers/tradovate/rest-client.ts";
import { TokenKeeper } from "../../../../src/brokers/tradovate/token-keeper.ts";

const MINUTE_MS = 60_000;
const { signal } = new AbortController();
const SETTINGS = {
  environment: "demo",
  name: "joe",
  password: "x",
  appId: "a",
  appVersion: "1",
  cid: "1",
  sec: "s",
} as const;

let now: number;
let asked: string[];
let answers: RestAnswer[];
let budget: RateBudget;
let keeper: TokenKeeper;

beforeEach(() => {
  [now, asked, answers] = [0, [], []];
  const elapsed = () => now;
  budget = new RateBudget(DEFAULT_LIMITS, elapsed);
  keeper = new TokenKeeper({
    rest: {
      ask: async ({ path }: RestRequest) => {
        asked.push(path);
        return answers.shift() ?? granted();
      },
    },
    settings: SETTINGS,
    deviceId: "d",
    budget,
    mayWrite: () => true,
    onTrouble: () => undefined,
    now: elapsed,
    elapsed,
  });
});

const granted = (): RestAnswer => ({
  status: 200,
  data: { accessToken: `t${asked.length}`, userId: 7 },
});
const refused = (status: number, data?: unknown): RestAnswer => ({ status, data });
const renewals = () => asked.filter((path) => path.includes("renew")).length;

/** What a login comes to, at once: nothing of it waits. */
async function logIn(answer: RestAnswer): Promise<unknown> {
  answers.push(answer);
  return await keeper.token(signal).catch((error: unknown) => error);
}

describe("a renewal", () => {
  test("asks nothing during a lockout, and goes on after it", async () => {
    await keeper.token(signal);
    answers.push(refused(429));
    await expect(keeper.renew(signal)).rejects.toThrow(/locked/);
    now += 59 * MINUTE_MS;
    for (let n = 0; n < 10; n += 1) await expect(keeper.renew(signal)).rejects.toThrow(/not.*yet/);
    expect(renewals()).toBe(1);
    // An exit does not wait for it.
    expect(budget.take("protect", "order/placeorder")).toBeUndefined();

    const until = keeper.untilRenewable(signal);
    now += MINUTE_MS;
    await until;
    expect(await keeper.renew(signal)).toMatchObject({ accessToken: "t3" });
    expect(renewals()).toBe(2);
  });

  test("that fails comes at most so often as may be asked, however often it is tried", async () => {
    await keeper.token(signal);
    for (; now < 60 * MINUTE_MS; now += 1_000) {
      answers.push(refused(500));
      await keeper.renew(signal).catch(() => undefined);
      answers.length = 0;
    }
    // 15 an hour are published.
    expect(renewals()).toBeGreaterThan(5);
    expect(renewals()).toBeLessThanOrEqual(15);
  });

  test("waits for no longer than whoever asks for it", async () => {
    await keeper.token(signal);
    answers.push(refused(429));
    await expect(keeper.renew(signal)).rejects.toThrow(/locked/);
    const stop = new AbortController();
    const until = keeper.untilRenewable(stop.signal);
    stop.abort();
    await until;
    await expect(keeper.renew(stop.signal)).rejects.toThrow(/abort/i);
    expect(renewals()).toBe(1);
  });
});

describe("the token that is there", () => {
  /** How long sessions that are refused wait, one after the other. */
  async function waits(): Promise<readonly number[]> {
    const told: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await keeper.token(signal, (ms) => {
        told.push(ms);
        now += ms;
      });
      budget.lockOut("authorize");
    }
    return told;
  }

  test("is tried during a lockout as exits are, and no login is", async () => {
    await keeper.token(signal);
    for (const one of ["order/placeorder", "order/modifyorder"]) budget.lockOut(one);
    expect(await waits()).toEqual([1_500, 10_000, 65_000, 60 * MINUTE_MS]);
    expect(asked).toHaveLength(1);
  });

  test("is not tried in a lockout that has lasted: a refusal would begin it anew", async () => {
    await keeper.token(signal);
    budget.lockOut("authorize");
    now += 20 * MINUTE_MS;
    expect((await waits())[0]).toBe(40 * MINUTE_MS);
  });
});

describe("a login that is refused", () => {
  test.each<[string, RestAnswer]>([
    [
      "words that nobody knows",
      refused(200, { errorText: "Service is not available at this time" }),
    ],
    ["403 without a word", refused(403)],
    ["400", refused(400, { errorText: "Malformed body" })],
    ["a captcha", refused(200, { "p-ticket": "t", "p-time": 0, "p-captcha": true })],
  ])("is tried again later, and says why: %s", async (_, answer) => {
    const error = await logIn(answer);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).name).toBe("Error");
    expect((error as Error).message).toMatch(/not available|403|Malformed|captcha/);
  });

  test("over the credentials is a last word", async () => {
    const error = await logIn(refused(200, { errorText: "Incorrect username or password" }));
    expect(error).toBeInstanceOf(CredentialsRefusedError);
  });

  test.each([500, 502, 503])(
    "by a service that is away is none, and puts no other off: %i",
    async (status) => {
      const waits: number[] = [];
      const onWait = (ms: number) => {
        waits.push(ms);
        now += ms;
      };
      for (let n = 0; n < 4; n += 1) {
        answers.push(refused(status));
        await expect(keeper.token(signal, onWait)).rejects.toThrow(String(status));
      }
      expect(await keeper.token(signal, onWait)).toMatchObject({ userId: 7 });
      expect(waits).toEqual([]);
    },
  );

  test("over the session limit again and again is put off for ever longer", async () => {
    const waits: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      keeper.onQuota();
      const stop = new AbortController();
      const waiting = keeper.token(stop.signal, (ms) => waits.push(ms / MINUTE_MS));
      waiting.catch(() => undefined);
      await setImmediate();
      stop.abort();
      await waiting.catch(() => undefined);
      now += 40 * MINUTE_MS;
    }
    expect(waits).toEqual([1, 5, 15, 30, 30]);
  });
});

describe("the token for market data", () => {
  /** The next owner of the connection, by settings that may have changed. */
  function ownerOf(memory: { text: string | undefined }, more: Partial<TradovateSettings>) {
    return new TokenKeeper({
      rest: {
        ask: async ({ path }: RestRequest) => {
          asked.push(path);
          return answers.shift() ?? granted();
        },
      },
      settings: { ...SETTINGS, ...more },
      deviceId: "d",
      budget,
      mayWrite: () => true,
      memory: {
        load: async () => memory.text,
        save: async (text) => void (memory.text = text),
      },
      onTrouble: () => undefined,
      now: () => now,
      elapsed: () => now,
    });
  }

  test("is kept for the next owner, whose login it is with market data and without", async () => {
    const memory: { text: string | undefined } = { text: undefined };
    answers.push({ status: 200, data: { accessToken: "a", mdAccessToken: "m", userId: 7 } });
    const first = ownerOf(memory, {});
    await first.token(signal);
    await first.close();
    const mdUrl = "ws://127.0.0.1:1/v1/md/websocket";
    for (const more of [{ marketData: false }, { mdUrl }]) {
      const next = ownerOf(memory, more);
      expect(await next.token(signal)).toMatchObject({ accessToken: "a", mdAccessToken: "m" });
      expect(next.held).toMatchObject({ mdAccessToken: "m" });
    }
    expect(asked).toHaveLength(1);
  });

  test("is gone where a renewal gives none: the other one serves", async () => {
    answers.push({ status: 200, data: { accessToken: "a", mdAccessToken: "m", userId: 7 } });
    await keeper.token(signal);
    await keeper.renew(signal);
    expect(keeper.held).not.toHaveProperty("mdAccessToken");
  });
});

test("a login that a penalty puts off locks nothing out, with 429 neither", async () => {
  answers.push(refused(429, { "p-ticket": "t", "p-time": 0.01 }));
  expect(await keeper.token(signal)).toMatchObject({ accessToken: "t2" });
  expect(asked).toHaveLength(2);
  expect(budget.lockedForMs("auth/accesstokenrequest")).toBe(0);
});
