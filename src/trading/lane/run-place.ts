import { exitContract, mismatchReason } from "../../domain/exit-contract.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import { endsAtOnce } from "../../domain/risk.ts";
import { findPlaced, placed } from "./settle/find-placed.ts";
import { type Guarded, guardOrder } from "./guard-order.ts";
import { readStanding } from "./read-standing.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

type PlaceIntent = Extract<Intent, { kind: "PLACE" }>;

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;
/** A store that has taken another one's place need not have the same clock. */
const CLOCK_SLACK_MS = 2_000;

/**
 * Sends one order, and waits for its end where the end comes at once. Answers `held` when it must
 * not be sent before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "held"> {
  const { record, broker } = task;
  const earlier = await findEarlier(deps, task);
  if (earlier !== undefined) return earlier;
  const ready = await decide(deps, task, intent);
  if (ready.kind === "stop") return ready.outcome;
  if (ready.kind === "hold") return "held";

  const { order, entry } = ready;
  const refused = await beforeSending(deps, task, { clOrdId: order.clOrdId, entry });
  if (refused !== undefined) return refused;

  const watched = deps.watch.watch(record.accountId, order.clOrdId);
  try {
    const answer = await broker.submitOrder(record.accountId, order);
    if (answer.kind !== "accepted") return answer;
    const report = endsAtOnce(order)
      ? await watched.closedWithin(CLOSES_WITHIN_MS)
      : watched.latest();
    return placed(order, answer, report);
  } finally {
    watched.stop();
  }
}

type Decision =
  | Exclude<Guarded, { kind: "pass" }>
  | { readonly kind: "send"; readonly order: NewOrderSingle; readonly entry?: AccountLimits };

/** Whether the order may leave, and for which contract, by what the broker shows of the account now. */
async function decide(
  { describe, defaultLimits }: LaneDeps,
  { record, context, broker }: LaneTask,
  { order: asked, isFrontMonth }: PlaceIntent,
): Promise<Decision> {
  const standing = await readStanding(record.accountId, broker);
  // A contract that was named is used exactly as given (specification 2.3).
  const aim = isFrontMonth === true ? exitContract(asked, standing.positions) : undefined;
  const contract = aim?.kind === "use" ? aim.contract : asked.contract;
  const order = { ...asked, contract, clOrdId: clOrdIdOf(record.intentId, 1) };

  const guarded = guardOrder(context, order, standing, defaultLimits);
  if (guarded.kind !== "pass") return guarded;
  // After the guard: what waits for earlier outcomes may find something else held by then.
  if (aim?.kind === "mismatch") {
    const reason = mismatchReason(asked, aim.held, (held) => describe(held).symbol);
    return { kind: "stop", outcome: { kind: "denied", code: "SYMBOL_MISMATCH", reason } };
  }
  return { kind: "send", order, ...(guarded.adds && { entry: guarded.limits }) };
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
