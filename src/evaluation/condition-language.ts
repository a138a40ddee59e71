import { Environment } from "@marcbachmann/cel-js";
import type { Indicators } from "../domain/strategies/strategy.ts";
import { INDICATOR_PARTS, type IndicatorType, partsOf } from "../domain/strategies/indicator.ts";

/** Of every series conditions see the newest values, so that what a condition costs is bounded. */
export const VISIBLE_VALUES = 100;

/** The series that every strategy has beside its indicators. */
export const PRICE_SERIES = ["open", "high", "low", "close", "volume"] as const;

/** What conditions know that has parts which are no series. */
export const RECORDS: ReadonlySet<string> = new Set(["position", "time"]);

/** Names that stand for something else already; CEL's own words are refused by itself. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...PRICE_SERIES,
  ...RECORDS,
  ...Object.getOwnPropertyNames(Object.prototype),
  "cel",
  "dyn",
  "filter",
  "has",
  "map",
  "optional",
  "prototype",
]);

const NUMBER_PAIRS = [
  ["double", "double"],
  ["double", "int"],
  ["int", "double"],
  ["int", "int"],
] as const;

/** The functions that conditions may call, and the loops over series. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  "abs",
  "crossesAbove",
  "crossesBelow",
  "double",
  "highest",
  "int",
  "lowest",
  "max",
  "min",
  "size",
]);
export const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one"]);

/**
 * What a strategy's conditions may be made of: CEL, with its series as lists of numbers, newest first,
 * and a few functions over them. Whole numbers and others may be mixed, which plain CEL refuses.
 */
export function createConditionLanguage(indicators: Indicators): Environment {
  const language = TEMPLATE.clone();
  for (const [name, { type }] of Object.entries(indicators)) {
    language.registerVariable(name, partsOf(type) === undefined ? "list<double>" : typeName(type));
  }
  return language;
}

/** Whether conditions can know something by this name. */
export function isFreeName(name: string): boolean {
  if (TAKEN_NAMES.has(name) || FUNCTIONS.has(name) || LOOPS.has(name)) return false;
  try {
    return TEMPLATE.clone().registerVariable(name, "list<double>").parse(name).ast.op === "id";
  } catch {
    return false; // A word of CEL itself.
  }
}

const typeName = (type: IndicatorType): string => `Series_${type}`;

function createTemplate(): Environment {
  const language = new Environment({
    limits: {
      maxAstNodes: 200,
      maxDepth: 24,
      maxListElements: 20,
      maxMapEntries: 0,
      maxCallArguments: 3,
    },
  });
  for (const name of PRICE_SERIES) language.registerVariable(name, "list<double>");
  language.registerVariable({
    name: "position",
    schema: { net: "int", qty: "int", side: "string", averagePrice: "double" },
  });
  language.registerVariable({
    name: "time",
    schema: { hour: "int", minute: "int", weekday: "int", day: "int", month: "int", year: "int" },
  });
  // One type for each kind of indicator: the library remembers every type that it has ever seen.
  for (const [type, parts] of Object.entries(INDICATOR_PARTS)) {
    const fields = Object.fromEntries(parts.map((part) => [part, "list<double>"]));
    language.registerType(typeName(type as IndicatorType), { fields });
  }
  registerMixedNumbers(language);
  registerFunctions(language);
  return language;
}

/** The library checks conditions and never evaluates them: its whole numbers are none of ours. */
const NEVER_CALLED = (): never => {
  throw new Error("Conditions are evaluated by evaluate-condition.ts");
};

function registerFunctions(language: Environment): void {
  const signatures = [
    ...["list<double>", "double", "int"].flatMap((other) => [
      `crossesAbove(list<double>, ${other}): bool`,
      `crossesBelow(list<double>, ${other}): bool`,
    ]),
    "highest(list<double>, int): double",
    "lowest(list<double>, int): double",
    "abs(double): double",
    "abs(int): double",
    ...NUMBER_PAIRS.flatMap(([one, two]) => [
      `min(${one}, ${two}): double`,
      `max(${one}, ${two}): double`,
    ]),
  ];
  for (const signature of signatures) language.registerFunction(signature, NEVER_CALLED);
}

/** CEL compares whole numbers with others, but neither adds them up nor calls them equal. */
function registerMixedNumbers(language: Environment): void {
  for (const sign of ["+", "-", "*", "/", "%"]) {
    language.registerOperator(`int ${sign} double: double`, NEVER_CALLED);
    language.registerOperator(`double ${sign} int: double`, NEVER_CALLED);
  }
  language.registerOperator("double % double: double", NEVER_CALLED);
  language.registerOperator("double == int: bool", NEVER_CALLED);
}

/** What all strategies share; making one anew takes longer than an evaluation. */
const TEMPLATE = createTemplate();
