import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { IntentId } from "../../domain/ids.ts";
import { type IntentRecord, isUnsettled, type Outcome } from "../../domain/intent.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import { GatewayError } from "../../errors.ts";
import type { SubmitIntent } from "../orders/submit-intent.ts";
import type { ComputeDecision, Decided } from "./compute-decision.ts";
import { intentOf, sendingOf } from "./order-for.ts";
import { endEvaluation, type EndEvaluationDeps } from "./end-evaluation.ts";
import type { Evaluation, EvaluationLog, Strategies } from "./ports.ts";
import { ACCEPT_WITHIN_MS, type IntentStore } from "../orders/ports.ts";

export interface RunSlotDeps extends EndEvaluationDeps {
  readonly strategies: Pick<Strategies, "find">;
  readonly log: Pick<EvaluationLog, "findOpen" | "decide" | "end">;
  readonly intents: Pick<IntentStore, "now" | "find">;
  readonly compute: ComputeDecision;
  readonly contracts: ContractDirectory;
  readonly submit: SubmitIntent;
}

export type RunSlot = (id: IntentId) => Promise<void>;

/** A slot that is not begun by then is missed: what it would decide is old. */
export const SLOT_MAX_AGE_MS = 10_000;

/** An exit that could not leave by then is decided anew: meanwhile a person may have acted. */
const EXIT_MAX_AGE_MS = 60_000;

/** How long the end of its intent is waited for; what takes longer is ended by a sweep. */
const WAIT_MS = 2_000;

/**
 * Evaluates a slot that was taken. It may run again, here or in another process, from wherever it was
 * interrupted: its first decision stands, and its intent is accepted once.
 */
export function createRunSlot(deps: RunSlotDeps): RunSlot {
  const { strategies, log, intents, compute } = deps;

  return async function runSlot(id) {
    const [opened, now] = await Promise.all([log.findOpen(id), intents.now()]);
    if (opened === undefined) return;
    const strategy = await strategies.find(opened.strategyId);
    if (strategy === undefined) return;
    const decided = isDecided(opened) ? opened : await decideNow(strategy, opened, now);
    if (decided === undefined) return;
    const ended = decided.sends === true ? await carryOut(strategy, decided) : decided;
    // Whoever sweeps ends it when its intent has ended.
    if (ended.sends === true && ended.outcome === undefined) return;
    const endedAt = await intents.now();
    const whole = { ...ended, durationMs: Math.max(0, endedAt - opened.openedAt) };
    await endEvaluation(deps, strategy, whole, endedAt);
  };

  /** Undefined when another process has ended it meanwhile, or it is to be looked at again. */
  async function decideNow(
    strategy: Strategy,
    opened: Evaluation,
    now: number,
  ): Promise<Decided | undefined> {
    const begun = { ...opened, openedAt: now };
    const decided = whyNot(strategy, begun) ?? (await compute(strategy, begun));
    if (decided.unread === true && hasTimeLeft(opened, await intents.now())) return undefined;
    const stands = await log.decide({ ...decided, ...sendingOf(strategy, decided) });
    if (stands === "changed") return changed(begun);
    return stands !== undefined && isDecided(stands) ? stands : undefined;
  }

  /**
   * What was interrupted is taken up in time, and by the terms it was decided by; else what became of
   * it before is looked up.
   */
  async function carryOut(strategy: Strategy, decided: Decided): Promise<Decided> {
    const { accountId, evaluationId, version } = decided;
    const now = await intents.now();
    const { slotAt = now } = decided;
    const leftMs = slotAt + SLOT_MAX_AGE_MS - now;
    if (leftMs > 0 && strategy.version === version) {
      return await send(strategy, decided, { now, leftMs });
    }
    return withOutcomeOf(decided, await intents.find(accountId, evaluationId));
  }

  async function send(
    strategy: Strategy,
    decided: Decided,
    { now, leftMs }: { readonly now: number; readonly leftMs: number },
  ): Promise<Decided> {
    try {
      const { settled } = await deps.submit({
        accountId: decided.accountId,
        userId: decided.userId,
        source: { kind: "strategy" },
        requestId: decided.evaluationId,
        intentId: decided.evaluationId,
        intent: intentOf(strategy, decided, deps.contracts),
        // Accepted it is not beyond the slot's time either.
        receivedAt: now - Math.max(0, ACCEPT_WITHIN_MS - leftMs),
        waitMs: WAIT_MS,
        entryMaxAgeMs: leftMs,
        exitMaxAgeMs: EXIT_MAX_AGE_MS,
      });
      return settled === undefined ? decided : { ...decided, outcome: settled.record.outcome };
    } catch (error) {
      // Its terms do not fit its contract any more: nothing was sent.
      const isRefused = error instanceof GatewayError && error.spec.status === 400;
      if (!isRefused) throw error;
      return { ...decided, outcome: { kind: "notSent", reason: error.message } };
    }
  }
}

const NEVER_ACCEPTED: Outcome = {
  kind: "notSent",
  reason: "The gateway was interrupted before it was put on its lane",
};

/** An evaluation that was left behind, with what became of its intent; open while that is. */
export function withOutcomeOf(decided: Decided, record: IntentRecord | undefined): Decided {
  if (record === undefined) return { ...decided, outcome: NEVER_ACCEPTED };
  const { outcome, state } = record;
  return outcome === undefined || isUnsettled(state) ? decided : { ...decided, outcome };
}

/** What is left open is handed out again within some 2 seconds. */
const AGAIN_WITHIN_MS = 3_000;

function hasTimeLeft({ slotAt }: Evaluation, now: number): boolean {
  return slotAt !== undefined && now <= slotAt + SLOT_MAX_AGE_MS - AGAIN_WITHIN_MS;
}

/** Why a slot is not evaluated any more. */
function whyNot(strategy: Strategy, opened: Evaluation): Decided | undefined {
  const { slotAt = opened.openedAt, openedAt, version } = opened;
  if (strategy.version !== version) return changed(opened);
  return openedAt > slotAt + SLOT_MAX_AGE_MS ? missed(opened, openedAt - slotAt) : undefined;
}

function changed(opened: Evaluation): Decided {
  return { ...opened, verdict: "skipped", reason: "The strategy was changed before its turn came" };
}

export function isDecided(evaluation: Evaluation): evaluation is Decided {
  return evaluation.verdict !== undefined;
}

export function missed(opened: Evaluation, lateMs: number): Decided {
  const reason = `Nobody began it within ${SLOT_MAX_AGE_MS / 1_000} seconds; it was ${Math.round(lateMs / 1_000)} seconds late`;
  return { ...opened, verdict: "missed", reason };
}
