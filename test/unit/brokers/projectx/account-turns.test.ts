import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountTurns } from "../../../../src/brokers/projectx/account-turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const EXIT_WAITS_MS = 1_000;

/** One command: when it is given, and how long its answer takes. */
interface Given {
  readonly account: "a" | "b";
  readonly isExit: boolean;
  readonly afterMs: number;
  readonly takesMs: number;
  readonly fails: boolean;
}

interface Seen extends Given {
  readonly givenAt: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Gives them one after the other, and answers when each was sent and answered. */
async function run(commands: readonly Given[]): Promise<readonly Seen[]> {
  const turns = new AccountTurns();
  let sum = 0;
  const all = commands.map(async (command) => {
    sum += command.afterMs;
    await wait(sum);
    const givenAt = Date.now();
    let beganAt = Number.NaN;
    const sent = turns.take(command.account, command.isExit, async () => {
      beganAt = Date.now();
      await wait(command.takesMs);
      if (command.fails) throw new Error("it failed");
    });
    await sent.catch(() => undefined);
    return { ...command, givenAt, beganAt, endedAt: Date.now() };
  });
  await vi.runAllTimersAsync();
  return await Promise.all(all);
}

const COMMAND = fc.record({
  account: fc.constantFrom("a" as const, "b" as const),
  isExit: fc.boolean(),
  afterMs: fc.nat({ max: 2_000 }),
  takesMs: fc.nat({ max: 10_000 }),
  fails: fc.boolean(),
});

/** When a command is to be sent, by those of its account that were given before it. */
function expectedStart({ givenAt, isExit }: Seen, before: readonly Seen[]): number {
  const answered = Math.max(givenAt, ...before.map(({ endedAt }) => endedAt));
  // What adds risk goes when everything before it is answered, and not later.
  if (!isExit) return answered;
  const exits = before.filter((one) => one.isExit).map(({ beganAt }) => beganAt);
  return Math.min(answered, Math.max(givenAt, ...exits) + EXIT_WAITS_MS);
}

describe("the turns of an account's commands", () => {
  test("keep what is promised, whatever is given when", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(COMMAND, { minLength: 1, maxLength: 8 }), async (commands) => {
        const seen = await run(commands);
        for (const account of ["a", "b"] as const) {
          const own = seen.filter((one) => one.account === account);
          expect(own.map(({ beganAt }) => beganAt)).toEqual(
            own.map((one, index) => expectedStart(one, own.slice(0, index))),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  test("answer what the command does, and throw what it throws", async () => {
    const turns = new AccountTurns();
    expect(await turns.take("a", false, () => Promise.resolve(7))).toBe(7);
    const fails = turns.take("a", false, () => Promise.reject(new Error("no")));
    await expect(fails).rejects.toThrow("no");
    expect(await turns.take("a", true, () => Promise.resolve(8))).toBe(8);
  });
});
