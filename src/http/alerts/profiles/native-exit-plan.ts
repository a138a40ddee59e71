import type { WrittenNumber } from "../../../domain/contracts/tick-reader.ts";
import type { Draft } from "../../../domain/draft.ts";
import {
  type AskedExitPlan,
  type ExitPlanTicket,
  PLAN_BOUNDS,
  PLAN_LEVELS,
  type PlanLevelTicket,
  type PlanTargetTicket,
} from "../../../domain/exits/exit-plan.ts";
import type { AlertFields } from "../alert-fields.ts";
import { isObject } from "../written-values.ts";

const NO_VALUE = "is named and says nothing: write it, or leave it out";
const MESSAGE = "must be the name of an exit plan, or an object that defines one";

/** A plan's name, or its definition; whether it can work is judged with the contract. */
export function readExitPlan(fields: AlertFields): AskedExitPlan | undefined {
  const given = fields.peek("exitPlan");
  if (!isObject(given)) return fields.text("exitPlan", { max: 40 });
  const plan = fields.strictObject("exitPlan", MESSAGE);
  return plan && readPlan(plan);
}

function readPlan(fields: AlertFields): ExitPlanTicket {
  const plan: Draft<ExitPlanTicket> = {};
  const targets = readTargets(fields);
  if (targets !== undefined) plan.targets = targets;
  const stop = fields.strictObject("stop");
  if (stop !== undefined) plan.stop = readLevel(stop);
  const breakeven = fields.strictObject("breakeven");
  if (breakeven !== undefined) plan.breakeven = readBreakeven(breakeven);
  const trailing = fields.strictObject("trailing");
  if (trailing !== undefined) plan.trailing = readTrailing(trailing);
  for (const word of ["closeAfterSeconds", "closeBeforeSessionEndSeconds"] as const) {
    if (fields.isBlank(word)) fields.problem(word, NO_VALUE);
    const seconds = fields.whole(word, PLAN_BOUNDS[word]);
    if (seconds !== undefined) plan[word] = seconds;
  }
  return plan;
}

function readTargets(fields: AlertFields): readonly PlanTargetTicket[] | undefined {
  const given = fields.value("targets");
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) return fields.problem("targets", "must be a list");
  return given.flatMap((one: unknown, place) => {
    if (isObject(one)) return [readTarget(fields.within(`targets.${place}`, one))];
    fields.problem("targets", "must be a list of objects");
    return [];
  });
}

function readTarget(fields: AlertFields): PlanTargetTicket {
  const target: Draft<PlanTargetTicket> = readLevel(fields);
  const share = fields.number("share");
  if (share !== undefined) target.share = Number(share);
  const qty = fields.whole("qty", PLAN_BOUNDS.qty);
  if (qty !== undefined) target.qty = qty;
  return target;
}

function readBreakeven(fields: AlertFields): NonNullable<ExitPlanTicket["breakeven"]> {
  const after = fields.strictObject("after");
  if (after === undefined) fields.problem("after", "is needed");
  const target = after?.whole("target", PLAN_BOUNDS.target);
  const plus = fields.whole("plus", PLAN_BOUNDS.plus);
  return {
    after: { ...(after && readLevel(after)), ...(target !== undefined && { target }) },
    ...(plus !== undefined && { plus }),
  };
}

function readTrailing(fields: AlertFields): NonNullable<ExitPlanTicket["trailing"]> {
  const from = fields.strictObject("from");
  const distance = fields.strictObject("distance");
  if (distance === undefined) fields.problem("distance", "is needed");
  const step = fields.whole("step", PLAN_BOUNDS.step);
  return {
    distance: distance === undefined ? {} : readLevel(distance),
    ...(from !== undefined && { from: readLevel(from) }),
    ...(step !== undefined && { step }),
  };
}

/** All that are given: that it is one of them is judged with the rest of the plan. */
function readLevel(fields: AlertFields): Draft<PlanLevelTicket> {
  const level: { -readonly [Word in keyof PlanLevelTicket]: WrittenNumber } = {};
  for (const word of PLAN_LEVELS) {
    const written = word === "ticks" ? fields.whole(word, PLAN_BOUNDS.ticks) : fields.number(word);
    if (written !== undefined) level[word] = written;
  }
  const blank = PLAN_LEVELS.find((word) => fields.isBlank(word));
  // Without a level a target is what is left, and not one that was to have one.
  if (Object.keys(level).length === 0 && blank !== undefined) fields.problem(blank, NO_VALUE);
  return level as Draft<PlanLevelTicket>;
}
