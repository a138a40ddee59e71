import { isTimeZone } from "../../domain/calendar/local-time.ts";
import type { DrawdownRule, GuardRule, LotsRule, PnlRule } from "../../domain/guards/rule.ts";
import { type AccountId, parseAccountId } from "../../domain/ids.ts";
import type { Minor } from "../../domain/money.ts";
import type { Problem } from "../../errors.ts";
import type { GivenRule } from "../schemas/guard-rules.ts";
import {
  type Bounds,
  FROM_ZERO,
  POSITIVE,
  readLots,
  readMoney as readMoneyIn,
  type Written,
} from "./read-amounts.ts";
import { NO_ZONE } from "./time-zone.ts";

export interface RuleReading {
  readonly currency: string;
  readonly isRoot: (text: string) => boolean;
  /** Whatever is wrong is added, each at its place. */
  readonly problems: Problem[];
}

type Given<Kind extends GivenRule["kind"]> = Extract<GivenRule, { readonly kind: Kind }>;

/** One rule, in the domain's words. Undefined where it has a problem. */
export function readRule(
  given: GivenRule,
  path: string,
  reading: RuleReading,
): GuardRule | undefined {
  checkRoots(given, path, reading);
  checkZone(given, path, reading);
  switch (given.kind) {
    case "loss":
    case "profit":
      return withTerms(given, readPnl(given, path, reading));
    case "drawdown":
      return withTerms(given, readDrawdown(given, path, reading));
    case "lots":
      return withTerms(given, readLotsRule(given, path, reading));
    case "orderValue": {
      const max = readMoney(`${path}.max`, given.max, POSITIVE, reading);
      return max === undefined ? undefined : { ...given, max };
    }
    case "opposite":
    case "count":
    case "consistency":
    case "window":
    case "flatBy":
    case "flatBeforeClose":
    case "flatBeforeRoll":
    case "news":
      return given;
  }
}

type Terms = PnlRule | DrawdownRule | LotsRule;

function withTerms<Rule extends Terms>(
  { id, mode, lock }: GivenRule,
  terms: Rule | undefined,
): (Rule & Pick<GuardRule, "id" | "mode" | "lock">) | undefined {
  return terms === undefined ? undefined : { id, mode, lock, ...terms };
}

function readPnl(
  { kind, period, limit: written, counts, then, together }: Given<"loss" | "profit">,
  path: string,
  reading: RuleReading,
): PnlRule | undefined {
  const limit = readMoney(`${path}.limit`, written, POSITIVE, reading);
  const accounts = together?.map((text, nth) =>
    readAccount(text, `${path}.together.${nth}`, reading),
  );
  if (limit === undefined || !isWhole(accounts)) return undefined;
  return {
    kind,
    period,
    limit,
    counts,
    then,
    ...(accounts !== undefined && { together: accounts }),
  };
}

function isWhole(
  accounts: readonly (AccountId | undefined)[] | undefined,
): accounts is readonly AccountId[] | undefined {
  return accounts === undefined || !accounts.includes(undefined);
}

function readAccount(text: string, path: string, { problems }: RuleReading): AccountId | undefined {
  const account = parseAccountId(text);
  if (account === undefined) problems.push({ path, message: "is no account" });
  return account;
}

function readDrawdown(
  given: Given<"drawdown">,
  path: string,
  reading: RuleReading,
): DrawdownRule | undefined {
  const { kind, trails, then } = given;
  const size = readMoney(`${path}.size`, given.size, POSITIVE, reading);
  const start = readMoney(`${path}.start`, given.start, FROM_ZERO, reading);
  const peak = readGiven(`${path}.peak`, given.peak, FROM_ZERO, reading);
  const locksAt = readGiven(`${path}.locksAt`, given.locksAt, {}, reading);
  if (size === undefined || start === undefined) return undefined;
  if (peak !== undefined && peak < start) {
    reading.problems.push({ path: `${path}.peak`, message: "must not be below start" });
  }
  // The floor would never be where size says, and lower.
  if (locksAt !== undefined && locksAt < start - size) {
    const message = "must not be below start less size";
    reading.problems.push({ path: `${path}.locksAt`, message });
  }
  return {
    kind,
    trails,
    size,
    start,
    then,
    ...(peak !== undefined && { peak }),
    ...(locksAt !== undefined && { locksAt }),
  };
}

