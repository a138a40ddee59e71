import { rootOfCode } from "../../../domain/contracts/contract.ts";
import type { OpenPosition } from "../../../domain/contracts/exit-contract.ts";
import type { AskedLevels, Intent, Outcome } from "../../../domain/intent.ts";
import type { Bracket } from "../../../domain/order.ts";
import type { Prepared } from "../../../domain/contracts/tick-reader.ts";
import { prepareLegs } from "../../../domain/order-ticket.ts";
import { tickSize as sizeOf } from "../../../domain/contracts/price.ts";
import { exposuresOf } from "../../../domain/exposure.ts";
import type { BrokerPosition } from "../../ports.ts";
import { isMeant } from "../../orders/resolve.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { dryRunDone, WAITS } from "../dry-run.ts";
import { protectOpenPosition } from "./protect-open-position.ts";
import { invalidFields, noPosition } from "./protect-outcomes.ts";

type ProtectIntent = Extract<Intent, { kind: "PROTECT" }>;

/**
 * Attaches or replaces the exits of the position that is meant, as it is held now. Answers `held`
 * where nothing is held yet, and an order is being filled or the outcome of something earlier is not
 * known: that may be what it is to protect.
 */
export async function runProtect(
  deps: LaneDeps,
  task: LaneTask,
  intent: ProtectIntent,
): Promise<Outcome | "parked"> {
  const { record, context, broker } = task;
  const snapshot = await readSnapshot(record.accountId, broker);
  const [position, other] = snapshot.positions.filter((one) => isOf(intent, one));
  if (position === undefined) {
    const isUnsure = context.unknown.some(({ isEarlier }) => isEarlier) || context.parkedBefore;
    const isComing = exposuresOf(snapshot).some(({ contract, expectedQty }) =>
      isOf(intent, { contract, netQty: expectedQty }),
    );
    if (!isUnsure && !isComing) return noPosition(deps, intent.contract);
    return record.test === true ? dryRunDone([WAITS]) : "parked";
  }
  if (other !== undefined) return invalidFields([SEVERAL]);
  const read = readLevels(deps, intent, position);
  if (!read.ok) return invalidFields(read.problems, position);
  return await protectOpenPosition(deps, task, read.value, { snapshot, position });
}

function isOf({ contract, isFrontMonth }: ProtectIntent, { netQty, ...one }: OpenPosition) {
  if (netQty === 0) return false;
  if (contract === undefined) return true;
  const meant = isFrontMonth === true ? {} : { contract };
  return isMeant(one.contract, { root: rootOfCode(contract), ...meant });
}

function readLevels(
  { describe }: LaneDeps,
  asked: AskedLevels,
  { contract, terms }: BrokerPosition,
): Prepared<Bracket> {
  if ("levels" in asked) return { ok: true, value: asked.levels };
  if (!("written" in asked)) return { ok: false, problems: [PLAN_UNKNOWN] };
  const { symbol, tickSize, mayBeNegative = false } = describe(contract, terms);
  if (tickSize !== undefined) {
    return prepareLegs(asked.written, { tickSize: sizeOf(tickSize), mayBeNegative });
  }
  const message = `is in ${symbol}, of which neither the contract table nor the broker tells a tick: protect it at the broker`;
  return { ok: false, problems: [{ path: "symbol", message }] };
}

/** No lane carries an exit plan out yet. */
const PLAN_UNKNOWN = { path: "exitPlan", message: "is not carried out yet" } as const;

const SEVERAL = {
  path: "symbol",
  message: "must say which of the open positions is meant",
} as const;
