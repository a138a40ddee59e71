import { type CivilDay, isoDate } from "../calendar/civil-day.ts";
import { firstInstantOf } from "../calendar/local-time.ts";
import { calledRoot, type ContractCode, parseContractCode } from "../contracts/contract.ts";
import type { Product } from "../contracts/product.ts";
import type { ScheduleDeps } from "./schedule-deps.ts";
import { type FlatBeforeRollRule, type Restriction, WITHOUT_END } from "./schedule-rule.ts";

const HALF_DAY_MS = 43_200_000;
const DAY_MS = 86_400_000;

/**
 * What is forbidden in a contract that is about to end. Of one that cannot be placed in the contract
 * calendar no day is known: it takes no entries, and nothing is closed on a guess.
 */
export function flatBeforeRollTime(
  rule: FlatBeforeRollRule,
  code: ContractCode,
  deps: ScheduleDeps,
): Restriction {
  const contract = parseContractCode(code);
  const product = deps.productOf(calledRoot(code));
  if (contract === undefined || product === undefined) {
    const reason = `the ${dayName(rule)} of ${code} is not known`;
    return { forbids: "entries", since: 0, until: WITHOUT_END, reason };
  }
  const { rollDay, lastTradeDay } = deps.contractDays(product, contract);
  const day = rule.of === "roll" ? rollDay : lastTradeDay;
  const { businessDays } = rule;
  return {
    forbids: "positions",
    since: beganBefore(product, day, businessDays, deps),
    until: WITHOUT_END,
    reason: `no position from ${businessDays} business ${businessDays === 1 ? "day" : "days"} before the ${dayName(rule)} ${isoDate(day)}`,
  };
}

const dayName = ({ of }: FlatBeforeRollRule) => (of === "roll" ? "roll day" : "last trade day");

/** The first instant of the trading day that is so many before a day. */
function beganBefore(
  { calendar, timeZone }: Product,
  day: CivilDay,
  count: number,
  { tradingDayAt }: ScheduleDeps,
): number {
  const noon = firstInstantOf(timeZone, day * DAY_MS + HALF_DAY_MS);
  let { beganAt } = tradingDayAt(noon, calendar);
  for (let counted = 0; counted < count; counted += 1) {
    ({ beganAt } = tradingDayAt(beganAt - 1, calendar));
  }
  return beganAt;
}
