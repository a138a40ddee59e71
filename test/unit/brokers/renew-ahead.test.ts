import { beforeEach, describe, expect, test } from "vitest";
import { renewAhead, type RenewAheadDeps, type Token } from "../../../src/brokers/renew-ahead.ts";
import {
  CredentialsRefusedError,
  SessionImpossibleError,
} from "../../../src/brokers/session-errors.ts";

const HOUR_MS = 3_600_000;
const TOKEN: Token = { validForMs: HOUR_MS };

/** A clock that stands until somebody waits, and is there at once then. */
let now: number;
let stop: AbortController;
let errors: unknown[];
let renewedAt: number[];
let share: number;

beforeEach(() => {
  [now, stop, errors, renewedAt, share] = [0, new AbortController(), [], [], 0];
});

/** Runs until `answers` are used up; each says what the broker answers to one renewal. */
async function run(
  answers: readonly (() => Promise<Token>)[],
  token = TOKEN,
  rest: Partial<RenewAheadDeps> = {},
): Promise<unknown> {
  const left = [...answers];
  const renewing = renewAhead(token, 0, {
    signal: stop.signal,
    random: () => share,
    elapsed: () => now,
    wait: async (ms, signal) => {
      // What is asked of the broker comes first.
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) now += ms;
    },
    onError: (error) => errors.push(error),
    renew: async () => {
      renewedAt.push(now);
      const answer = left.shift();
      if (answer !== undefined) return await answer();
      stop.abort();
      return TOKEN;
    },
    ...rest,
  });
  return await renewing.catch((error: unknown) => error);
}

const fails = (message: string) => async () => await Promise.reject<Token>(new Error(message));

describe("a token is renewed ahead of its end", () => {
  test.each([
    [0, 0.75],
    [0.5, 0.8],
    [1, 0.85],
  ])("by chance %f at %f of its life, each time", async (chance, at) => {
    share = chance;
    expect(await run([async () => TOKEN, async () => TOKEN])).toBeUndefined();
    expect(renewedAt).toEqual([1, 2, 3].map((n) => expect.closeTo(n * at * HOUR_MS, -1)));
  });

  test("by the life of the newest one", async () => {
    await run([async () => ({ validForMs: HOUR_MS / 2 })]);
    expect(renewedAt).toEqual([0.75 * HOUR_MS, (0.75 + 0.375) * HOUR_MS]);
  });

  test("also when it lives longer than a timer can wait", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void (waits.push(ms), (now += ms));
    await run([], { validForMs: 90 * 24 * HOUR_MS }, { wait });
    expect(renewedAt).toEqual([0.75 * 90 * 24 * HOUR_MS]);
    expect(Math.max(...waits)).toBeLessThan(2 ** 31);
  });
});

describe("a renewal that fails", () => {
  test("is tried again, ever more slowly, and heard of", async () => {
    expect(await run([1, 2, 3].map((n) => fails(`No. ${n}`)))).toBeUndefined();
    const [first = 0] = renewedAt;
    expect(renewedAt.map((at) => at - first)).toEqual([0, 500, 1_500, 3_500]);
    expect(errors).toMatchObject([1, 2, 3].map((n) => ({ message: `No. ${n}` })));
  });

  test("until the token's end breaks the session with an error that may be tried again", async () => {
    const broken = await run(Array.from({ length: 1_000 }, () => fails("ECONNREFUSED")));
    expect(broken).toMatchObject({ name: "Error", message: /ended before it could be renewed/ });
    expect(now).toBe(HOUR_MS);
    expect(Math.max(...renewedAt)).toBeLessThan(HOUR_MS);
  });

  test.each([
    new CredentialsRefusedError("The refresh token has expired"),
    new SessionImpossibleError("The account is closed"),
  ])("for good ends it at once: $name", async (refused) => {
    expect(await run([async () => await Promise.reject<Token>(refused)])).toBe(refused);
    expect(renewedAt).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("to be answered is given up at the token's end", async () => {
    let asked: AbortSignal | undefined;
    const renew = async (signal: AbortSignal) => {
      asked = signal;
      return await new Promise<Token>(() => undefined);
    };
    expect(await run([], TOKEN, { renew })).toMatchObject({ message: /ended before/ });
    expect([now, asked?.aborted]).toEqual([HOUR_MS, true]);
  });

  test("by giving a token that is over already breaks the session", async () => {
    expect(await run([async () => ({ validForMs: 0 })])).toMatchObject({ message: /ended before/ });
    expect(renewedAt).toHaveLength(1);
  });
});

describe("the end of the session", () => {
  test("ends the renewing, before and while it asks", async () => {
    stop.abort();
    expect(await run([])).toBeUndefined();
    expect(renewedAt).toEqual([]);

    stop = new AbortController();
    const renew = async (signal: AbortSignal) => {
      stop.abort();
      return await new Promise<Token>((_, reject) =>
        signal.aborted ? reject(new Error("Aborted")) : undefined,
      );
    };
    expect(await run([], TOKEN, { renew })).toBeUndefined();
    expect(errors).toEqual([]);
  });
});
