import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { clOrdIdOf, type Intent, type IntentRecord, type Outcome } from "../../../domain/intent.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import { isLiveLeg } from "../../../domain/legs.ts";
import { mayStillClose } from "../../../domain/overtaking.ts";
import { opposite, sign } from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";
import { type LaneDeps, type LaneTask, mayHaveBegun } from "../lane-deps.ts";
import { netQtyOf, readSnapshot } from "../read-snapshot.ts";
import { soughtLegs, type SoughtOrder } from "../settle/find-nameless.ts";
import type { Finding } from "../settle/find-placed.ts";
import { findPlacedLegs } from "./legs.ts";
import { placeLegs } from "./place-legs.ts";
import { idsOf, noPosition, protectedBy } from "./protect-outcomes.ts";

type PairIntent = Extract<Intent, { kind: "PROTECT" }> & {
  readonly pair: NonNullable<
    Extract<Extract<Intent, { kind: "PROTECT" }>, { pair: unknown }>["pair"]
  >;
};

/**
 * Places one more pair of exits beside those that stand, for a part of what is held: they give way once
 * it stands. Together stops are for no more than that one part more than is held, so nothing is placed
 * while they are for more than is held already. Answers `parked` while it is not known whether a close of
 * the contract has come about: it would close what that close leaves, or open the other side.
 */
export async function addPair(
  deps: LaneDeps,
  task: LaneTask,
  { contract, pair }: PairIntent,
): Promise<Outcome | "parked"> {
  const { record, broker, context } = task;
  if (contract === undefined) throw new Error("a pair of exits names its contract");
  const earlier = mayHaveBegun(task) ? await findPair(record, broker) : undefined;
  if (earlier?.kind === "settled") return earlier.outcome;
  const held = { contract, side: pair.side };
  if (context.unknown.some((one) => mayStillClose(held, one))) return "parked";
  const snapshot = await readSnapshot(record.accountId, broker, (code) => code === contract);
  const side = opposite(pair.side);
  const heldQty = sign(pair.side) * netQtyOf(snapshot, contract);
  if (heldQty <= 0) return noPosition(deps, contract);
  const standing = snapshot.working.filter(
    (leg) => isLiveLeg(leg) && leg.contract === contract && leg.side === side,
  );
  const stopQty = standing
    .filter(({ role }) => role === "STOP_LOSS")
    .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  if (stopQty > heldQty || pair.qty > heldQty) return CROWDED;
  const { takeProfitPx, stopLossPx, qty } = pair;
  const plan: LegPlan = {
    contract,
    side,
    canceled: "",
    before: {},
    oldOrderIds: standing.map(({ orderId }) => orderId),
    replaces: true,
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
  const placed = await placeLegs(deps, task, plan, { orderQty: qty, nth: 1 });
  switch (placed.kind) {
    case "accepted":
      return protectedBy({ contract, netQty: qty }, placed);
    case "refused":
      return placed.outcome;
    // One of the two stands: it is looked up, and counts as what it is.
    case "partial":
      return { kind: "unknown", reason: `${placed.reason}; ${placed.standing} stands` };
    case "rejected":
    case "notSent":
    case "unknown":
      return placed;
  }
}

const CROWDED: Outcome = {
  kind: "denied",
  code: "POSITION_HELD",
  reason: "The stops that stand are for more than is held already; nothing was placed",
};

/** What became of such a pair: its legs are known by their identifiers, whatever has become of them. */
export async function findPair(
  { accountId, intentId, intent }: IntentRecord,
  broker: Broker,
): Promise<Finding | undefined> {
  if (!isPair(intent)) return undefined;
  const { contract, pair } = intent;
  const legs = await findPlacedLegs(accountId, clOrdIdOf(intentId, 1), broker);
  if (contract !== undefined && legs.length > 0) {
    const outcome = protectedBy({ contract, netQty: pair.qty }, idsOf(legs));
    return { kind: "settled", outcome };
  }
  const reason = "The broker proved that it never had these exits";
  const waiting = "The broker does not show these exits; they are looked up again";
  return {
    kind: "absent",
    afterwards: { kind: "lost", reason },
    waiting,
    sought: contract === undefined ? [] : soughtPair(contract, pair),
  };
}

function soughtPair(
  contract: ContractCode,
  { side, qty, takeProfitPx, stopLossPx }: PairIntent["pair"],
): readonly SoughtOrder[] {
  const exits = { contract, side: opposite(side), orderQty: qty };
  return soughtLegs(exits, [takeProfitPx, stopLossPx]);
}

export const isPair = (intent: Intent): intent is PairIntent =>
  intent.kind === "PROTECT" && "pair" in intent;
