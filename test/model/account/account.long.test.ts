// The goal and the method of `account.test.ts`, with more sequences.
import { expect, test } from "vitest";
import { firstUnknown } from "./search.ts";

/** By hand: CHECK_SEED=new ACCOUNT_RUNS=20000 takes new sequences. */
const RUNS = Number(process.env["ACCOUNT_RUNS"] ?? 1_000);
const LIMIT_MS = 60_000 + RUNS * 100;

test(
  "what is asked of an account together keeps its invariants, for long",
  async () => {
    expect(await firstUnknown(RUNS)).toBeUndefined();
  },
  LIMIT_MS,
);
