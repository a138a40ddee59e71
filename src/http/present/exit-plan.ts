import type {
  AskedExitPlan,
  ExitPlanTicket,
  PlanLevelTicket,
  PlanTargetTicket,
  StepTicket,
} from "../../domain/exits/exit-plan.ts";
import type { NamedExitPlan } from "../../domain/exits/named-plan.ts";
import { presentTime } from "./figures.ts";

export function presentExitPlan({ name, plan, savedAt }: NamedExitPlan) {
  return { name, savedAt: presentTime(savedAt), summary: planInWords(plan), plan };
}

/** An exit plan as it was asked for. */
export function askedPlanInWords(asked: AskedExitPlan): string {
  if (typeof asked === "string") return `exit plan "${asked}"`;
  const { name } = asked;
  return name === undefined
    ? `exit plan: ${planInWords(asked)}`
    : `exit plan "${name}": ${planInWords(asked)}`;
}

/** One sentence without its capital and its full stop. */
export function planInWords(plan: ExitPlanTicket): string {
  const { targets = [], closeAfterSeconds, closeBeforeSessionEndSeconds } = plan;
  const parts = [
    targets.map((target) => targetInWords(target, targets.length)).join(", "),
    stopInWords(plan).join(", "),
    closeAfterSeconds === undefined ? "" : `all out ${closeAfterSeconds} s after the first fill`,
    closeBeforeSessionEndSeconds === undefined
      ? ""
      : `all out ${closeBeforeSessionEndSeconds} s before the session ends`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function targetInWords({ share, qty, ...level }: PlanTargetTicket, count: number): string {
  const rest = count === 1 ? "all" : "the rest";
  const part = share === undefined ? (qty === undefined ? rest : String(qty)) : `${share} %`;
  const where = levelInWords(level);
  return where === undefined ? `${part} runs` : `${part} out at ${where}`;
}

function stopInWords({ stop, breakeven, trailing }: ExitPlanTicket): readonly string[] {
  const words: string[] = [];
  if (stop !== undefined) {
    const where = levelInWords(stop) ?? "";
    words.push(stop.price === undefined ? `stop ${where} away` : `stop at ${where}`);
  }
  if (breakeven !== undefined) {
    const { after, plus = 0 } = breakeven;
    const beyond = plus === 0 ? "" : ` plus ${stepInWords(plus)}`;
    const event =
      after.target === undefined ? (levelInWords(after) ?? "") : `target ${after.target}`;
    words.push(`to the entry${beyond} after ${event}`);
  }
  if (trailing !== undefined) {
    const { from, distance, step = 1 } = trailing;
    const since = from === undefined ? "" : `from ${levelInWords(from) ?? ""} on `;
    const steps = step === 1 ? "" : ` in steps of ${stepInWords(step)}`;
    words.push(`${since}trailing ${levelInWords(distance) ?? ""} behind${steps}`);
  }
  return words;
}

function levelInWords({
  price,
  ticks,
  offset,
  percent,
  money,
  r,
}: PlanLevelTicket): string | undefined {
  if (price !== undefined) return String(price);
  if (ticks !== undefined) return count(ticks, "tick");
  if (offset !== undefined) return `${offset} in price`;
  if (percent !== undefined) return `${percent} %`;
  if (money !== undefined) return `${money} a contract`;
  return r === undefined ? undefined : `${r} r`;
}

const stepInWords = (step: StepTicket): string =>
  typeof step === "number" ? count(step, "tick") : `${step.offset} in price`;

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;
