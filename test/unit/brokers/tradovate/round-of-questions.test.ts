import { beforeEach, expect, test } from "vitest";
import { RoundOfQuestions } from "../../../../src/brokers/tradovate/round-of-questions.ts";

let now: number;
let asked: { readonly account: number; readonly at: number }[];
let failing: boolean;
let round: RoundOfQuestions;

beforeEach(() => {
  [now, asked, failing] = [0, [], false];
  round = new RoundOfQuestions({
    ask: async (account) => {
      asked.push({ account, at: now });
      if (failing) throw new Error("Access is denied");
    },
    elapsed: () => now,
    signal: new AbortController().signal,
    wait: async (ms) => {
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
});

const open = (accounts: number, state = "") => ({ isOpen: true, open: accounts, state });
const flat = (state = "") => ({ isOpen: false, open: 0, state });
const spaces = () => asked.slice(1).map(({ at }, n) => at - (asked[n]?.at ?? 0));

test("accounts that hold something are asked about in turn, one each 1.44 s", async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    await Promise.all([1, 2, 3].map(async (account) => await round.want(account, open(3))));
  }
  expect(Math.min(...spaces())).toBeGreaterThanOrEqual(1_440);
  for (let n = 3; n < asked.length; n += 1) {
    expect(asked[n]?.account).toBe(asked[n - 3]?.account);
  }
  expect(new Set(asked.map(({ account }) => account)).size).toBe(3);
});

test("an account that holds nothing is asked about once a minute, or when its state changes", async () => {
  await round.want(1, flat("a"));
  now += 59_999;
  await round.want(1, flat("a"));
  expect(asked).toHaveLength(1);
  await round.want(1, flat("b"));
  expect(asked).toHaveLength(2);
  await round.want(1, flat("b"));
  now += 60_000;
  await round.want(1, flat("b"));
  expect(asked).toHaveLength(3);
});

test("who may not ask does not do it again for a minute", async () => {
  failing = true;
  for (; now < 60_000; now += 1_000) await round.want(1, open(1, String(now)));
  expect(asked).toHaveLength(1);
  await round.want(1, open(1));
  expect(asked).toHaveLength(2);
});
