import type { ASTNode } from "@marcbachmann/cel-js";
import {
  type createConditionLanguage,
  FUNCTIONS,
  LOOPS,
  RECORDS,
  VISIBLE_VALUES,
} from "./condition-language.ts";

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
export function checkCondition(
  text: string,
  language: Language,
  barCount: number,
): ConditionProblem | undefined {
  if (text.length > MAX_CONDITION_LENGTH) {
    return { message: `is longer than ${MAX_CONDITION_LENGTH} characters`, at: 0 };
  }
  const comment = text.indexOf("//");
  if (comment !== -1) return { message: "has a comment, which conditions do without", at: comment };
  const unknown = unknownCall(text);
  if (unknown !== undefined) return unknown;
  try {
    const parsed = language.parse(text);
    const reach = Math.min(VISIBLE_VALUES, barCount);
    const steps = stepsOf(parsed.ast, { numbers: new Set(), reach });
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
  const message = parseWords(summary) ?? `is not right: ${summary}`;
  return { message, at: range?.start ?? 0 };
}

/**
 * What would be called, as far as the text shows: the library remembers every name that it was ever
 * asked for, so it is not asked for those that there are not.
 */
function unknownCall(text: string): ConditionProblem | undefined {
  for (const { 1: name = "", index } of text.matchAll(/([A-Za-z_][A-Za-z0-9_]*)\s*\(/g)) {
    const isKnown = FUNCTIONS.has(name) || LOOPS.has(name) || name === "in";
    if (isKnown) continue;
    const isMethod = text[index - 1] === ".";
    return { message: isMethod ? `knows no ${name}()` : `knows no function ${name}`, at: index };
  }
  return undefined;
}

/** Where in a condition something is said. */
interface Place {
  /** Variables of the loops around it: each is one number. */
  readonly numbers: ReadonlySet<string>;
  /** How many values of a series there can be. */
  readonly reach: number;
}

/** A step that can fail: an error costs as much as so many others, and loops go on after it. */
const FALLIBLE_STEPS = 100;
/** Two factors cannot come to a whole number that is too large, more of them can. */
const PRODUCT_STEPS = 5;
const LARGEST_WHOLE = 1_000_000_000n;

/** How many steps it takes at most. Throws a `RefusedPartError` for what conditions do without. */
function stepsOf(node: ASTNode, place: Place): number {
  const steps = (part: ASTNode) => stepsOf(part, place);
  switch (node.op) {
    case "id":
      return 1;
    case "value":
      return valueSteps(node);
    case ".":
      return 1 + steps(node.args[0]);
    case "[]":
      return indexSteps(node, place);
    case "!_":
    case "-_":
      return 1 + steps(node.args);
    case "in":
      return memberSteps(node, place);
    case "+":
      return sumSteps(node, place);
    case "==":
    case "!=":
      return equalSteps(node, place);
    case "*":
      return PRODUCT_STEPS + steps(node.args[0]) + steps(node.args[1]);
    case "/":
    case "%":
      return FALLIBLE_STEPS + steps(node.args[0]) + steps(node.args[1]);
    case "-":
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
      return callSteps(node, place);
    case "rcall":
      return methodSteps(node, place);
    case "list":
      throw new RefusedPartError("may have a list only behind in", node);
    case "map":
    case ".?":
    case "[?]":
      throw new RefusedPartError("uses a part of CEL that conditions do without", node);
  }
}

type NodeOf<Op extends ASTNode["op"]> = Extract<ASTNode, { op: Op }>;

function valueSteps(node: NodeOf<"value">): number {
  const { args: value } = node;
  if (typeof value === "bigint" && value > LARGEST_WHOLE) {
    throw new RefusedPartError(`has a whole number above ${LARGEST_WHOLE}`, node);
  }
  if (["bigint", "number", "boolean", "string"].includes(typeof value)) return 1;
  throw new RefusedPartError("may have numbers, texts, true and false only", node);
}

function indexSteps(node: NodeOf<"[]">, place: Place): number {
  const [list, index] = node.args;
  if (index.op === "-_") {
    throw new RefusedPartError("counts back from [0], the newest value", index);
  }
  // Parts have their names behind a dot: a text could name one in disguise.
  if (hasText(index)) throw new RefusedPartError("has a number in [ ], not a text", index);
  requireWhole(index);
  requireReach(index, place.reach - 1);
  return FALLIBLE_STEPS + stepsOf(list, place) + stepsOf(index, place);
}

/** A quotient is a decimal, and no place in a series. */
function requireWhole(node: ASTNode | undefined): void {
  if (node === undefined || !hasQuotient(node)) return;
  const message = "divides where a whole number is needed: int( ) makes one of it";
  throw new RefusedPartError(message, node);
}

function hasQuotient(node: ASTNode): boolean {
  if (node.op === "/") return true;
  if (node.op === "call") return node.args[0] !== "int" && node.args[1].some(hasQuotient);
  if (node.op === "rcall") return false;
  return Array.isArray(node.args)
    ? (node.args as readonly unknown[]).some((part) => isNode(part) && hasQuotient(part))
    : isNode(node.args) && hasQuotient(node.args);
}

const isNode = (part: unknown): part is ASTNode =>
  typeof part === "object" && part !== null && "op" in part;

/** What can never be there is no matter of waiting for more bars. */
function requireReach(node: ASTNode | undefined, most: number): void {
  if (node?.op !== "value" || typeof node.args !== "bigint" || node.args <= most) return;
  const message = `reaches further than the ${most + 1} newest values, of which [0] is the newest: it sees as many as there are bars, and at most ${VISIBLE_VALUES}`;
  throw new RefusedPartError(message, node);
}

function hasText(node: ASTNode): boolean {
  if (node.op === "value") return typeof node.args === "string";
  if (node.op === ".") return node.args[1] === "side" || hasText(node.args[0]);
  if (node.op === "call") return node.args[1].some(hasText);
  if (node.op === "rcall") return hasText(node.args[1]) || node.args[2].some(hasText);
  return Array.isArray(node.args) && (node.args as readonly ASTNode[]).some(hasText);
}

/** Whether a number is among others, or among a series' values. */
function memberSteps(node: NodeOf<"in">, place: Place): number {
  const [one, others] = node.args;
  const many = others.op === "list" ? others.args : [];
  if ([one, ...many].some((part) => isSeries(part, place))) {
    throw new RefusedPartError("asks of numbers whether they are in a list, not of series", node);
  }
  const steps = VISIBLE_VALUES + stepsOf(one, place);
  if (others.op !== "list") return steps + stepsOf(others, place);
  return steps + sum(many.map((part) => stepsOf(part, place)));
}

/** Joined lists would grow, and with them every loop over them. */
function sumSteps(node: NodeOf<"+">, place: Place): number {
  const [one, two] = node.args;
  if (isSeries(one, place) || isSeries(two, place)) {
    throw new RefusedPartError("adds up numbers, not series: [0] is a series' newest number", node);
  }
  return 1 + stepsOf(one, place) + stepsOf(two, place);
}

function equalSteps(node: NodeOf<"=="> | NodeOf<"!=">, place: Place): number {
  const [one, two] = node.args;
  const compared = isSeries(one, place) ? VISIBLE_VALUES : 1;
  return compared + stepsOf(one, place) + stepsOf(two, place);
}

function callSteps(node: NodeOf<"call">, place: Place): number {
  const [name, args] = node.args;
  if (!FUNCTIONS.has(name)) throw new RefusedPartError(`knows no function ${name}`, node);
  if (name === "highest" || name === "lowest") {
    requireWhole(args[1]);
    requireReach(args[1], place.reach);
  }
  return VISIBLE_VALUES + sum(args.map((arg) => stepsOf(arg, place)));
}

function methodSteps(node: NodeOf<"rcall">, place: Place): number {
  const [name, receiver, args] = node.args;
  if (name === "size" && args.length === 0) return 1 + stepsOf(receiver, place);
  if (!LOOPS.has(name)) throw new RefusedPartError(`knows no ${name}()`, node);
  const [variable, ...rest] = args;
  const numbers =
    variable?.op === "id" ? new Set([...place.numbers, variable.args]) : place.numbers;
  const each = sum(rest.map((part) => stepsOf(part, { ...place, numbers })));
  return stepsOf(receiver, place) + VISIBLE_VALUES * (1 + each);
}

/** Every name but a loop's variable, and every part of an indicator; a choice may come to either. */
function isSeries(node: ASTNode, place: Place): boolean {
  if (node.op === "id") return !place.numbers.has(node.args);
  if (node.op === "?:") return node.args.slice(1).some((part) => isSeries(part, place));
  if (node.op !== ".") return false;
  const [whole] = node.args;
  return !(whole.op === "id" && RECORDS.has(whole.args));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const wordOf = (type: string | undefined): string =>
  type === "int" || type === "double" ? "a number" : `${type}`;

/** What the parser calls the parts of a condition that have no one spelling, and those that have. */
const PARTS: Readonly<Record<string, string>> = {
  EOF: "nothing more",
  NUMBER: "a number",
  STRING: "a text",
  BOOLEAN: "true or false",
  NULL: "null",
  IDENTIFIER: "a name",
  BYTES: "bytes",
  PLUS: '"+"',
  MINUS: '"-"',
  MULTIPLY: '"*"',
  DIVIDE: '"/"',
  MODULO: '"%"',
  EQ: '"=="',
  NE: '"!="',
  LT: '"<"',
  LE: '"<="',
  GT: '">"',
  GE: '">="',
  AND: '"&&"',
  OR: '"||"',
  NOT: '"!"',
  IN: '"in"',
  LPAREN: '"("',
  RPAREN: '")"',
  LBRACKET: '"["',
  RBRACKET: '"]"',
  LBRACE: '"{"',
  RBRACE: '"}"',
  DOT: '"."',
  COMMA: '","',
  COLON: '":"',
  QUESTION: '"?"',
};

/** The parser's complaint in words of whoever writes conditions; undefined for what is none of it. */
function parseWords(summary: string): string | undefined {
  const { needed, found } =
    /^(?:Expected (?<needed>[A-Z]+), got|Unexpected token:) (?<found>[A-Z]+)$/.exec(summary)
      ?.groups ?? {};
  const has = PARTS[found ?? ""];
  if (has === undefined) return undefined;
  const needs = needed === undefined ? "a value" : PARTS[needed];
  if (needs === undefined) return undefined;
  if (found === "EOF") return `ends too early: ${needs} is missing`;
  return `has ${has} where ${needs} is needed`;
}
