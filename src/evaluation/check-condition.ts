import type { ASTNode } from "@marcbachmann/cel-js";
import { type createConditionLanguage, RECORDS, VISIBLE_VALUES } from "./condition-language.ts";

/** As many characters as a condition may have. */
export const MAX_CONDITION_LENGTH = 500;

/**
 * How many steps one condition may take: some milliseconds. Two loops within each other over whole
 * series are just possible, three are not.
 */
const MAX_STEPS = 100_000;

/** What is wrong with a condition, and from which character on, the first being 0. */
export interface ConditionProblem {
  readonly message: string;
  readonly at: number;
}

type Language = ReturnType<typeof createConditionLanguage>;

/**
 * Whether a condition is one: CEL of a few kinds of words, about things that there are, that comes to
 * true or false within a bounded number of steps. Everything that is not listed here is refused.
 */
export function checkCondition(text: string, language: Language): ConditionProblem | undefined {
  if (text.length > MAX_CONDITION_LENGTH) {
    return { message: `is longer than ${MAX_CONDITION_LENGTH} characters`, at: 0 };
  }
  try {
    const parsed = language.parse(text);
    const steps = stepsOf(parsed.ast);
    if (steps > MAX_STEPS) {
      const message = `takes up to ${steps} steps, and may take ${MAX_STEPS}: use fewer loops within each other`;
      return { message, at: 0 };
    }
    const { valid, type, error } = parsed.check();
    if (!valid) return toProblem(error);
    if (type === "bool") return undefined;
    return { message: `comes to ${wordOf(type)}, and must come to true or false`, at: 0 };
  } catch (error) {
    return toProblem(error);
  }
}

/** A part of the language that conditions do without. */
class RefusedPartError extends Error {
  readonly at: number;

  constructor(message: string, { start }: Pick<ASTNode, "start">) {
    super(message);
    this.at = start;
  }
}

/** The library's errors know their place; what it did not foresee has none. */
function toProblem(error: unknown): ConditionProblem {
  if (error instanceof RefusedPartError) return { message: error.message, at: error.at };
  if (!(error instanceof Error)) throw error;
  const { summary = error.message, range } = error as Error & {
    readonly summary?: string;
    readonly range?: { readonly start: number };
  };
  return { message: `is not right: ${summary}`, at: range?.start ?? 0 };
}

/** Loops over a list, and what they are called on. */
const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one"]);
const FUNCTIONS: ReadonlySet<string> = new Set([
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

/**
 * How many steps it takes at most, inside of the loops whose variables are `numbers`. Throws a
 * `RefusedPartError` for what conditions do without.
 */
function stepsOf(node: ASTNode, numbers: Names = NONE): number {
  const steps = (part: ASTNode) => stepsOf(part, numbers);
  switch (node.op) {
    case "id":
      return 1;
    case "value":
      return valueSteps(node);
    case ".":
      return 1 + steps(node.args[0]);
    case "[]":
      return indexSteps(node, numbers);
    case "!_":
    case "-_":
      return 1 + steps(node.args);
    case "in":
      return VISIBLE_VALUES + steps(node.args[0]) + listSteps(node.args[1], numbers);
    case "+":
      return sumSteps(node, numbers);
    case "==":
    case "!=":
      return equalSteps(node, numbers);
    case "-":
    case "*":
    case "/":
    case "%":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "&&":
    case "||":
      return 1 + steps(node.args[0]) + steps(node.args[1]);
    case "?:":
      return 1 + sum(node.args.map(steps));
    case "call":
      return callSteps(node, numbers);
    case "rcall":
      return methodSteps(node, numbers);
    case "list":
      throw new RefusedPartError("may have a list only behind in", node);
    case "map":
    case ".?":
    case "[?]":
      throw new RefusedPartError("uses a part of CEL that conditions do without", node);
  }
}

type Names = ReadonlySet<string>;
const NONE: Names = new Set();

type NodeOf<Op extends ASTNode["op"]> = Extract<ASTNode, { op: Op }>;

function valueSteps(node: NodeOf<"value">): number {
  const isKnown = ["bigint", "number", "boolean", "string"].includes(typeof node.args);
  if (isKnown) return 1;
  throw new RefusedPartError("may have numbers, texts, true and false only", node);
}

function indexSteps(node: NodeOf<"[]">, numbers: Names): number {
  const [list, index] = node.args;
  const tooFar = `reaches back further than the ${VISIBLE_VALUES} newest values, of which [0] is the newest`;
  if (index.op === "value" && typeof index.args === "bigint" && index.args >= VISIBLE_VALUES) {
    throw new RefusedPartError(tooFar, index);
  }
  if (index.op === "-_") {
    throw new RefusedPartError("counts back from [0], the newest value", index);
  }
  return 1 + stepsOf(list, numbers) + stepsOf(index, numbers);
}

/** Joined lists would grow, and with them every loop over them. */
function sumSteps(node: NodeOf<"+">, numbers: Names): number {
  const [one, two] = node.args;
  if (isSeries(one, numbers) || isSeries(two, numbers)) {
    throw new RefusedPartError("adds up numbers, not series: [0] is a series' newest number", node);
  }
  return 1 + stepsOf(one, numbers) + stepsOf(two, numbers);
}

function equalSteps(node: NodeOf<"=="> | NodeOf<"!=">, numbers: Names): number {
  const [one, two] = node.args;
  const compared = isSeries(one, numbers) ? VISIBLE_VALUES : 1;
  return compared + stepsOf(one, numbers) + stepsOf(two, numbers);
}

function callSteps(node: NodeOf<"call">, numbers: Names): number {
  const [name, args] = node.args;
  if (!FUNCTIONS.has(name)) throw new RefusedPartError(`knows no function ${name}`, node);
  return VISIBLE_VALUES + sum(args.map((arg) => stepsOf(arg, numbers)));
}

function methodSteps(node: NodeOf<"rcall">, numbers: Names): number {
  const [name, receiver, args] = node.args;
  if (name === "size" && args.length === 0) return 1 + stepsOf(receiver, numbers);
  if (!LOOPS.has(name)) throw new RefusedPartError(`knows no ${name}()`, node);
  const [variable, ...rest] = args;
  const inside = variable?.op === "id" ? new Set([...numbers, variable.args]) : numbers;
  const each = sum(rest.map((part) => stepsOf(part, inside)));
  return stepsOf(receiver, numbers) + VISIBLE_VALUES * (1 + each);
}

/** Behind `in`: what is written out, or a series. */
function listSteps(node: ASTNode, numbers: Names): number {
  if (node.op !== "list") return stepsOf(node, numbers);
  return sum(node.args.map((element) => stepsOf(element, numbers)));
}

/** Every name but a loop's variable, and every part of an indicator; a choice may come to either. */
function isSeries(node: ASTNode, numbers: Names): boolean {
  if (node.op === "id") return !numbers.has(node.args);
  if (node.op === "?:") return node.args.slice(1).some((part) => isSeries(part, numbers));
  if (node.op !== ".") return false;
  const [whole] = node.args;
  return !(whole.op === "id" && RECORDS.has(whole.args));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const wordOf = (type: string | undefined): string =>
  type === "int" || type === "double" ? "a number" : `${type}`;
