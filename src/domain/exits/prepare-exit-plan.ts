import { formatScaled, parseDecimal } from "../contracts/decimal.ts";
import { parseTicks, type Ticks, ticks } from "../contracts/price.ts";
import type { PriceTerms, TicketProblem, WrittenNumber } from "../contracts/tick-reader.ts";
import type { Draft } from "../draft.ts";
import type { Prepared } from "../order-ticket.ts";
import {
  type Breakeven,
  type ExitPlan,
  type ExitPlanTicket,
  MOST_TARGETS,
  type PlanLevel,
  type PlanLevelTicket,
  type PlanTarget,
  type Trailing,
} from "./exit-plan.ts";

const LEVELS = ["price", "ticks", "offset", "percent", "money", "r"] as const;

/** Turns a written plan into ticks of its contract, or names everything that is wrong with it. */
export function prepareExitPlan(
  ticket: ExitPlanTicket,
  terms: PriceTerms,
  path = "exitPlan",
): Prepared<ExitPlan> {
  const reader = new PlanReader(terms, path);
  const plan = reader.plan(ticket);
  if (plan === undefined || reader.problems.length > 0) {
    return { ok: false, problems: reader.problems };
  }
  return { ok: true, value: plan };
}

class PlanReader {
  readonly problems: TicketProblem[] = [];
  readonly #terms: PriceTerms;
  readonly #path: string;

  constructor(terms: PriceTerms, path: string) {
    this.#terms = terms;
    this.#path = path;
  }

  plan(ticket: ExitPlanTicket): ExitPlan | undefined {
    const { name, targets = [], closeAfterSeconds, closeBeforeSessionEndSeconds } = ticket;
    const plan: Draft<ExitPlan> = {
      targets: targets.map((target, place) => this.#target(target, `targets.${place}`)),
    };
    if (name !== undefined) plan.name = name;
    if (ticket.stop !== undefined) {
      const stop = this.#level(ticket.stop, "stop", { isStop: true });
      if (stop !== undefined) plan.stop = stop;
    }
    const breakeven = ticket.breakeven && this.#breakeven(ticket.breakeven, targets.length);
    if (breakeven !== undefined) plan.breakeven = breakeven;
    const trailing = ticket.trailing && this.#trailing(ticket.trailing);
    if (trailing !== undefined) plan.trailing = trailing;
    if (closeAfterSeconds !== undefined) plan.closeAfterSeconds = closeAfterSeconds;
    if (closeBeforeSessionEndSeconds !== undefined) {
      plan.closeBeforeSessionEndSeconds = closeBeforeSessionEndSeconds;
    }
    this.#checkWhole(ticket, plan);
    return plan;
  }

  /** What only the parts together show. */
  #checkWhole({ stop, trailing, breakeven }: ExitPlanTicket, { targets }: ExitPlan): void {
    const trailsAtOnce = trailing !== undefined && trailing.from === undefined;
    const hasStop = stop !== undefined || trailsAtOnce;
    if (targets.length > MOST_TARGETS) this.#add("targets", `must be at most ${MOST_TARGETS}`);
    if (targets.length === 0 && !hasStop) this.#add("", "needs a stop or a target");
    const needStop = [
      [targets.length > 1, "several targets"],
      [targets.some(({ at }) => at === undefined), "a part without a level"],
      [breakeven !== undefined, "breakeven"],
      [trailing?.from !== undefined, "trailing from a level on"],
    ] as const;
    const [, what] = needStop.find(([isAsked]) => isAsked) ?? [];
    if (what !== undefined && !hasStop) this.#add("stop", `is needed for ${what}`);
    if (stop === undefined && countsInR(targets, breakeven, trailing)) {
      this.#add("stop", "is needed where something is counted in r");
    }
    const shares = targets.reduce((sum, { share = 0 }) => sum + share, 0);
    if (shares > 100) this.#add("targets", "must not share out more than 100 percent");
  }

