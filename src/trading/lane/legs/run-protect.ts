import { isMeantBy } from "../../../domain/adjust.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AskedLevels, Intent, Outcome } from "../../../domain/intent.ts";
import type { Bracket } from "../../../domain/order.ts";
import type { Prepared } from "../../../domain/contracts/tick-reader.ts";
import { prepareLegs } from "../../../domain/order-ticket.ts";
import { tickSize as sizeOf } from "../../../domain/contracts/price.ts";
import { exposuresOf } from "../../../domain/exposure.ts";
import type { ExitPlan } from "../../../domain/exits/exit-plan.ts";
import { fractionOf } from "../../../domain/exits/fraction.ts";
import { bracketOfPlan } from "../../../domain/exits/plan-bracket.ts";
import { prepareExitPlan } from "../../../domain/exits/prepare-exit-plan.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { ContractTerms } from "../../orders/describe-contract.ts";
import { beginForPosition } from "../exits/begin-plan.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { dryRunDone, WAITS } from "../dry-run.ts";
import { addPair, isPair } from "./add-pair.ts";
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
  if (isPair(intent)) return await addPair(deps, task, intent);
  const isOf = (code: ContractCode) => {
    const { contract, isFrontMonth } = intent;
    return (
      contract === undefined || isMeantBy({ contract, ...(isFrontMonth && { isFrontMonth }) }, code)
    );
  };
  const snapshot = await readSnapshot(record.accountId, broker, isOf);
  const [position, other] = snapshot.positions.filter(
    ({ contract, netQty }) => netQty !== 0 && isOf(contract),
  );
  if (position === undefined) {
    const isUnsure = context.unknown.some(({ isEarlier }) => isEarlier) || context.parkedBefore;
    const isComing = exposuresOf(snapshot).some(
      ({ contract, expectedQty }) => expectedQty !== 0 && isOf(contract),
    );
    if (!isUnsure && !isComing) return noPosition(deps, intent.contract);
    return record.test === true ? dryRunDone([WAITS]) : "parked";
  }
  if (other !== undefined) return invalidFields([SEVERAL]);
  const read = readLevels(deps, intent, position);
  if (!read.ok) return invalidFields(read.problems, position);
  const { bracket, plan } = read.value;
  if (record.test !== true) {
    if (plan !== undefined) await beginForPosition(deps, task, plan, position);
    else await deps.exits.replace(record.accountId, position.contract, record.intentId);
  }
  const outcome = await protectOpenPosition(deps, task, bracket, { snapshot, position });
  const isNewest = plan === undefined && outcome.kind === "done" && record.test !== true;
  if (isNewest) await deps.exits.endAll(record.accountId, position.contract);
  return outcome;
}

interface AskedExits {
  readonly bracket: Bracket;
  readonly plan?: ExitPlan;
}

function readLevels(
  { describe }: LaneDeps,
  asked: AskedLevels,
  position: BrokerPosition,
): Prepared<AskedExits> {
  if ("levels" in asked) return { ok: true, value: { bracket: asked.levels } };
  const { contract, terms } = position;
  const described = describe(contract, terms);
  const { symbol, tickSize, mayBeNegative = false } = described;
  if ("plan" in asked) return exitsOfPlan(asked.plan, position, described);
  if ("pair" in asked) throw new Error("a pair is no level of a whole position");
  if (tickSize === undefined) {
    const message = `is in ${symbol}, of which neither the contract table nor the broker tells a tick: protect it at the broker`;
    return { ok: false, problems: [{ path: "symbol", message }] };
  }
  const priceTerms = { tickSize: sizeOf(tickSize), mayBeNegative };
  if ("writtenPlan" in asked) {
    const plan = prepareExitPlan(asked.writtenPlan, priceTerms);
    return plan.ok ? exitsOfPlan(plan.value, position, described) : plan;
  }
  const legs = prepareLegs(asked.written, priceTerms);
  return legs.ok ? { ok: true, value: { bracket: legs.value } } : legs;
}

/** Its first stop and first target, counted from the position's average price, for all of it. */
function exitsOfPlan(
  plan: ExitPlan,
  { avgPx, netQty }: BrokerPosition,
  { tickValue }: Pick<ContractTerms, "tickValue">,
): Prepared<AskedExits> {
  const entry = avgPx && fractionOf(avgPx);
  const side = netQty > 0 ? ("BUY" as const) : ("SELL" as const);
  const bracket = entry && bracketOfPlan(plan, { side, plan, entry, tickValue });
  if (bracket !== undefined) return { ok: true, value: { bracket, plan } };
  const message =
    entry === undefined
      ? "counts from the average price of the position, which the broker does not tell"
      : "counts in money, and what a tick of the contract is worth is not known";
  return { ok: false, problems: [{ path: "exitPlan", message }] };
}

const SEVERAL = {
  path: "symbol",
  message: "must say which of the open positions is meant",
} as const;
