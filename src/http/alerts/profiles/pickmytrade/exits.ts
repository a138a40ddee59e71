import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import type { PlanLevelTicket, PlanTargetTicket } from "../../../../domain/exits/exit-plan.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { isObject } from "../../written-values.ts";
import type { SaidExits } from "../../exit-terms.ts";
import { REFUSED_IN_EXITS } from "./fields.ts";

/** 0 stands for no price. */
export function readPrice(fields: AlertFields, name: string): WrittenNumber | undefined {
  const written = fields.isOff(name) ? undefined : fields.number(name);
  if (written === undefined || Number(written) > 0) return written;
  return fields.problem(name, "must be a price above 0, or 0");
}

/** What an entry says of its exits, or one part of it. */
export function readExits(fields: AlertFields): SaidExits {
  const levels = levelsOf(fields);
  return { ...levels, ...readTrailing(fields, levels), ...readBreakeven(fields, levels) };
}

function levelsOf(fields: AlertFields): Levels {
  const target = readLevel(fields, "tp");
  const stop = readLevel(fields, "sl");
  return {
    ...(target !== undefined && { target }),
    ...(stop !== undefined && { stop }),
  };
}

/** The service counts `percentage_…` from the entry's price. */
function readLevel(fields: AlertFields, name: "tp" | "sl"): PlanLevelTicket | undefined {
  const price = readPrice(fields, name);
  const percent = fields.percent(`percentage_${name}`);
  if (price !== undefined && percent !== undefined) {
    return fields.problem(`percentage_${name}`, `says the same as ${name}: give one of the two`);
  }
  if (price !== undefined) return { price };
  return percent === undefined ? undefined : { percent };
}

type Levels = Pick<SaidExits, "target" | "stop">;

/** What the service calls the measurement type: all distances of an alert are counted in it. */
function unitOf({ target, stop }: Levels): "offset" | "percent" | undefined {
  const has = (unit: "price" | "percent") =>
    [target, stop].some((level) => level?.[unit] !== undefined);
  if (!has("percent")) return "offset";
  return has("price") ? undefined : "percent";
}

const UNIT_UNKNOWN =
  "counts in the unit of sl and tp, of which one is a price here and the other a percentage: write both as the same";

/**
 * The stop follows at `trail_stop`, from a gain of `trail_trigger` on, by no less than `trail_freq`:
 * distances in price, as where the service hands them on to (Tradovate's `autoTrail`).
 */
function readTrailing(fields: AlertFields, levels: Levels): Pick<SaidExits, "trailing"> {
  const before = fields.problems.length;
  if (fields.isOff("trail") || !fields.flag("trail")) {
    for (const name of TRAIL) fields.refuse(name, "says nothing without trail: set it to 1");
    return {};
  }
  const [distance, from, step] = TRAIL.map((name) => readPrice(fields, name));
  if (unitOf(levels) !== "offset") fields.problem("trail", NO_PERCENT);
  if (from !== undefined && levels.stop === undefined) fields.problem("trail_trigger", NEEDS_SL);
  if (fields.isOff("trail_stop")) {
    fields.problem("trail_stop", "is needed with trail: how far the stop stays behind");
  }
  if (distance === undefined || fields.problems.length > before) return {};
  return {
    trailing: {
      distance: { offset: distance },
      ...(from !== undefined && { from: { offset: from } }),
      ...(step !== undefined && { step: { offset: step } }),
    },
  };
}

const TRAIL = ["trail_stop", "trail_trigger", "trail_freq"] as const;
const NO_PERCENT =
  "is not done beside a percentage, whose unit it may count in: write sl and tp as prices";
const NEEDS_SL =
  "needs sl or percentage_sl: until it is reached, nothing else protects the position";

/** After a gain of `breakeven` the stop goes to the entry, and `breakeven_offset` beyond it. */
function readBreakeven(fields: AlertFields, levels: Levels): Pick<SaidExits, "breakeven"> {
  const after = readPrice(fields, "breakeven");
  const plus = readPrice(fields, "breakeven_offset");
  if (after === undefined) {
    // Left over in many bodies beside a breakeven of 0; alone it would be of nothing.
    if (plus !== undefined) fields.overlook("breakeven_offset");
    return {};
  }
  const unit = unitOf(levels) ?? "offset";
  const why = whyNoBreakeven(levels, plus);
  if (why !== undefined) {
    fields.problem("breakeven", why);
    return {};
  }
  if (plus !== undefined && Number(plus) >= Number(after)) {
    fields.problem(
      "breakeven_offset",
      "must be less than breakeven: the stop would be in the market",
    );
    return {};
  }
  return {
    breakeven: {
      after: { [unit]: after },
      ...(plus !== undefined && { plus: { offset: plus } }),
    },
  };
}

function whyNoBreakeven(levels: Levels, plus: WrittenNumber | undefined): string | undefined {
  const unit = unitOf(levels);
  if (unit === undefined) return UNIT_UNKNOWN;
  if (levels.stop === undefined) return "moves a stop: write sl or percentage_sl with it";
  if (unit === "percent" && plus !== undefined) return PLUS_IN_PERCENT;
  return undefined;
}

const PLUS_IN_PERCENT =
  "with a breakeven_offset is not done in percent: leave the offset 0, or write sl and tp as prices";

/** `advance_tp_sl`: an entry in parts, each with a target of its own. The stop is one for all. */
export function readParts(
  fields: AlertFields,
  quantity: number | undefined,
): SaidExits | undefined {
  const name = "advance_tp_sl";
  const given = fields.value(name);
  if (!Array.isArray(given)) return fields.problem(name, "must be a list of parts");
  const parts = given.map((part: unknown, place) => {
    if (!isObject(part)) return fields.problem(`${name}.${place}`, "must be an object");
    return readOnePart(fields.within(`${name}.${place}`, part));
  });
  const [first] = parts;
  if (first === undefined || !parts.every((part) => part !== undefined)) return undefined;
  const { target: _, ...common } = first.exits;
  const other = parts.findIndex(({ exits: { target: __, ...own } }) => !isSame(own, common));
  if (other > 0) return fields.problem(`${name}.${other}`, ONE_STOP);
  const qty = parts.reduce((sum, part) => sum + part.qty, 0);
  if (quantity !== undefined && qty !== quantity) {
    return fields.problem(name, `is of ${qty} contracts, and quantity says ${quantity}`);
  }
  const isEqual = parts.every((part) => part.qty === first.qty);
  const hasStop = common.stop !== undefined || common.trailing !== undefined;
  if (!hasStop) return fields.problem(`${name}.0`, "needs sl or percentage_sl");
  if (parts.length === 1) return first.exits;
  const targets = parts.map(({ exits: { target }, qty: own }): PlanTargetTicket => ({
    ...target,
    ...(!isEqual && { qty: own }),
  }));
  return { ...common, targets };
}

const ONE_STOP =
  "has another stop, breakeven or trailing than the first part: here they are one for all of the position";

const isSame = (one: object, other: object): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function readOnePart(part: AlertFields) {
  for (const [name, why] of Object.entries(REFUSED_IN_EXITS)) part.refuse(name, why);
  const qty = part.whole("quantity", { needed: true });
  const exits = readExits(part);
  return qty === undefined ? undefined : { qty, exits };
}
