import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryParts } from "../../../../src/brokers/projectx/memory-parts.ts";
import { RateBudget } from "../../../../src/brokers/projectx/rate-budget.ts";
import type { RestReply, RestRequest } from "../../../../src/brokers/projectx/rest-client.ts";
import { TokenKeeper } from "../../../../src/brokers/projectx/token-keeper.ts";
import {
  CredentialsRefusedError,
  SessionImpossibleError,
} from "../../../../src/brokers/session-errors.ts";

const HOUR_MS = 60 * 60_000;
const { signal } = new AbortController();

let now: number;
let asked: RestRequest[];
let replies: RestReply[];
let kept: string | undefined;
let troubles: unknown[];

beforeEach(() => {
  [now, asked, replies, kept, troubles] = [1_000_000, [], [], undefined, []];
});

const answered = (data: unknown, status = 200): RestReply => ({ kind: "answered", status, data });
const granted = (token: string) => answered({ success: true, errorCode: 0, token });

/** A token that says when it ends, by the clock on the wall. */
function jwt(endsAtMs: number): string {
  const claims = Buffer.from(JSON.stringify({ exp: endsAtMs / 1_000 })).toString("base64url");
  return `head.${claims}.sign`;
}

function newKeeper(apiKey = "key") {
  const parts = new MemoryParts({
    memory: { load: async () => kept, save: async (text) => void (kept = text) },
    mayWrite: () => true,
    onTrouble: (error) => troubles.push(error),
  });
  const keeper = new TokenKeeper({
    rest: {
      post: async (request) => {
        asked.push(request);
        return replies.shift() ?? granted(`t${asked.length}`);
      },
    },
    url: "http://broker",
    userName: "joe",
    apiKey,
    budget: new RateBudget({ most: 100, withinMs: 60_000 }, () => now),
    mayWrite: () => true,
    memory: parts,
    onTrouble: (error) => troubles.push(error),
    now: () => now,
    elapsed: () => now,
    random: () => 0.5,
  });
  return { keeper, parts };
}

const logIn = async (reply: RestReply): Promise<unknown> => {
  replies.push(reply);
  const { keeper } = newKeeper();
  return await keeper.token(signal).catch((error: unknown) => error);
};

describe("the token", () => {
  test("is asked for once and kept over sessions", async () => {
    const { keeper } = newKeeper();
    expect(await keeper.token(signal)).toBe("t1");
    expect(await keeper.token(signal)).toBe("t1");
    expect(asked.map(({ path }) => path)).toEqual(["api/Auth/loginKey"]);
    expect(asked[0]?.body).toEqual({ userName: "joe", apiKey: "key" });
  });

  test("is kept for the next owner, and not for other credentials", async () => {
    const first = newKeeper();
    await first.keeper.token(signal);
    await first.parts.close();
    now += HOUR_MS;
    expect(await newKeeper().keeper.token(signal)).toBe("t1");
    expect(await newKeeper("other").keeper.token(signal)).toBe("t2");
  });

  test("is not begun with when little of its life is left, by its own word", async () => {
    replies.push(granted(jwt(now + HOUR_MS)));
    const { keeper } = newKeeper();
    await keeper.token(signal);
    now += HOUR_MS - 4 * 60_000;
    expect(await keeper.token(signal)).toBe("t2");
  });

  test("lasts as documented where it does not say its end", async () => {
    const { keeper } = newKeeper();
    await keeper.token(signal);
    now += 23 * HOUR_MS;
    expect(await keeper.token(signal)).toBe("t1");
    now += HOUR_MS;
    expect(await keeper.token(signal)).toBe("t2");
  });

  test("is renewed ahead of its end by validating it", async () => {
    const { keeper } = newKeeper();
    await keeper.token(signal);
    now += 20 * HOUR_MS;
    const ending = new AbortController();
    replies.push(answered({ success: true, errorCode: 0, newToken: "renewed" }));
    const fresh = keeper.keepFresh(ending.signal);
    while (keeper.held === "t1") await setImmediate();
    expect(asked.at(-1)).toMatchObject({ path: "api/Auth/validate", token: "t1" });
    expect(keeper.held).toBe("renewed");
    ending.abort();
    await fresh;
  });

  test("one that is refused is replaced by one login, whoever finds it out", async () => {
    const { keeper } = newKeeper();
    await keeper.token(signal);
    const both = [keeper.replace("t1", signal), keeper.replace("t1", signal)];
    expect(await Promise.all(both)).toEqual([true, true]);
    expect(await keeper.replace("t1", signal)).toBe(true);
    expect(asked).toHaveLength(2);
    expect(keeper.held).toBe("t2");
  });

  test("a login that fails does not replace one", async () => {
    const { keeper } = newKeeper();
    await keeper.token(signal);
    replies.push(answered({}, 503));
    expect(await keeper.replace("t1", signal)).toBe(false);
    expect(troubles).toHaveLength(1);
  });
});

describe("a refused login", () => {
  const refusal = (errorCode: number) =>
    answered({ success: false, errorCode, errorMessage: "no" });

  test("is final where only a person can help", async () => {
    for (const code of [1, 2, 3]) {
      expect(await logIn(refusal(code))).toBeInstanceOf(CredentialsRefusedError);
    }
    for (const code of [7, 9, 10]) {
      expect(await logIn(refusal(code))).toBeInstanceOf(SessionImpossibleError);
    }
  });

  test("is tried again for every other reason", async () => {
    const others = [
      refusal(8),
      refusal(99),
      answered({ success: true, token: null }),
      answered("<html>", 502),
      answered({}, 429),
      { kind: "unknown", reason: "timeout" } as const,
    ];
    for (const reply of others) {
      const error = await logIn(reply);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(CredentialsRefusedError);
      expect(error).not.toBeInstanceOf(SessionImpossibleError);
    }
  });
});
