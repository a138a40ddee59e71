import { formatScaled, parseDecimal, type Scaled, sumOf, negated } from "../contracts/decimal.ts";
import { parseTicks, type Ticks, ticks } from "../contracts/price.ts";
import type {
  Prepared,
  PriceTerms,
  TicketProblem,
  WrittenNumber,
} from "../contracts/tick-reader.ts";
import type { Draft } from "../draft.ts";
import { checkWholePlan, hasLevel } from "./check-whole-plan.ts";
import {
  type Breakeven,
  type ExitPlan,
  type ExitPlanTicket,
  MOST_MONEY,
  MOST_PERCENT,
  MOST_R,
  PLAN_BOUNDS,
  PLAN_LEVELS,
  type PlanLevel,
  type PlanLevelTicket,
  type PlanTarget,
  type PlanTargetTicket,
  type StepTicket,
  type Trailing,
} from "./exit-plan.ts";

/** Turns a written plan into ticks of its contract, or names everything that is wrong with it. */
export function prepareExitPlan(
  ticket: ExitPlanTicket,
  terms: PriceTerms,
  path = "exitPlan",
): Prepared<ExitPlan> {
  const reader = new PlanReader(terms, path);
  const plan = reader.plan(ticket);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return { ok: true, value: plan };
}

/** What is wrong with a written plan in whatever contract; its prices are judged once that is known. */
export function checkExitPlan(ticket: ExitPlanTicket, path = ""): readonly TicketProblem[] {
  const reader = new PlanReader(undefined, path);
  reader.plan(ticket);
  return reader.problems;
}

class PlanReader {
  readonly problems: TicketProblem[] = [];
  /** Absent while the contract is not known: then what is read has no right prices. */
  readonly #terms: PriceTerms | undefined;
  readonly #path: string;

  constructor(terms: PriceTerms | undefined, path: string) {
    this.#terms = terms;
    this.#path = path;
  }

  plan(ticket: ExitPlanTicket): ExitPlan {
    const { name, targets = [], stop, breakeven, trailing } = ticket;
    const plan: Draft<ExitPlan> = {
      targets: targets.map((target, place) => this.#target(target, `targets.${place}`)),
    };
    if (name !== undefined) plan.name = name;
    const stopAt = stop && this.#level(stop, "stop", { isStop: true });
    if (stopAt !== undefined) plan.stop = stopAt;
    const even = breakeven && this.#breakeven(breakeven);
    if (even !== undefined) plan.breakeven = even;
    const behind = trailing && this.#trailing(trailing);
    if (behind !== undefined) plan.trailing = behind;
    for (const word of ["closeAfterSeconds", "closeBeforeSessionEndSeconds"] as const) {
      const seconds = ticket[word];
      if (seconds === undefined) continue;
      this.#whole(word, seconds, PLAN_BOUNDS[word]);
      plan[word] = seconds;
    }
    const countOffset = (offset: WrittenNumber) =>
      this.#terms && parseTicks(String(offset), this.#terms.tickSize);
    checkWholePlan(ticket, countOffset, (path, message) => this.#add(path, message));
    return plan;
  }

  #target({ share, qty, ...level }: PlanTargetTicket, path: string): PlanTarget {
    const target: Draft<PlanTarget> = {};
    if (share !== undefined && qty !== undefined) this.#add(path, "has a share or a qty, not both");
    if (share !== undefined) {
      this.#decimal(`${path}.share`, share, { atMost: 100 });
      target.share = share;
    }
    if (qty !== undefined) {
      this.#whole(`${path}.qty`, qty, PLAN_BOUNDS.qty);
      target.qty = qty;
    }
    const at = hasLevel(level) ? this.#level(level, path) : undefined;
    if (at !== undefined) target.at = at;
    return target;
  }

  #breakeven({ after, plus = 0 }: NonNullable<ExitPlanTicket["breakeven"]>): Breakeven | undefined {
    const { target, ...level } = after;
    const beyond = this.#step("breakeven.plus", plus, PLAN_BOUNDS.plus);
    if (target === undefined) {
      const at = this.#level(level, "breakeven.after");
      return at && { after: at, plus: beyond };
    }
    if (hasLevel(level)) return this.#add("breakeven.after", "is a target or a level, not both");
    this.#whole("breakeven.after.target", target, PLAN_BOUNDS.target);
    return { after: { by: "target", target }, plus: beyond };
  }

