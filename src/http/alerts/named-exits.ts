import type { AlertRequest, OrderTerms } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import type { BracketTicket } from "../../domain/contracts/tick-reader.ts";
import type { AskedExitPlan } from "../../domain/exits/exit-plan.ts";
import type { AlertFields } from "./alert-fields.ts";
import { onlyTakesOut } from "./judge-unknown.ts";
import { bareName, wordsOf } from "./meant-words.ts";
import type { Nothing } from "./written-values.ts";

/** The words that a body is in: its webhook's profile, or the comma form. */
export type Dialect = AlertProfile | "csv";

interface Words {
  /**
   * By which values the service says itself that there is no such exit. Everywhere else they are what
   * an unfilled template leaves, and an order without the exit is not the one that was meant. A plain
   * `false` is no template's.
   */
  readonly meansNone: readonly Nothing[];
  /** Lists that the service's own generator leaves empty, and prices of the order itself. */
  readonly mayBeBlank?: readonly string[];
}

export const EXIT_WORDS: Readonly<Record<Dialect, Words>> = {
  native: { meansNone: ["no"], mayBeBlank: ["trailoffset"] },
  traderspost: { meansNone: ["no"], mayBeBlank: ["trailamount", "trailpercent"] },
  crosstrade: { meansNone: ["no"], mayBeBlank: ["trailoffset"] },
  // Its generator writes 0 into every field that is not used.
  pickmytrade: { meansNone: ["no", "zero"], mayBeBlank: ["advancetpsl"] },
  position: { meansNone: ["no"] },
  // MetaTrader's own word for no level.
  csv: { meansNone: ["no", "zero"] },
};

type Role = "stop" | "target" | "trailing" | "breakeven" | "bracket";

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  stop: "a stop-loss",
  target: "a take-profit",
  trailing: "a trailing stop",
  breakeven: "a breakeven",
  bracket: "exits",
};

/** Names that speak of a position. */
const NO_EXITS: ReadonlySet<string> = new Set(["targetquantity", "targetqty", "targetposition"]);
const BRACKETS = /^(?:bracket|exitplan|oco|atm\w*)$/;
const BREAKEVENS = /^(?:breakeven\w*|be(?:trigger|offset|price|ticks)?)$/;
const TRAILS = /^(?:trail|atr(?:timeframe|period|multiplier|shift|trigger))/;
const TARGETS = /^(?:(?:percentage|dollar)?tp\d?|takeprofit\w*|targets?\d?|profittarget)/;
const STOPS =
  /^(?:(?:percentage|dollar)?sl\d?$|sl(?:price|pct|pips|ticks)|(?:initial|protective)?stops?(?:loss|px|$)|stops?(?:ticks|pips|points|offset|distance|level|percent|pct|amount)$)/;

/** Undefined for a name of no exit. */
function exitNamed(name: string): Role | undefined {
  const bare = bareName(name);
  if (NO_EXITS.has(bare)) return undefined;
  if (BRACKETS.test(bare)) return "bracket";
  if (BREAKEVENS.test(bare)) return "breakeven";
  if (TRAILS.test(bare)) return "trailing";
  if (STOPS.test(bare)) return "stop";
  if (TARGETS.test(bare)) return "target";
  const words = new Set(wordsOf(name));
  if (words.has("sl") || words.has("stoploss")) return "stop";
  return words.has("tp") || words.has("takeprofit") ? "target" : undefined;
}

/** Inside an exit every name is a part of it. */
function exitAt(path: string): Role | undefined {
  const roles = path.split(".").flatMap((name) => exitNamed(name) ?? []);
  return roles.find((role) => role !== "bracket") ?? roles[0];
}

/**
 * An exit that is named and left blank. Beside an order it is refused, unless the alert has such an
 * exit all the same; where the service means none by it, the answer says so. A way out
 * needs no exit. Answers what is said, in words.
 */
export function judgeNamedExits(
  fields: AlertFields,
  request: AlertRequest | undefined,
  dialect: Dialect,
): readonly string[] {
  if (request === undefined || onlyTakesOut(request)) return [];
  const { meansNone, mayBeBlank = [] } = EXIT_WORDS[dialect];
  const has = exitsOf(request);
  const wrong = fields.problems.map((problem) => `${problem.path}.`);
  const none: Record<"stop" | "target", string[]> = { stop: [], target: [] };
  for (const { name, path, says, refuse } of fields.sayingNothing()) {
    const role = exitAt(path);
    if (role === undefined || has(role)) continue;
    // A problem with it, or with a part of it, is named already.
    if (wrong.some((one) => `${path}.`.startsWith(one) || one.startsWith(`${path}.`))) continue;
    const isSaid = meansNone.includes(says);
    if (!isSaid && !mayBeBlank.includes(bareName(name))) {
      refuse(`names ${ROLE_WORDS[role]} and says none: write its level, or leave the field out`);
    } else if (isSaid && role === "target") none.target.push(path);
    else if (isSaid && role !== "breakeven" && !has("stop")) none.stop.push(path);
  }
  return request.kind === "protect" ? [] : [...inWords("stop", none), ...inWords("target", none)];
}

function inWords(
  role: "stop" | "target",
  none: Readonly<Record<typeof role, readonly string[]>>,
): readonly string[] {
  const paths = none[role].slice(0, MOST_NAMED);
  if (paths.length === 0) return [];
  const what = role === "stop" ? "No stop-loss" : "No take-profit";
  return [`${what}: the alert says so in ${new Intl.ListFormat("en").format(paths)}`];
}

const MOST_NAMED = 10;

function exitsOf(request: AlertRequest): (role: Role) => boolean {
  const { bracket, exitPlan } = termsOf(request);
  // By its name a plan has what was saved.
  if (typeof exitPlan === "string") return () => true;
  const has: Readonly<Record<Role, boolean>> = {
    stop:
      bracket?.stopLoss !== undefined ||
      exitPlan?.stop !== undefined ||
      exitPlan?.trailing !== undefined,
    target: bracket?.takeProfit !== undefined || (exitPlan?.targets ?? []).length > 0,
    trailing: exitPlan?.trailing !== undefined,
    breakeven: exitPlan?.breakeven !== undefined,
    bracket: bracket !== undefined || exitPlan !== undefined,
  };
  return (role) => has[role];
}

function termsOf(request: AlertRequest): {
  readonly bracket?: BracketTicket | undefined;
  readonly exitPlan?: AskedExitPlan | undefined;
} {
  switch (request.kind) {
    case "order":
      return request.ticket;
    case "adjust":
      return request.terms satisfies OrderTerms;
    case "protect":
      return { bracket: request.legs, exitPlan: request.exitPlan };
    case "flatten":
    case "exit":
    case "cancel":
      return {};
  }
}
