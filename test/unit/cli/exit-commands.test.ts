import { expect, test } from "vitest";
import type { CommandContext } from "../../../src/cli/command-words.ts";
import { EXIT_COMMANDS } from "../../../src/cli/exit-commands.ts";
import { userId } from "../../../src/domain/ids.ts";

const AT = Date.UTC(2026, 10, 28, 20, 0);
const OPENS_AT = Date.UTC(2026, 10, 29, 23, 0);
const exit = (id: string, state: string, outcome: object) => ({
  intentId: id,
  state,
  acceptedAt: AT,
  outcome,
});

function run(words: string, positionals: readonly string[], { isStopped = true } = {}) {
  const asked: unknown[] = [];
  const store = {
    user: { userId: userId("u_1") },
    accounts: { require: async (...what: unknown[]) => void asked.push(what) },
    intents: {
      unsettled: async () => [
        exit("i1", "HELD", { kind: "held", reason: "Closed", opensAt: OPENS_AT }),
        exit("i2", "UNFINISHED", { kind: "unfinished", reason: "Refused" }),
        exit("i3", "SENDING", { kind: "unknown", reason: "Lost" }),
      ],
      stopGoingOn: async (...what: unknown[]) => {
        asked.push(what);
        return isStopped;
      },
      find: async () => exit("i1", "HELD", {}),
    },
  };
  const context = { store, positionals, options: {} };
  const printed = EXIT_COMMANDS[words]?.(context as unknown as CommandContext);
  return { printed, asked };
}

test("lists what goes on, with when its market opens", async () => {
  const { printed } = run("exits list", ["paper-1"]);
  expect((await printed)?.split("\n")).toEqual([
    "id  state       accepted                  opens                     reason",
    "i1  held        2026-11-28T20:00:00.000Z  2026-11-29T23:00:00.000Z  Closed",
    "i2  unfinished  2026-11-28T20:00:00.000Z  -                         Refused",
  ]);
});

test("takes one back, of an account of the user's own", async () => {
  const { printed, asked } = run("exits take-back", ["paper-1", "i1"]);
  expect(await printed).toContain("i1 is taken back");
  expect(asked).toEqual([
    ["u_1", "paper-1"],
    ["paper-1", "i1"],
  ]);
});

test("says where there is nothing to take back", async () => {
  const { printed } = run("exits take-back", ["paper-1", "i1"], { isStopped: false });
  await expect(printed).rejects.toThrow("nothing to take back");
});

test.each([
  ["exits list", [], "the account is missing"],
  ["exits take-back", ["paper-1"], "the exit's id is missing"],
])("%s %j is refused", async (words, positionals, message) => {
  await expect(run(words, positionals).printed).rejects.toThrow(message);
});
