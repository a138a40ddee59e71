import type { ContractCode } from "../../domain/contract.ts";
import { closingPart, exitContract } from "../../domain/exit-contract.ts";
import { fitBracket } from "../../domain/fit-bracket.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import { reckon } from "../../domain/reckoning.ts";
import { answerFor, turnOf } from "./adjust/turned-order.ts";
import { runAdjust } from "./run-adjust.ts";
import { findPlaced } from "./settle/find-placed.ts";
import { guardEntry, type Guarded } from "./guard-order.ts";
import { heldOf, readStanding } from "./read-standing.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import { type Sending, sendOrder } from "./send-order.ts";
import { tested, WAITS } from "./tested.ts";

type PlaceIntent = Extract<Intent, { kind: "PLACE" }>;

/** A store that has taken another one's place need not have the same clock. */
const CLOCK_SLACK_MS = 2_000;

/**
 * Sends one order, and waits for its end where the end comes at once. One at the market that turns
 * around what is held in another month closes that first. Answers `held` when it must not be sent
 * before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "held"> {
  if (task.record.test === true) return await testPlace(deps, task, intent);
  const earlier = await findEarlier(deps, task);
  if (earlier !== undefined) return earlier;
  const ready = await decide(deps, task, intent);
  if (ready.kind === "stop") return ready.outcome;
  if (ready.kind === "hold") return "held";
  if (ready.kind === "turn") return await runTurn(deps, task, intent);

  const sent = await sendOrder(deps, task, ready.order, ready);
  if (sent.kind !== "done" || ready.problem === undefined) return sent;
  const problems = [ready.problem, ...(sent.result.problems ?? [])];
  return { kind: "done", result: { ...sent.result, problems } };
}

async function runTurn(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "held"> {
  const outcome = await runAdjust(deps, task, turnOf(intent));
  return outcome === "held" ? outcome : answerFor(task.record, outcome);
}

async function testPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "held"> {
  const ready = await decide(deps, task, intent);
  if (ready.kind === "stop") return ready.outcome;
  if (ready.kind === "turn") return await runTurn(deps, task, intent);
  if (ready.kind === "hold") {
    return tested([WAITS, { kind: "order", order: intent.order, adds: true }]);
  }
  const { clOrdId: _, ...order } = ready.order;
  const { problem } = ready;
  return tested([
    { kind: "order", order, adds: ready.entry !== undefined },
    ...(problem === undefined ? [] : [{ kind: "withhold", reason: problem } as const]),
  ]);
}

type Decision =
  | Exclude<Guarded, { kind: "pass" }>
  | { readonly kind: "turn" }
  | ({
      readonly kind: "send";
      readonly order: NewOrderSingle;
      /** What of it is not carried out, in words. */
      readonly problem?: string;
    } & Sending);

/** Whether the order may leave, and for which contract, by what the broker shows of the account now. */
async function decide(
  { describe, defaultLimits }: LaneDeps,
  task: LaneTask,
  { order: asked, isFrontMonth }: PlaceIntent,
): Promise<Decision> {
  const { record, broker } = task;
  const standing = await readStanding(record.accountId, broker);
  // A contract that was named is used exactly as given (specification 2.3).
  const aim = isFrontMonth === true ? exitContract(asked, standing.positions) : undefined;
  if (aim?.kind === "turn" && asked.ordType === "MARKET") return { kind: "turn" };
  const symbolOf = (code: ContractCode) => describe(code).symbol;
  const aimed =
    aim?.kind === "turn"
      ? closingPart(asked, aim.held, symbolOf)
      : { order: { ...asked, contract: aim?.contract ?? asked.contract } };
  const { contract } = aimed.order;
  const order = { ...aimed.order, clOrdId: clOrdIdOf(record.intentId, 1) };
  const fitted = fitBracket(order, reckon(contract, standing));
  const fitting = { ...aimed, ...(fitted.kind === "fits" ? fitted : { order }) };

  const guarded = await guardEntry(task, fitting.order, standing, defaultLimits);
  if (guarded.kind !== "pass") return guarded;
  // After the guard: what waits for earlier outcomes may find something else held by then.
  if (fitted.kind === "unfit") {
    const { reason } = fitted;
    return { kind: "stop", outcome: { kind: "denied", code: "POSITION_HELD", reason } };
  }
  const held = heldOf(standing, contract);
  const leftOut = "problem" in fitting ? fitting.problem : undefined;
  return {
    ...fitting,
    kind: "send",
    held,
    ...(guarded.adds && { entry: guarded.limits }),
    ...(leftOut !== undefined && { exitPlan: { closes: [], cancels: [], leftOut } }),
  };
}

/**
 * A store that fell back to what it knew a while ago may show an order as unsent that is at the
 * broker. Only what was accepted before this session can be one, and is looked for.
 */
async function findEarlier(deps: LaneDeps, task: LaneTask): Promise<Outcome | undefined> {
  const { record, broker, connection } = task;
  if (record.acceptedAt >= connection.session.beganAt + CLOCK_SLACK_MS) return undefined;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const outcome = await findPlaced(record, clOrdId, broker);
  // It was sent: its record has the identifier again, or reconciliation would call it nobody's.
  if (outcome !== undefined) await beforeSending(deps, task, { clOrdId });
  return outcome;
}