  #target(
    { share, qty, ...level }: NonNullable<ExitPlanTicket["targets"]>[number],
    path: string,
  ): PlanTarget {
    const target: Draft<PlanTarget> = {};
    if (share !== undefined && qty !== undefined) this.#add(path, "has a share or a qty, not both");
    if (share !== undefined) {
      if (!(share > 0 && share <= 100)) {
        this.#add(`${path}.share`, "must be above 0 and at most 100");
      }
      target.share = share;
    }
    if (qty !== undefined) target.qty = qty;
    const isGiven = LEVELS.some((name) => level[name] !== undefined);
    const at = isGiven ? this.#level(level, path) : undefined;
    if (at !== undefined) target.at = at;
    return target;
  }

  #breakeven(
    { after, plus = 0 }: NonNullable<ExitPlanTicket["breakeven"]>,
    targets: number,
  ): Breakeven | undefined {
    const { target, ...level } = after;
    if (target === undefined) {
      const at = this.#level(level, "breakeven.after");
      return at && { after: at, plus: ticks(plus) };
    }
    if (LEVELS.some((name) => level[name] !== undefined)) {
      return this.#add("breakeven.after", "is a target or a level, not both");
    }
    if (target > targets) return this.#add("breakeven.after.target", "is no target of this plan");
    return { after: { by: "target", target }, plus: ticks(plus) };
  }

  #trailing({
    from,
    distance,
    step = 1,
  }: NonNullable<ExitPlanTicket["trailing"]>): Trailing | undefined {
    const behind = this.#level(distance, "trailing.distance", { isDistance: true });
    const start = from && this.#level(from, "trailing.from");
    if (behind === undefined) return undefined;
    return {
      distance: behind,
      step: ticks(step),
      ...(start !== undefined && { from: start }),
    };
  }

  #level(
    level: PlanLevelTicket,
    path: string,
    { isStop = false, isDistance = false } = {},
  ): PlanLevel | undefined {
    const given = LEVELS.filter((name) => level[name] !== undefined);
    const [name] = given;
    if (name === undefined || given.length > 1) {
      return this.#add(path, `needs exactly one of ${LEVELS.join(", ")}`);
    }
    const written = level[name] ?? "";
    switch (name) {
      case "price": {
        if (isDistance) return this.#add(path, "is a distance, not a price");
        const price = this.#ticks(`${path}.price`, written);
        if (price !== undefined && price <= 0 && this.#terms.mayBeNegative !== true) {
          return this.#add(`${path}.price`, "must be greater than 0");
        }
        return price === undefined ? undefined : { by: "price", price };
      }
      case "ticks":
        return this.#positive(`${path}.ticks`, Number(written) as Ticks);
      case "offset":
        return this.#positive(`${path}.offset`, this.#ticks(`${path}.offset`, written));
      case "percent": {
        const percent = this.#decimal(`${path}.percent`, written);
        if (percent !== undefined && Number(percent) >= 100) {
          return this.#add(`${path}.percent`, "must be less than 100");
        }
        return percent === undefined ? undefined : { by: "percent", percent };
      }
      case "money": {
        const money = this.#decimal(`${path}.money`, written);
        return money === undefined ? undefined : { by: "money", money };
      }
      case "r": {
        if (isStop) return this.#add(path, "is what r is counted by, so it cannot be in r");
        const r = this.#decimal(`${path}.r`, written);
        return r === undefined ? undefined : { by: "r", r };
      }
    }
  }

  #ticks(path: string, written: WrittenNumber): Ticks | undefined {
    const { tickSize } = this.#terms;
    const value = parseTicks(String(written), tickSize);
    return value ?? this.#add(path, `${written} is not a multiple of the tick size ${tickSize}`);
  }

  #positive(path: string, value: Ticks | undefined): PlanLevel | undefined {
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && value > 0) return { by: "ticks", ticks: value };
    return this.#add(path, "must be greater than 0");
  }

  /** Kept as text, so that no digit is lost. */
  #decimal(path: string, written: WrittenNumber): string | undefined {
    const value = parseDecimal(String(written));
    if (value === undefined) return this.#add(path, "must be a number");
    if (value.units <= 0n) return this.#add(path, "must be greater than 0");
    return formatScaled(value);
  }

  #add(path: string, message: string): undefined {
    const whole = [this.#path, path].filter((part) => part !== "").join(".");
    this.problems.push({ path: whole, message });
  }
}

const countsInR = (
  targets: readonly PlanTarget[],
  breakeven: ExitPlanTicket["breakeven"],
  trailing: ExitPlanTicket["trailing"],
): boolean =>
  targets.some(({ at }) => at?.by === "r") ||
  [breakeven?.after, trailing?.from, trailing?.distance].some((level) => level?.r !== undefined);