function readLotsRule(
  { kind, max: written, weights, ladder }: Given<"lots">,
  path: string,
  reading: RuleReading,
): LotsRule | undefined {
  const { problems } = reading;
  const max = readLots(`${path}.max`, written, problems);
  const read = Object.entries(weights).flatMap(([root, weight]) => {
    const value = readLots(`${path}.weights.${shorten(root)}`, weight, problems);
    return value === undefined ? [] : [[root, value] as const];
  });
  const steps = ladder && readLadder(ladder, `${path}.ladder`, reading);
  if (max === undefined) return undefined;
  return {
    kind,
    max,
    weights: Object.fromEntries(read),
    ...(steps !== undefined && { ladder: steps }),
  };
}

type Ladder = NonNullable<LotsRule["ladder"]>;

function readLadder(
  { start: written, counts, steps }: NonNullable<Given<"lots">["ladder"]>,
  path: string,
  reading: RuleReading,
): Ladder | undefined {
  const { problems } = reading;
  const start = readMoney(`${path}.start`, written, FROM_ZERO, reading);
  const read: Ladder["steps"][number][] = [];
  for (const [nth, step] of steps.entries()) {
    const place = `${path}.steps.${nth}`;
    const above = readMoney(`${place}.above`, step.above, FROM_ZERO, reading);
    const max = readLots(`${place}.max`, step.max, problems);
    if (above === undefined || max === undefined) continue;
    const before = read.at(-1);
    if (before !== undefined && above <= before.above) {
      problems.push({ path: `${place}.above`, message: "must be above the step before" });
    }
    read.push({ above, max });
  }
  return start === undefined ? undefined : { start, counts, steps: read };
}

function readMoney(
  path: string,
  written: Written,
  bounds: Bounds,
  { currency, problems }: RuleReading,
): Minor | undefined {
  return readMoneyIn({ path, written, currency }, bounds, problems);
}

const readGiven = (
  path: string,
  written: Written | undefined,
  bounds: Bounds,
  reading: RuleReading,
): Minor | undefined =>
  written === undefined ? undefined : readMoney(path, written, bounds, reading);

function checkRoots(given: GivenRule, path: string, { isRoot, problems }: RuleReading): void {
  for (const [place, root] of rootsOf(given)) {
    if (isRoot(root)) continue;
    const message = `"${shorten(root)}" is no root of the contract table`;
    problems.push({ path: `${path}.${place}`, message });
  }
}

function rootsOf(given: GivenRule): (readonly [place: string, root: string])[] {
  const listed = (roots: readonly string[], place: string) =>
    roots.map((root, nth) => [`${place}.${nth}`, root] as const);
  if (given.kind === "lots") {
    return Object.keys(given.weights).map((root) => [`weights.${shorten(root)}`, root] as const);
  }
  if (given.kind === "opposite") {
    return given.groups.flatMap((group, nth) => listed(group, `groups.${nth}`));
  }
  return "roots" in given && given.roots !== undefined ? listed(given.roots, "roots") : [];
}

function checkZone(given: GivenRule, path: string, { problems }: RuleReading): void {
  if ("zone" in given && !isTimeZone(given.zone)) {
    problems.push({ path: `${path}.zone`, message: NO_ZONE });
  }
}

/** Bodies are echoed in errors, so what they call their fields has a bound. */
const shorten = (text: string): string => (text.length > 32 ? `${text.slice(0, 32)}…` : text);
