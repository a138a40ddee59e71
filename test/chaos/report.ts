import type { DoneFault } from "./faults-done.ts";
import { fullWhileLocked } from "./guards.ts";
import type { Copying, Evaluating, History, StoredIntent } from "./history.ts";
import { slotsBetween } from "./slots.ts";
import type { Verdict, Violation } from "./verdict.ts";
import type { Run } from "./run.ts";
import { isOfStore } from "./schedule.ts";
import { measureTakeOvers, spread, type TakeOver } from "./take-overs.ts";

/** Neighbouring faults tell most of a story. */
const AROUND_MS = 10_000;
const MOST_STORIES = 40;

/** What a run showed, for a person to read. */
export function report(run: Run): string {
  const { seed, broker, seconds, history, verdicts, faults, isQuiet, quietSeconds } = run;
  const ahead = run.acceptances.filter(({ isAhead }) => isAhead);
  const { calls, intents, log } = history;
  const attempts = calls.flatMap((call) => call.attempts);
  const lines = [
    `seed ${seed}, broker ${broker}, Redis ${run.redis}, ${seconds.toFixed(0)} s in all`,
    `calls ${calls.length}, requests ${attempts.length}, intents ${intents.length}, broker log ${log.length} entries`,
    `calls sent more than once: ${tally(repeatedBy(calls))}`,
    `answers: ${tally(attempts.map(({ end, status }) => (end === "answered" ? String(status) : end)))}`,
    `intents by state: ${tally(intents.map(({ state }) => state))}`,
    `by kind: ${tally(intents.map(({ kind }) => kind))}; held behind an unknown: ${intents.filter(({ wasHeld }) => wasHeld).length}`,
    `acceptances ${run.acceptances.length}; those that were to begin it as well: ${tally(ahead.map(({ answer }) => answer))}`,
    `asked while stopped: ${tally(calls.flatMap(({ stoppedBy }) => stoppedBy ?? []))}`,
    `adjustments: ${tally(intents.flatMap(endOfAdjustment))}`,
    ...copied(history.copying),
    ...evaluated(history),
    ...guarded(history),
    ...byPlans(run),
    `faults carried out: ${tally(faults.filter(({ isHit }) => isHit).map(({ fault }) => fault.kind))}`,
    `faults that met nothing: ${tally(faults.filter(({ isHit }) => !isHit).map(({ fault }) => fault.kind))}`,
    `what befell Redis: ${tally(faults.filter(({ isHit, fault }) => isHit && isOfStore(fault)).map(({ note }) => note))}`,
    deaths(faults),
    `crash points hit: ${tally(faults.flatMap(pointHit))}`,
    ...takeOvers(measureTakeOvers(faults, log)),
    isQuiet ? `quiet after ${quietSeconds.toFixed(1)} s` : "it did not become quiet in time",
    "",
    ...verdicts.map(describeVerdict),
  ];
  return `${lines.join("\n")}\n`;
}

/** Everything that is known about what must never be. */
export function stories({ history, verdicts, faults }: Run): string {
  return verdicts
    .flatMap(({ name, violations }) =>
      violations.slice(0, MOST_STORIES).map((one) => `# ${name}\n${story(one, history, faults)}\n`),
    )
    .join("\n");
}

function story(
  { account, intentIds, what, at }: Violation,
  { intents, calls, log, copying, evaluating }: Run["history"],
  faults: readonly DoneFault[],
): string {
  const records = intents.filter(({ intentId }) => intentIds.includes(intentId));
  const requests = new Set(records.map(({ requestId }) => requestId));
  const asked = calls.filter(({ attempts }) =>
    attempts.some(
      ({ requestId, told }) => requests.has(requestId) || intentIds.includes(told.intentId ?? ""),
    ),
  );
  const copies = copying.copies.filter(({ copyId }) => intentIds.includes(copyId));
  const slots = evaluating.slots.filter(({ evaluationId }) => intentIds.includes(evaluationId));
  const seen = log.filter(({ clOrdId = "" }) => intentIds.includes(clOrdId.split("-")[0] ?? ""));
  const times = [
    ...(at === undefined ? [] : [at]),
    ...seen.map(({ at }) => at),
    ...asked.flatMap(({ attempts }) =>
      attempts.flatMap(({ sentAt, endedAt }) => [sentAt, endedAt]),
    ),
  ];
  const [from, until] = [Math.min(...times) - AROUND_MS, Math.max(...times) + AROUND_MS];
  const around = faults.filter(({ startedAt, endedAt }) => startedAt <= until && endedAt >= from);
  const [connection] = account.split(/-\d+$/);
  const sessions = log.filter(
    (entry) =>
      entry.connection === connection &&
      ["login", "end"].includes(entry.op) &&
      entry.at >= from &&
      entry.at <= until,
  );
  return [
    `${account}: ${what}`,
    ...section("records", records),
    ...section("calls", asked),
    ...section("copies", copies),
    ...section("slots", slots),
    ...section("broker", seen),
    ...section("account", account === "" ? [] : log.filter((entry) => entry.account === account)),
    ...section("sessions", sessions),
    ...section("faults", around),
  ].join("\n");
}

function section(name: string, rows: readonly object[]): string[] {
  return [`- ${name}`, ...rows.map((row) => `  ${JSON.stringify(row)}`)];
}

function describeVerdict({ name, checked, violations }: Verdict): string {
  const end = violations.length === 0 ? "PASS" : `FAIL ${violations.length}`;
  const first = violations.slice(0, 3).map(({ account, what }) => `\n       ${account}: ${what}`);
  return `${end.padEnd(6)} ${name} (${checked} checked)${first.join("")}`;
}

