import { expect, test } from "vitest";
import type { CommandContext } from "../../../src/cli/command-words.ts";
import { GUARD_COMMANDS } from "../../../src/cli/guard-commands.ts";
import { GUARD_DEFAULTS } from "../../../src/domain/guards/rule.ts";
import { userId } from "../../../src/domain/ids.ts";
import { minor } from "../../../src/domain/money.ts";
import type { GuardsView, GuardUses } from "../../../src/trading/guards/guard-uses.ts";

const NOW = Date.UTC(2026, 8, 21, 14, 30);
const view: GuardsView = {
  version: "1",
  settings: {
    ...GUARD_DEFAULTS,
    rules: [
      {
        id: "day",
        mode: "on",
        lock: "soft",
        kind: "loss",
        period: "day",
        limit: minor(100_000),
        counts: "open",
        then: "flatten",
      },
    ],
  },
  verdicts: [
    {
      ruleId: "day",
      kind: "loss",
      isShadow: false,
      level: "breach",
      unit: "money",
      figure: -100_050,
      limit: -100_000,
      source: "gateway",
      asOf: NOW,
      reason: "-1000.50 of -1000.00",
    },
  ],
  judgedAt: NOW,
  entriesRefused: "The account is locked",
  lock: {
    id: "gl_1",
    at: NOW,
    until: NOW + 60_000,
    lock: "soft",
    then: "exitsOnly",
    reason: "Enough",
  },
  upcoming: {},
  tradingDay: "2026-09-21",
  dayEndsAt: NOW + 60_000,
  asOf: NOW,
};

function run(words: string, options: Readonly<Record<string, string>> = {}) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      return view;
    };
  const guards: Partial<GuardUses> = {
    readGuards: note("readGuards"),
    lockAccount: note("lockAccount"),
    unlockAccount: note("unlockAccount"),
  };
  const store = {
    openGuards: async () => guards,
    user: { userId: userId("u_1") },
    intents: { now: async () => NOW },
  };
  const context = { store, positionals: ["paper-1"], options };
  const command = GUARD_COMMANDS[words];
  const printed = command?.(context as unknown as CommandContext);
  return { printed, calls };
}

const CALLER = expect.objectContaining({
  userId: "u_1",
  scopes: ["read", "trade", "manage"],
}) as unknown;

test("shows how near each rule is, and the lock", async () => {
  const { printed, calls } = run("guards show");
  const lines = (await printed)?.split("\n");
  expect(lines).toEqual([
    "account  paper-1",
    "locked   until 2026-09-21T14:31:00.000Z, soft: Enough",
    "entries  refused: The account is locked",
    "figures  of 2026-09-21T14:30:00.000Z",
    "",
    "rule  kind  mode  level   figure   limit  room  resets  reason",
    "day   loss  on    breach  -1000.5  -1000  -     -       -1000.50 of -1000.00",
  ]);
  expect(calls).toEqual([["readGuards", CALLER, "paper-1"]]);
});

test.each([
  [{}, { lock: "soft", then: "exitsOnly" }],
  [
    { until: "2026-09-21T20:00:00Z", lock: "hard", then: "flatten", reason: "News" },
    { until: Date.UTC(2026, 8, 21, 20), lock: "hard", then: "flatten", reason: "News" },
  ],
])("locks by %j", async (options, request) => {
  const { printed, calls } = run("guards lock", options);
  expect(await printed).toContain("locked   until");
  expect(calls).toEqual([["lockAccount", CALLER, "paper-1", request]]);
});

test("unlocks with a reason", async () => {
  const { printed, calls } = run("guards unlock", { reason: "A reset" });
  await printed;
  expect(calls).toEqual([["unlockAccount", CALLER, "paper-1", { reason: "A reset" }]]);
});

test.each<[string, Record<string, string>, string]>([
  ["guards unlock", {}, "--reason is missing"],
  ["guards lock", { lock: "firm" }, '--lock is one of soft, hard, not "firm"'],
  ["guards lock", { then: "sell" }, '--then is one of flatten, exitsOnly, not "sell"'],
  ["guards lock", { until: "2026-09-21T14:30:00Z" }, "until must be in the future"],
])("%s %j is refused", async (words, options, message) => {
  const { printed, calls } = run(words, options);
  await expect(printed).rejects.toThrow(message);
  expect(calls).toEqual([]);
});
