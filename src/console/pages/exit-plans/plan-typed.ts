import {
  type ExitPlanTicket,
  PLAN_LEVELS,
  type PlanLevelTicket,
  type PlanTargetTicket,
  type StepTicket,
} from "../../../domain/exits/exit-plan.ts";
import { numberOr } from "../../parts/typed-text.ts";

/** In what a level is counted, as the API calls it; `none` where there is no level. */
export type LevelUnit = "none" | (typeof PLAN_LEVELS)[number];

/** A level as it stands in the form. */
export interface LevelTyped {
  readonly unit: LevelUnit;
  readonly text: string;
}

/** How much leaves at a target: an equal part of what the others leave, a share of all, or contracts. */
export type PartUnit = "rest" | "share" | "qty";

export interface TargetTyped {
  readonly at: LevelTyped;
  readonly part: PartUnit;
  readonly partText: string;
}

/** What a breakeven waits for: a level, or a target by its number. */
export interface AwaitedTyped {
  readonly unit: LevelUnit | "target";
  readonly text: string;
}

/** A plan as it stands in the form; empty is what is left out. */
export interface PlanTyped {
  readonly name: string;
  readonly targets: readonly TargetTyped[];
  readonly stop: LevelTyped;
  readonly breakevenAfter: AwaitedTyped;
  /** Ticks. */
  readonly breakevenPlus: string;
  readonly trailingDistance: LevelTyped;
  readonly trailingFrom: LevelTyped;
  /** Ticks. */
  readonly trailingStep: string;
  readonly closeAfterSeconds: string;
  readonly closeBeforeSessionEndSeconds: string;
}

const NO_LEVEL: LevelTyped = { unit: "none", text: "" };

export const NEW_TARGET: TargetTyped = {
  at: { unit: "ticks", text: "" },
  part: "rest",
  partText: "",
};

/** What a new plan begins with: two targets and a stop, of which the person says where they are. */
export const NEW_PLAN: PlanTyped = {
  name: "",
  targets: [NEW_TARGET, NEW_TARGET],
  stop: { unit: "ticks", text: "" },
  breakevenAfter: NO_LEVEL,
  breakevenPlus: "",
  trailingDistance: NO_LEVEL,
  trailingFrom: NO_LEVEL,
  trailingStep: "",
  closeAfterSeconds: "",
  closeBeforeSessionEndSeconds: "",
};

/** A plan that stands, to be changed. */
export function typedPlan(name: string, plan: ExitPlanTicket): PlanTyped {
  const { targets = [], stop, breakeven, trailing } = plan;
  return {
    name,
    targets: targets.map(typedTarget),
    stop: typedLevel(stop),
    breakevenAfter: typedAwaited(breakeven?.after),
    breakevenPlus: textOr(ticksOf(breakeven?.plus)),
    trailingDistance: typedLevel(trailing?.distance),
    trailingFrom: typedLevel(trailing?.from),
    trailingStep: textOr(ticksOf(trailing?.step)),
    closeAfterSeconds: textOr(plan.closeAfterSeconds),
    closeBeforeSessionEndSeconds: textOr(plan.closeBeforeSessionEndSeconds),
  };
}

const textOr = (value: number | string | undefined): string =>
  value === undefined ? "" : String(value);

function typedLevel(level: PlanLevelTicket | undefined): LevelTyped {
  const unit = PLAN_LEVELS.find((name) => level?.[name] !== undefined);
  return unit === undefined ? NO_LEVEL : { unit, text: textOr(level?.[unit]) };
}

function typedTarget({ share, qty, ...level }: PlanTargetTicket): TargetTyped {
  const at = typedLevel(level);
  if (share !== undefined) return { at, part: "share", partText: String(share) };
  if (qty !== undefined) return { at, part: "qty", partText: String(qty) };
  return { at, part: "rest", partText: "" };
}

function typedAwaited(
  after: (PlanLevelTicket & { readonly target?: number }) | undefined,
): AwaitedTyped {
  if (after?.target !== undefined) return { unit: "target", text: String(after.target) };
  return typedLevel(after);
}

/** A plan that is kept by a name counts them in ticks. */
const ticksOf = (written: StepTicket | undefined): number | undefined =>
  typeof written === "number" ? written : undefined;

/** What is sent: what is no number goes as it was typed, and the gateway says what is wrong with it. */
export function planOf(typed: PlanTyped): ExitPlanTicket {
  const { targets, closeAfterSeconds, closeBeforeSessionEndSeconds } = typed;
  const stop = levelOf(typed.stop);
  const plan = {
    ...(targets.length > 0 && { targets: targets.map(targetOf) }),
    ...(stop !== undefined && { stop }),
    ...breakevenOf(typed),
    ...trailingOf(typed),
    ...figure("closeAfterSeconds", closeAfterSeconds),
    ...figure("closeBeforeSessionEndSeconds", closeBeforeSessionEndSeconds),
  };
  return plan as ExitPlanTicket;
}

type Fields = Readonly<Record<string, unknown>>;

const figure = (name: string, text: string): Fields =>
  text.trim() === "" ? {} : { [name]: numberOr(text.trim()) };

function levelOf({ unit, text }: AwaitedTyped): Fields | undefined {
  return unit === "none" ? undefined : { [unit]: numberOr(text.trim()) };
}

function targetOf({ at, part, partText }: TargetTyped): Fields {
  return { ...levelOf(at), ...(part !== "rest" && { [part]: numberOr(partText.trim()) }) };
}

function breakevenOf({ breakevenAfter, breakevenPlus }: PlanTyped): Fields {
  const after = levelOf(breakevenAfter);
  if (after === undefined) return {};
  return { breakeven: { after, ...figure("plus", breakevenPlus) } };
}

function trailingOf({ trailingDistance, trailingFrom, trailingStep }: PlanTyped): Fields {
  const distance = levelOf(trailingDistance);
  if (distance === undefined) return {};
  const from = levelOf(trailingFrom);
  return {
    trailing: {
      ...(from !== undefined && { from }),
      distance,
      ...figure("step", trailingStep),
    },
  };
}
