import type { Static } from "@sinclair/typebox";
import type { GuardRule, GuardSettings } from "../../domain/guards/rule.ts";
import { errors, type Problem } from "../../errors.ts";
import type { GuardsChange, LockRequest } from "../../trading/guards/guard-uses.ts";
import type { LockAccountBody, PutGuardsBody } from "../schemas/guards.ts";
import { readMoney } from "./read-amounts.ts";
import { readRule, type RuleReading } from "./read-guard-rule.ts";
import { readInstant } from "./read-range.ts";

/** Whether it is a root of the contract table. */
export type IsRoot = (text: string) => boolean;

/** All that is to hold from now on. Throws VALIDATION_FAILED that names all that is wrong with it. */
export function readGuards(body: Static<typeof PutGuardsBody>, isRoot: IsRoot): GuardsChange {
  const { rules: written, balance, version, locksNow, ...terms } = body;
  const problems: Problem[] = [...percentProblems(terms), ...idProblems(written)];
  const reading: RuleReading = { currency: terms.currency, isRoot, problems };
  const rules = written.map((rule, nth) => readRule(rule, `rules.${nth}`, reading));
  const read = balance === undefined ? undefined : readBalance(balance, reading);
  if (problems.length > 0) throw errors.validationFailed(problems);
  return {
    // Where one of them was not read there is a problem.
    settings: { ...terms, rules: rules as readonly GuardRule[] },
    ...(read !== undefined && { balance: read }),
    ...(version !== undefined && { version }),
    ...(locksNow !== undefined && { locksNow }),
  };
}

/** An account may be worth less than nothing. */
const readBalance = (written: number | string, { currency, problems }: RuleReading) =>
  readMoney({ path: "balance", written, currency }, {}, problems);

function percentProblems({
  warnPercent,
  entriesOffPercent,
}: Pick<GuardSettings, "warnPercent" | "entriesOffPercent">): Problem[] {
  if (warnPercent < entriesOffPercent) return [];
  return [{ path: "entriesOffPercent", message: "must be greater than warnPercent" }];
}

function idProblems(rules: readonly { readonly id: string }[]): Problem[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id }, nth) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: `rules.${nth}.id`, message: "is the id of an earlier rule" }];
  });
}

/** A lock that nobody may end must not outlast a slip. */
const LONGEST_LOCK_MS = 31 * 24 * 3_600_000;

/** `now` is when it was asked for, Unix ms by Redis' clock. */
export function readLock(
  { until: written, ...request }: Static<typeof LockAccountBody>,
  now: number,
): LockRequest {
  const problems: Problem[] = [];
  const until = written === undefined ? undefined : readInstant("until", written, problems);
  if (until !== undefined && until <= now) {
    problems.push({ path: "until", message: "must be in the future" });
  }
  if (until !== undefined && until > now + LONGEST_LOCK_MS) {
    problems.push({ path: "until", message: "must be at most 31 days from now" });
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  return { ...request, ...(until !== undefined && { until }) };
}
