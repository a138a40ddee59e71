import type { Aim } from "./alert.ts";
import type { ContractCode } from "./contracts/contract.ts";
import type { OpenPosition } from "./contracts/exit-contract.ts";
import { sign } from "./order.ts";
import type { ExitPlan } from "./exits/exit-plan.ts";
import { firstStopOf } from "./exits/plan-levels.ts";
import type { PreparedOrder } from "./order-ticket.ts";
import type { AskedLevels, Intent, IntentRecord } from "./intent.ts";
import type { IntentResult } from "./intent-result.ts";
import type { LostExits, WorkingExits } from "./working-exits.ts";

type Exits = LostExits["exits"];

/** The exits that an intent asks for, and of what. */
interface Asked {
  /** `position`: also of what stands already, and of all of it. */
  readonly of: "order" | "position";
  readonly contract?: ContractCode;
  readonly exits: Exits;
}

/** The exits that levels are for, whatever they are. */
export const exitsIn = ({
  takeProfit,
  stopLoss,
}: {
  readonly takeProfit?: unknown;
  readonly stopLoss?: unknown;
}): Exits => [
  ...(takeProfit === undefined ? [] : (["TAKE_PROFIT"] as const)),
  ...(stopLoss === undefined ? [] : (["STOP_LOSS"] as const)),
];

/**
 * Whether exits that come with an aim are for all that is held then. With an order they are for what
 * it opens.
 */
export function protectsAll(aim: Aim): boolean {
  switch (aim.to) {
    case "position":
    case "add":
    case "enter":
      return true;
    case "order":
    case "reverse":
    case "close":
      return false;
  }
}

/** What stands before anything is opened and is to have the exits too, as large as it is then. */
export function toProtect(
  aim: Aim,
  held: readonly OpenPosition[],
  { closes, reduce }: { readonly closes: readonly OpenPosition[]; readonly reduce?: PreparedOrder },
): OpenPosition | undefined {
  if (!protectsAll(aim) || (aim.to === "enter" && reduce !== undefined)) return undefined;
  const isClosed = ({ contract }: OpenPosition) =>
    closes.some((close) => close.contract === contract);
  const [standing, other] = held.filter((one) => !isClosed(one));
  if (standing === undefined || other !== undefined) return undefined;
  const netQty = standing.netQty + (reduce === undefined ? 0 : sign(reduce.side) * reduce.orderQty);
  return { ...standing, netQty };
}

/** Every kind of intent says here what exits come with it, so that none is forgotten. */
function askedBy(intent: Intent): Asked | undefined {
  switch (intent.kind) {
    case "PLACE": {
      const { contract, bracket = plannedLegs(intent.handling?.exitPlan) ?? {} } = intent.order;
      return { of: "order", contract, exits: exitsIn(bracket) };
    }
    case "ADJUST": {
      const { contract, aim, terms } = intent;
      const of = protectsAll(aim) ? "position" : "order";
      const { bracket = plannedLegs(intent.handling?.exitPlan) ?? {} } = terms;
      return { of, contract, exits: exitsIn(bracket) };
    }
    case "PROTECT": {
      const { contract } = intent;
      const exits = exitsIn(levelsOf(intent));
      return { of: "position", exits, ...(contract !== undefined && { contract }) };
    }
    case "TIMEOUT": {
      const { contract, bracket = {} } = intent;
      return { of: "order", contract, exits: exitsIn(bracket) };
    }
    case "CANCEL":
    case "MODIFY":
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return undefined;
  }
}

function levelsOf(asked: AskedLevels): Parameters<typeof exitsIn>[0] {
  if ("levels" in asked) return asked.levels;
  if ("written" in asked) return asked.written;
  if ("plan" in asked) return plannedLegs(asked.plan) ?? {};
  // Without it what stands goes on protecting all of the position.
  if ("pair" in asked) return {};
  const { stop, trailing, targets = [] } = asked.writtenPlan;
  const [first] = targets;
  return { takeProfit: first, stopLoss: stop ?? trailing };
}

/** The exits that a plan has from its entry's first fill on. */
export const plannedLegs = (plan: ExitPlan | undefined) =>
  plan && { takeProfit: plan.targets[0]?.at, stopLoss: firstStopOf(plan) };

/** What an intent asked to put there, and its result does not show. */
export const exitsMissingIn = (result: IntentResult, intent: Intent): readonly LostExits[] =>
  missingIn(result, askedBy(intent));

/**
 * What an intent that has ended was asked to put there and did not, or took away from what is still
 * held ("Rules for money" 7). Whether anything that needs it is there, the broker shows.
 */
export function missingExits(record: IntentRecord): readonly LostExits[] {
  const { intent, outcome, plan, test } = record;
  if (outcome === undefined || test === true) return [];
  const asked = askedBy(intent);
  switch (outcome.kind) {
    case "done":
      return missingIn(outcome.result, asked);
    case "unprotected": {
      if (outcome.restored) return [];
      if (plan === undefined) return ofPosition(record, asked);
      const { contract, takeProfitPx, stopLossPx } = plan;
      const exits = exitsIn({ takeProfit: takeProfitPx, stopLoss: stopLossPx });
      return [{ contract, exits: outcome.missing ?? exits }];
    }
    case "denied":
      // Only impossible levels: our other refusals say nothing about the position's exits.
      return outcome.code === "VALIDATION_FAILED"
        ? ofPosition(record, asked, outcome.contract)
        : [];
    case "rejected":
    case "lost":
      return ofPosition(record, asked);
    case "notSent":
      // Before its plan was stored nothing was seen of a position.
      return plan === undefined ? [] : ofPosition(record, asked);
    case "expired":
    case "overtaken":
    case "withdrawn":
    case "unknown":
    case "unfinished":
    case "held":
      return outcome.soFar === undefined ? [] : missingIn(outcome.soFar, asked);
  }
}

/** Every kind of result says here whether what was asked with it was confirmed. */
function missingIn(result: IntentResult, asked: Asked | undefined): readonly LostExits[] {
  switch (result.kind) {
    case "PLACE":
    case "TIMEOUT":
      return result.order?.legsUnconfirmed === true ? lost(result.contract, asked) : [];
    case "ADJUST": {
      const { contract, order, exits, unprotected = [] } = result;
      const ofOrder = order?.legsUnconfirmed === true ? lost(contract, asked) : [];
      const missing = exits?.kind === "missing" ? [exits] : [];
      const ofRest = exits?.kind === "standing" ? ofGrowing(exits, asked) : [];
      return [...unprotected, ...ofOrder, ...missing, ...ofRest];
    }
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return result.unprotected ?? [];
    case "PROTECT":
      return ofGrowing(result, asked);
    case "CANCEL":
    case "MODIFY":
    case "TEST":
      return [];
  }
}

/** What fills after them has no such exits. */
function ofGrowing(
  { contract, growsTo }: WorkingExits,
  asked: Asked | undefined,
): readonly LostExits[] {
  return growsTo === undefined ? [] : lost(contract, asked);
}

/** Of an order that came to nothing no exits are missing. */
function ofPosition(
  { plan }: IntentRecord,
  asked: Asked | undefined,
  contract = plan?.contract ?? asked?.contract,
): readonly LostExits[] {
  return asked?.of === "position" && contract !== undefined ? lost(contract, asked) : [];
}

function lost(contract: ContractCode, asked: Asked | undefined): readonly LostExits[] {
  const { exits = [] } = asked ?? {};
  return exits.length === 0 ? [] : [{ contract, exits }];
}
