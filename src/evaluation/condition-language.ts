import { Environment } from "@marcbachmann/cel-js";
import type { Indicators } from "../domain/strategy.ts";
import { partsOf } from "../domain/indicator.ts";

/** Of every series conditions see the newest values, so that what a condition costs is bounded. */
export const VISIBLE_VALUES = 100;

/** The series that every strategy has beside its indicators. */
export const PRICE_SERIES = ["open", "high", "low", "close", "volume"] as const;

/** What conditions know that has parts which are no series. */
export const RECORDS: ReadonlySet<string> = new Set(["position", "time"]);

/** Names that conditions know beside indicators, and words that are, or look like, CEL's own. */
export const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...PRICE_SERIES,
  ...RECORDS,
  ...Object.getOwnPropertyNames(Object.prototype),
  "abs",
  "all",
  "as",
  "bool",
  "break",
  "bytes",
  "cel",
  "const",
  "continue",
  "crossesAbove",
  "crossesBelow",
  "double",
  "duration",
  "dyn",
  "else",
  "exists",
  "exists_one",
  "false",
  "filter",
  "for",
  "function",
  "has",
  "highest",
  "if",
  "import",
  "in",
  "int",
  "let",
  "list",
  "loop",
  "lowest",
  "map",
  "max",
  "min",
  "namespace",
  "null",
  "optional",
  "package",
  "return",
  "size",
  "string",
  "timestamp",
  "true",
  "type",
  "uint",
  "var",
  "void",
  "while",
]);

type List = readonly number[];

const NUMBER_PAIRS = [
  ["double", "double"],
  ["double", "int"],
  ["int", "double"],
  ["int", "int"],
] as const;

/**
 * The language of one strategy's conditions: CEL, with its series as lists of numbers, newest first,
 * and a few functions over them. Whole numbers and others may be mixed, which plain CEL refuses.
 */
export function createConditionLanguage(indicators: Indicators): Environment {
  const language = TEMPLATE.clone();
  for (const [name, { type }] of Object.entries(indicators)) {
    const parts = partsOf(type);
    if (parts === undefined) language.registerVariable(name, "list<double>");
    else {
      const schema = Object.fromEntries(parts.map((part) => [part, "list<double>"]));
      language.registerVariable({ name, schema });
    }
  }
  return language;
}

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
  language.registerOperator("int + double", (a: Whole, b: number) => Number(a) + b);
  language.registerOperator("double + int", (a: number, b: Whole) => a + Number(b));
  language.registerOperator("int - double", (a: Whole, b: number) => Number(a) - b);
  language.registerOperator("double - int", (a: number, b: Whole) => a - Number(b));
  language.registerOperator("int * double", (a: Whole, b: number) => Number(a) * b);
  language.registerOperator("double * int", (a: number, b: Whole) => a * Number(b));
  language.registerOperator("int / double", (a: Whole, b: number) => Number(a) / b);
  language.registerOperator("double / int", (a: number, b: Whole) => a / Number(b));
  language.registerOperator("double == int", (a: number, b: Whole) => a === Number(b));
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
