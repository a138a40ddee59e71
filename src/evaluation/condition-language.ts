import { Environment } from "@marcbachmann/cel-js";
import type { Indicators } from "../domain/strategy.ts";
import { INDICATOR_PARTS, type IndicatorType, partsOf } from "../domain/indicator.ts";

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

type List = readonly number[];

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
 * The language of one strategy's conditions: CEL, with its series as lists of numbers, newest first,
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

function registerFunctions(language: Environment): void {
  for (const other of ["list<double>", "double", "int"]) {
    const at = (value: List | number | bigint, index: number) =>
      typeof value === "object" ? element(value, index) : Number(value);
    language.registerFunction(
      `crossesAbove(list<double>, ${other}): bool`,
      (one: List, two: List | number | bigint) =>
        element(one, 0) > at(two, 0) && element(one, 1) <= at(two, 1),
    );
    language.registerFunction(
      `crossesBelow(list<double>, ${other}): bool`,
      (one: List, two: List | number | bigint) =>
        element(one, 0) < at(two, 0) && element(one, 1) >= at(two, 1),
    );
  }
  language.registerFunction("highest(list<double>, int): double", (list: List, count: bigint) =>
    Math.max(...newest(list, count)),
  );
  language.registerFunction("lowest(list<double>, int): double", (list: List, count: bigint) =>
    Math.min(...newest(list, count)),
  );
  language.registerFunction("abs(double): double", (value: number) => Math.abs(value));
  language.registerFunction("abs(int): double", (value: bigint) => Math.abs(Number(value)));
  for (const [one, two] of NUMBER_PAIRS) {
    const read = (a: number | bigint, b: number | bigint) => [Number(a), Number(b)];
    language.registerFunction(`min(${one}, ${two}): double`, (a: number | bigint, b: number) =>
      Math.min(...read(a, b)),
    );
    language.registerFunction(`max(${one}, ${two}): double`, (a: number | bigint, b: number) =>
      Math.max(...read(a, b)),
    );
  }
}

/** CEL compares whole numbers with others, but neither adds them up nor calls them equal. */
function registerMixedNumbers(language: Environment): void {
  type Whole = bigint;
  language.registerOperator("int + double: double", (a: Whole, b: number) => Number(a) + b);
  language.registerOperator("double + int: double", (a: number, b: Whole) => a + Number(b));
  language.registerOperator("int - double: double", (a: Whole, b: number) => Number(a) - b);
  language.registerOperator("double - int: double", (a: number, b: Whole) => a - Number(b));
  language.registerOperator("int * double: double", (a: Whole, b: number) => Number(a) * b);
  language.registerOperator("double * int: double", (a: number, b: Whole) => a * Number(b));
  language.registerOperator("int / double: double", (a: Whole, b: number) => Number(a) / b);
  language.registerOperator("double / int: double", (a: number, b: Whole) => a / Number(b));
  language.registerOperator("double == int: bool", (a: number, b: Whole) => a === Number(b));
}

/** Fewer values than a condition asks for: the strategy has to wait for more bars. */
export class TooFewValuesError extends Error {
  override readonly name = "TooFewValuesError";
}

function element(list: List, index: number): number {
  const value = list[index];
  if (value === undefined) throw new TooFewValuesError();
  return value;
}

function newest(list: List, count: bigint): List {
  if (count < 1n) throw new RangeError("counts at least one value");
  if (count > BigInt(list.length)) throw new TooFewValuesError();
  return list.slice(0, Number(count));
}

/** What all strategies share; making one anew takes longer than an evaluation. */
const TEMPLATE = createTemplate();