  #trailing({
    from,
    distance,
    step = 1,
  }: NonNullable<ExitPlanTicket["trailing"]>): Trailing | undefined {
    const behind = this.#level(distance, "trailing.distance", { isDistance: true });
    const start = from && this.#level(from, "trailing.from");
    const least = this.#step("trailing.step", step, PLAN_BOUNDS.step);
    if (behind === undefined) return undefined;
    return {
      distance: behind,
      step: least,
      ...(start !== undefined && { from: start }),
    };
  }

  /** A count of ticks, or a distance in price that comes to one. What is wrong is named. */
  #step(path: string, step: StepTicket, bounds: { min: number; max: number }): Ticks {
    if (typeof step === "number") {
      this.#whole(path, step, bounds);
      return ticks(step);
    }
    const count = this.#ticks(`${path}.offset`, step.offset);
    // How many ticks it comes to, only the contract tells.
    if (count !== undefined && this.#terms !== undefined) this.#whole(path, count, bounds);
    return count ?? ticks(0);
  }

  #level(
    level: PlanLevelTicket,
    path: string,
    { isStop = false, isDistance = false } = {},
  ): PlanLevel | undefined {
    const given = PLAN_LEVELS.filter((name) => level[name] !== undefined);
    const [name] = given;
    const written = name && level[name];
    if (name === undefined || written === undefined || given.length > 1) {
      return this.#add(path, `needs exactly one of ${PLAN_LEVELS.join(", ")}`);
    }
    const where = `${path}.${name}`;
    switch (name) {
      case "price":
        return isDistance
          ? this.#add(path, "is a distance, not a price")
          : this.#price(where, written);
      case "ticks":
        this.#whole(where, Number(written), PLAN_BOUNDS.ticks);
        return { by: "ticks", ticks: ticks(Number(written)) };
      case "offset":
        return this.#offset(where, written);
      case "percent": {
        const percent = this.#decimal(where, written, { below: MOST_PERCENT });
        return percent === undefined ? undefined : { by: "percent", percent };
      }
      case "money": {
        const money = this.#decimal(where, written, { atMost: MOST_MONEY });
        return money === undefined ? undefined : { by: "money", money };
      }
      case "r": {
        if (isStop) return this.#add(path, "is what r is counted by, so it cannot be in r");
        const r = this.#decimal(where, written, { atMost: MOST_R });
        return r === undefined ? undefined : { by: "r", r };
      }
    }
  }

  #price(path: string, written: WrittenNumber): PlanLevel | undefined {
    const price = this.#ticks(path, written);
    const mayBeNegative = this.#terms === undefined || this.#terms.mayBeNegative === true;
    if (price !== undefined && price <= 0 && !mayBeNegative) {
      return this.#add(path, "must be greater than 0");
    }
    return price === undefined ? undefined : { by: "price", price };
  }

  /** As many ticks as a level of that word may have. */
  #offset(path: string, written: WrittenNumber): PlanLevel | undefined {
    const count = this.#ticks(path, written);
    if (count === undefined) return undefined;
    const value = parseDecimal(String(written));
    if (value === undefined || value.units <= 0n) {
      return this.#add(path, "must be greater than 0");
    }
    const { max } = PLAN_BOUNDS.ticks;
    if (count > max) return this.#add(path, `must be at most ${max} ticks`);
    return { by: "ticks", ticks: count };
  }

  #ticks(path: string, written: WrittenNumber): Ticks | undefined {
    if (this.#terms === undefined) {
      return parseDecimal(String(written)) === undefined
        ? this.#add(path, "must be a number")
        : ticks(0);
    }
    const { tickSize } = this.#terms;
    const value = parseTicks(String(written), tickSize);
    return value ?? this.#add(path, `${written} is not a multiple of the tick size ${tickSize}`);
  }

  #whole(path: string, value: number, { min, max }: { min: number; max: number }): void {
    if (Number.isInteger(value) && value >= min && value <= max) return;
    this.#add(path, `must be a whole number from ${min} to ${max}`);
  }

  /** Kept as text, so that no digit is lost. */
  #decimal(
    path: string,
    written: WrittenNumber,
    { below, atMost }: { below?: number; atMost?: number },
  ): string | undefined {
    const value = parseDecimal(String(written));
    if (value === undefined || value.scale > MOST_DECIMALS) {
      return this.#add(path, `must be a number with at most ${MOST_DECIMALS} decimals`);
    }
    if (value.units <= 0n) return this.#add(path, "must be greater than 0");
    if (below !== undefined && against(value, below) >= 0n) {
      return this.#add(path, `must be less than ${below}`);
    }
    if (atMost !== undefined && against(value, atMost) > 0n) {
      return this.#add(path, `must be at most ${atMost}`);
    }
    return formatScaled(value);
  }

  #add(path: string, message: string): undefined {
    const whole = [this.#path, path].filter((part) => part !== "").join(".");
    this.problems.push({ path: whole, message });
  }
}

const MOST_DECIMALS = 12;

/** Below 0 where a number is less than a whole one. */
const against = (value: Scaled, whole: number): bigint =>
  sumOf(value, negated({ units: BigInt(whole), scale: 0 })).units;
