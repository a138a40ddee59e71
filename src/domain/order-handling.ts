import { formatScaled, parseDecimal } from "./contracts/decimal.ts";
import type {
  BracketTicket,
  Prepared,
  PriceTerms,
  TicketProblem,
  WrittenNumber,
} from "./contracts/tick-reader.ts";
import type { Draft } from "./draft.ts";
import type { AskedExitPlan, ExitPlan } from "./exits/exit-plan.ts";
import { endsAtOnce, type NewOrderSingle } from "./order.ts";
import { prepareExitPlan } from "./exits/prepare-exit-plan.ts";

/**
 * How large an entry is, where its sender leaves that to us. It is worked out on the lane, right before
 * the order is judged and sent, from a fresh quote or the order's own limit.
 */
export type SizeRule =
  /** So much may be lost at its stop: an exact decimal in the contract's currency. */
  | { readonly by: "risk"; readonly money: string; readonly min?: number }
  /** The same as percent of what the account is worth. */
  | { readonly by: "riskPercent"; readonly percent: string; readonly min?: number };

/** What is done with an entry that still rests after a while. */
export interface OrderTimeout {
  /** Seconds after it was accepted. */
  readonly afterSeconds: number;
  /** `market` sends what is left of it at the market, once the broker has confirmed its end. */
  readonly then: (typeof TIMEOUT_ENDS)[number];
}

export const TIMEOUT_ENDS = ["cancel", "market"] as const;

/** What the gateway does about an order beside sending it. */
export interface OrderHandling {
  /** Instead of a bracket. */
  readonly exitPlan?: ExitPlan;
  /** Then the order's quantity is the least that it may be until it is sized. */
  readonly size?: SizeRule;
  readonly timeout?: OrderTimeout;
  /**
   * Against a position of an exit plan it closes at most that position. Its webhook does not say whether a
   * strategy sends, whose exit it would be then.
   */
  readonly closesPlanned?: true;
}

/** The same as it is written. */
export interface HandlingTicket {
  /** Once it has come to `prepareHandling` it is no name any more. */
  readonly exitPlan?: AskedExitPlan;
  readonly size?: SizeTicket;
  readonly timeout?: OrderTimeout;
}

/** Exactly one of `risk` and `riskPercent`. */
export interface SizeTicket {
  readonly risk?: WrittenNumber;
  readonly riskPercent?: WrittenNumber;
  /** What is too little for one contract is sent with so many all the same. */
  readonly min?: number;
}

/**
 * Reads what is asked of an order beside sending it, or names everything that is wrong. Undefined
 * where nothing is asked.
 */
export function prepareHandling(
  ticket: HandlingTicket & HandledOrder,
  terms: PriceTerms,
): { readonly handling?: OrderHandling; readonly problems: readonly TicketProblem[] } {
  const { exitPlan, size, timeout } = ticket;
  if (exitPlan === undefined && size === undefined && timeout === undefined) return NOTHING_ASKED;
  const problems: TicketProblem[] = [];
  const handling: Draft<OrderHandling> = {};
  if (exitPlan !== undefined) {
    if (ticket.bracket !== undefined) {
      problems.push({ path: "exitPlan", message: "is instead of a bracket: give one of the two" });
    }
    const plan = readPlan(exitPlan, terms);
    if (plan.ok) handling.exitPlan = plan.value;
    else problems.push(...plan.problems);
  }
  if (size !== undefined) {
    const rule = readSize(size);
    if (typeof rule === "string") problems.push({ path: "size", message: rule });
    else handling.size = rule;
    if (!hasStop(ticket)) {
      problems.push({ path: "size", message: "needs a stop-loss: by it the risk is counted" });
    }
  }
  if (timeout !== undefined) {
    handling.timeout = timeout;
    if (!mayRest(ticket)) problems.push({ path: "timeout", message: ENDS_AT_ONCE });
  }
  return { handling, problems };
}

/** What of an order decides what may be asked beside it; without a type it goes at the market. */
export interface HandledOrder extends Partial<Pick<NewOrderSingle, "ordType" | "timeInForce">> {
  readonly bracket?: BracketTicket;
}

export const mayRest = ({ ordType = "MARKET", timeInForce = "DAY" }: HandledOrder): boolean =>
  !endsAtOnce({ ordType, timeInForce });

const ENDS_AT_ONCE =
  "is for an order that rests: one at the market, or with timeInForce ioc or fok, ends at once";

/** A day, in seconds: what rests for longer is no entry of that moment any more. */
export const MOST_TIMEOUT_SECONDS = 86_400;

const NOTHING_ASKED = { problems: [] } as const;

/** An order must not go bare because nobody has looked up what the name of its plan stands for. */
function readPlan(asked: AskedExitPlan, terms: PriceTerms): Prepared<ExitPlan> {
  if (typeof asked !== "string") return prepareExitPlan(asked, terms);
  return { ok: false, problems: [{ path: "exitPlan", message: "was not looked up by its name" }] };
}

/** A stop-loss that is asked for, whatever else is wrong with it. */
function hasStop({ bracket, exitPlan }: Parameters<typeof prepareHandling>[0]): boolean {
  if (bracket?.stopLoss !== undefined) return true;
  return typeof exitPlan === "object" && exitPlan.stop !== undefined;
}

/** What is wrong, in words, where something is. */
export function readSize({ risk, riskPercent, min }: SizeTicket): SizeRule | string {
  if ((risk === undefined) === (riskPercent === undefined)) {
    return "needs exactly one of risk and riskPercent";
  }
  const value = parseDecimal(String(risk ?? riskPercent));
  if (value === undefined || value.units <= 0n) return "must be a number greater than 0";
  const least = min === undefined ? {} : { min };
  const text = formatScaled(value);
  if (risk !== undefined) return { by: "risk", money: text, ...least };
  if (Number(text) > 100) return "must be at most 100 percent";
  return { by: "riskPercent", percent: text, ...least };
}