/** By what the gateway had to know a copy. */
function repeatedBy(calls: Run["history"]["calls"]): string[] {
  return calls.flatMap(({ plan: { via, isNamed, copies }, attempts }) => {
    if (attempts.length === 1) return [];
    if (via === "webhook") return [isNamed ? "by alertId" : "by body"];
    return [copies > 1 ? "by key" : "not at all, after a safe 503"];
  });
}

/** Of those that are done: whether wholly. */
function endOfAdjustment({ kind, state, problems = [] }: StoredIntent): string[] {
  if (kind !== "ADJUST") return [];
  return [problems.length === 0 ? state : `${state} with problems`];
}

function copied({ groups, copies }: Copying): string[] {
  const followers = groups.reduce((sum, group) => sum + group.followers.length, 0);
  const sent = copies.flatMap(({ cause, sentMs }) => (cause === "fill" ? (sentMs ?? []) : []));
  return [
    `copies to ${followers} followers of ${groups.length} leaders: ${tally(copies.map(({ cause, outcome }) => `${cause} ${outcome}`))}`,
    `from a leader's fill until its copy was sent (${sent.length}): ${inWords(sent)}`,
  ];
}

function evaluated({ evaluating, log }: Pick<History, "evaluating" | "log">): string[] {
  const { strategies, slots, untilAt } = evaluating;
  const had = strategies.flatMap(({ firstSlotAt }) => slotsBetween(firstSlotAt, untilAt));
  const begun = slots.filter(({ verdict }) => verdict !== "missed");
  const ids = new Set(slots.map(({ evaluationId }) => evaluationId));
  const orders = log.filter(
    ({ op, outcome, clOrdId = "" }) =>
      op !== "fill" && outcome === "accepted" && ids.has(clOrdId.split("-")[0] ?? ""),
  );
  const lateMs = begun.map(({ slotAt, startedAt }) => startedAt - slotAt);
  return [
    `strategies ${strategies.length}, slots under load ${had.length}; told in all: evaluated ${begun.length}, missed ${missedOf(slots)}, orders ${orders.length}`,
    `slots by decision and outcome: ${tally(slots.map(({ verdict, outcome }) => `${verdict} ${outcome}`))}`,
    `from a slot until it was begun (${begun.length}): ${inWords(lateMs)}`,
  ];
}

function guarded({ guarding, log, intents }: History): string[] {
  const decisions = Object.values(guarding.decisions).flat();
  const own = new Set(guarding.accounts);
  const denied = intents.filter(({ account, state }) => own.has(account) && state === "DENIED");
  const all = fullWhileLocked({ guarding, log });
  const [first, later] = [true, false].map((isFirst) =>
    all.filter((one) => one.isFirst === isFirst).map(({ from, until }) => until - from),
  );
  return [
    `accounts with guards ${guarding.accounts.length}; decisions: ${tally(decisions.map(({ what, ruleId }) => `${what} ${ruleId ?? ""}`.trim()))}`,
    `their entries ${guarding.writtenAhead.size}, denied ${denied.length}; by guards: ${tally(intents.filter(({ via }) => via === "guard").map(({ kind, state }) => `${kind} ${state}`))}`,
    `from a lock until the account was empty (${first?.length}): ${inWords(first ?? [])}; what filled later (${later?.length}): ${inWords(later ?? [])}; without a fault: ${inWords(all.map(({ calmMs }) => calmMs))}`,
  ];
}

function byPlans({ planned, history: { intents } }: Run): string[] {
  const own = intents.filter(({ via }) => via === "plan");
  return [
    `accounts with exit plans ${planned.length}; intents of plans: ${tally(own.map(({ kind, state }) => `${kind} ${state}`))}`,
    `in the end, from an entry until it was one pair a target (${planned.length}): ${inWords(planned.flatMap(({ splitMs }) => splitMs ?? []))}`,
  ];
}

function missedOf(slots: Evaluating["slots"]): number {
  const missed = slots.filter(({ verdict }) => verdict === "missed");
  return missed.reduce((sum, { missedSlots = 1 }) => sum + missedSlots, 0);
}

function pointHit({ fault, isHit }: DoneFault): string[] {
  if (!("point" in fault) || !isHit) return [];
  return [fault.kind === "crashAhead" ? `${fault.point} of what ran ahead` : fault.point];
}

function deaths(faults: readonly DoneFault[]): string {
  const kills = faults.reduce((sum, fault) => sum + fault.kills, 0);
  const freezes = faults.filter(({ fault, isHit }) => isHit && fault.kind.startsWith("freeze"));
  return `kills ${kills}, freezes ${freezes.length}`;
}

function takeOvers(all: readonly TakeOver[]): string[] {
  return [true, false].flatMap((isReported) => {
    const some = all.filter((one) => one.isReported === isReported);
    const calm = some.filter((one) => one.isUndisturbed);
    const how = isReported ? "reported" : "by lease";
    const row = (what: string, values: readonly TakeOver[]) => {
      const login = inWords(values.map(({ toLoginMs }) => toLoginMs));
      const order = inWords(values.flatMap(({ toOrderMs }) => toOrderMs ?? []));
      return `take-over, ${how}, ${what} (${values.length}): to the login ${login}, to the first order ${order}`;
    };
    return [row("all", some), row("with no other fault near", calm)];
  });
}

function inWords(values: readonly number[]): string {
  const found = spread(values);
  return found === undefined ? "-" : `p50 ${found.p50} ms, max ${found.max} ms`;
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rows = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  return rows.length === 0 ? "none" : rows.map(([word, count]) => `${word} ${count}`).join(", ");
}
