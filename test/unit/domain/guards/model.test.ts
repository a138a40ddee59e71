// The goal: what is judged and locked is what a plain reference says, whatever happens. The method: an
// account goes through steps drawn at random, with crashes in between that leave only what is stored;
// after each step both are asked.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Decided, decide, entriesRefused } from "../../../../src/domain/guards/decide.ts";
import type { GuardFacts } from "../../../../src/domain/guards/guard-facts.ts";
import { judge } from "../../../../src/domain/guards/judge.ts";
import { addLock, endLock, type Held, standingLocks } from "../../../../src/domain/guards/locks.ts";
import { GUARD_DEFAULTS, type GuardSettings } from "../../../../src/domain/guards/rule.ts";
import { createAccount } from "../../../model/guards/account.ts";
import { createReference } from "../../../model/guards/reference.ts";
import { type Beginning, sequences, type Step } from "../../../model/guards/steps.ts";
import type { Grade, Settings } from "../../../model/guards/words.ts";
import { CHECK_SEED } from "../../../support/check-seed.ts";

/**
 * By hand: CHECK_SEED=new GUARD_RUNS=20000 takes new sequences; a failure prints CHECK_SEED and GUARD_PATH,
 * which show it again.
 */
const RUNS = Number(process.env["GUARD_RUNS"] ?? 400);
const PATH = process.env["GUARD_PATH"];
const LIMIT_MS = 60_000 + RUNS * 20;

test(
  "an account is judged and locked as the reference says",
  () => {
    const run = fc.check(fc.property(sequences, goThrough), {
      seed: CHECK_SEED,
      numRuns: RUNS,
      interruptAfterTimeLimit: LIMIT_MS,
      ...(PATH !== undefined && { path: PATH }),
    });
    const [[beginning, failing] = []] = run.counterexample ?? [];
    const lines = [beginning, ...(failing ?? [])].map((step) => `  ${JSON.stringify(step)}`);
    const how = `CHECK_SEED=${run.seed} GUARD_PATH=${run.counterexamplePath}`;
    const why = run.errorInstance instanceof Error ? run.errorInstance.message : "";
    if (run.failed) throw new Error([how, ...lines, why].join("\n"));
    expect(run.numRuns).toBeGreaterThan(0);
  },
  LIMIT_MS + 30_000,
);

function goThrough([beginning, taken]: readonly [Beginning, readonly Step[]]): void {
  const account = createAccount(beginning.at, beginning.scale);
  const reference = createReference();
  let settings: Settings = beginning.settings;
  let held: Partial<Held> = {};
  let ids = 0;
  const newLockId = () => `lock${(ids += 1)}`;

  function look(): void {
    const facts = account.facts();
    const { now, dayEndsAt } = facts;
    const by = settings as GuardSettings;
    const judgement = judge({ ...GUARD_DEFAULTS, ...by }, held.state, facts);
    const decided = decide({ ...GUARD_DEFAULTS, ...by }, held.lock, judgement, {
      now,
      dayEndsAt,
      newLockId,
    });
    compare(decided, judgement.verdicts, reference.look(facts, settings), settings);
    toldRightly(held, decided);
    held = decided;
  }

  look();
  for (const step of taken) {
    if (step.is === "crashed") held = JSON.parse(JSON.stringify(held)) as Held;
    else if (step.is === "changed") settings = step.settings;
    else if (step.is === "locked") held = lockByHand(held as Held, account.facts(), step);
    else if (step.is === "ended") held = endSoft(held as Held);
    else account.happens(step);
    look();
  }

  function lockByHand(on: Held, { now }: GuardFacts, { minutes, then }: Step & { is: "locked" }) {
    const until = now + minutes * 60_000;
    reference.lock({ until, lock: "hard", then });
    const asked = { id: newLockId(), at: now, until, lock: "hard", then, reason: "asked" } as const;
    return addLock(on, asked);
  }

  function endSoft(on: Held): Held {
    const { lock } = on;
    if (lock?.ruleId === undefined || lock.lock === "hard") return on;
    const isSet = on.state.rules[lock.ruleId] !== undefined;
    reference.end(lock.ruleId, isSet);
    return endLock(on);
  }
}

function compare(
  decided: Decided,
  verdicts: ReturnType<typeof judge>["verdicts"],
  { found, off, stand, locks, refused }: ReturnType<ReturnType<typeof createReference>["look"]>,
  { rules }: Settings,
): void {
  const shown = verdicts.map(({ ruleId, kind, level, figure, limit, room }) => ({
    ruleId,
    level,
    ...(kind !== "count" && kind !== "consistency" && { figure, room }),
    ...((kind === "drawdown" || kind === "lots") && { limit }),
  }));
  const wanted = rules.map(({ id: ruleId, kind }) => {
    const { level, figure, room, limit } = found.get(ruleId) ?? { level: "unknown" };
    return {
      ruleId,
      level: off.has(ruleId) && isRefusing(level) ? "warn" : level,
      ...(kind !== "count" && kind !== "consistency" && { figure: num(figure), room: num(room) }),
      ...((kind === "drawdown" || kind === "lots") && { limit: num(limit) }),
    };
  });
  expect(shown.filter(({ level }) => level !== "unknown")).toEqual(
    wanted.filter(({ level }) => level !== "unknown"),
  );
  expect(shown.map(({ level }) => level)).toEqual(wanted.map(({ level }) => level));

  const standing = standingLocks(decided);
  const ofRules = standing.filter(({ ruleId }) => ruleId !== undefined);
  const byRule = ofRules.map(({ ruleId, until, lock, then }) => [ruleId, { until, lock, then }]);
  expect(Object.fromEntries(byRule)).toEqual(Object.fromEntries(locks));
  expect(ofRules).toHaveLength(locks.size);
  expect(decided.lock !== undefined).toBe(stand.length > 0);
  expect(decided.lock?.then === "flatten").toBe(stand.some(({ then }) => then === "flatten"));
  expect(Math.max(0, ...standing.map(({ until }) => until ?? Infinity))).toBe(
    Math.max(0, ...stand.map(({ until }) => until)),
  );
  expect(entriesRefused(decided.lock, verdicts) !== undefined).toBe(refused);
}

/** Each lock is told as it begins, and that nothing is locked any more. */
function toldRightly(before: Partial<Held>, after: Decided): void {
  const had = before.state === undefined ? [] : standingLocks(before as Held).map(({ id }) => id);
  const begun = standingLocks(after).filter(({ id }) => !had.includes(id));
  const told = after.decisions.filter(({ what }) => what === "locked");
  const names = (of: readonly { readonly ruleId?: string }[]) =>
    of.map(({ ruleId = "" }) => ruleId).toSorted((a, b) => a.localeCompare(b));
  expect(names(told)).toEqual(names(begun));
  const isOver = before.lock !== undefined && after.lock === undefined;
  expect(after.decisions.some(({ what }) => what === "unlocked")).toBe(isOver);
}

const isRefusing = (level: Grade): boolean => level !== "ok" && level !== "warn";
const num = (amount: bigint | undefined) => (amount === undefined ? undefined : Number(amount));
