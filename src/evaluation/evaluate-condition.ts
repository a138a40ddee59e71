import type { ASTNode } from "@marcbachmann/cel-js";

/** Fewer values than a condition asks for: the strategy has to wait for more bars. */
export class TooFewValuesError extends Error {
  override readonly name = "TooFewValuesError";
}

/** Why a condition has no value; the message says it in words. */
export class NoValueError extends Error {
  override readonly name = "NoValueError";
}

type NodeOf<Op extends ASTNode["op"]> = Extract<ASTNode, { op: Op }>;
type Names = Readonly<Record<string, unknown>>;

/**
 * What a condition that was checked comes to. Every number is a decimal, those without a point too,
 * and one that is not finite ends it: only what does not depend on that is decided, as by the other
 * half of an or.
 */
export function evaluateCondition(node: ASTNode, names: Names): unknown {
  const evaluate = (part: ASTNode) => evaluateCondition(part, names);
  switch (node.op) {
    case "value":
      return typeof node.args === "bigint" ? finite(Number(node.args)) : literal(node.args);
    case "id":
      return fieldOf(names, node.args);
    case ".":
      return fieldOf(evaluate(node.args[0]), node.args[1]);
    case "[]":
      return elementAt(listOf(evaluate(node.args[0])), numberOf(evaluate(node.args[1])));
    case "!_":
      return !truthOf(evaluate(node.args));
    case "-_":
      return -numberOf(evaluate(node.args));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return calculate(node.op, evaluate(node.args[0]), evaluate(node.args[1]));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(node.op, evaluate(node.args[0]), evaluate(node.args[1]));
    case "==":
      return areEqual(evaluate(node.args[0]), evaluate(node.args[1]));
    case "!=":
      return !areEqual(evaluate(node.args[0]), evaluate(node.args[1]));
    case "in": {
      const [one, others] = [evaluate(node.args[0]), listOf(evaluate(node.args[1]))];
      return others.some((other) => areEqual(one, other));
    }
    case "list":
      return node.args.map(evaluate);
    case "&&":
      return decide(node.args, false, evaluate);
    case "||":
      return decide(node.args, true, evaluate);
    case "?:":
      return evaluate(truthOf(evaluate(node.args[0])) ? node.args[1] : node.args[2]);
    case "call": {
      const [name, args] = node.args;
      return call(name, args.map(evaluate));
    }
    case "rcall":
      return callOn(node, names);
    case "map":
    case ".?":
    case "[?]":
      throw new NoValueError("it uses a part of CEL that conditions do without");
  }
}

const literal = (value: unknown): unknown => (typeof value === "number" ? finite(value) : value);

function finite(value: number, why = "a number is too large"): number {
  if (Number.isFinite(value)) return value;
  throw new NoValueError(why);
}

function fieldOf(whole: unknown, name: string): unknown {
  const isThere = typeof whole === "object" && whole !== null && Object.hasOwn(whole, name);
  const value = isThere ? (whole as Names)[name] : undefined;
  if (value === undefined) throw new NoValueError(`nothing is known of ${name}`);
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return finite(value);
  throw new NoValueError("something is no number");
}

function truthOf(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new NoValueError("something is neither true nor false");
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new NoValueError("something is no series");
}

function elementAt(list: readonly unknown[], index: number): unknown {
  if (!Number.isInteger(index) || index < 0) {
    throw new NoValueError(`[${index}] is no place in a series`);
  }
  if (index >= list.length) throw new TooFewValuesError();
  return list[index];
}

function calculate(op: "+" | "-" | "*" | "/" | "%", one: unknown, two: unknown): unknown {
  if (op === "+" && typeof one === "string" && typeof two === "string") return one + two;
  const [a, b] = [numberOf(one), numberOf(two)];
  switch (op) {
    case "+":
      return finite(a + b);
    case "-":
      return finite(a - b);
    case "*":
      return finite(a * b);
    case "/":
      return finite(a / b, b === 0 ? "division by zero" : undefined);
    case "%":
      return finite(a % b, b === 0 ? "modulo by zero" : undefined);
  }
}

function compare(op: "<" | "<=" | ">" | ">=", one: unknown, two: unknown): boolean {
  const areTexts = typeof one === "string" && typeof two === "string";
  const areTruths = typeof one === "boolean" && typeof two === "boolean";
  const [a, b] = areTexts || areTruths ? [one, two] : [numberOf(one), numberOf(two)];
  switch (op) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

function areEqual(one: unknown, two: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(two)) return one === two;
  return one.length === two.length && one.every((value, n) => areEqual(value, two[n]));
}

/** One half is enough where it decides, also beside one that has no value. */
function decide(
  [one, two]: readonly [ASTNode, ASTNode],
  enough: boolean,
  evaluate: (part: ASTNode) => unknown,
): boolean {
  let without: Error | undefined;
  try {
    if (truthOf(evaluate(one)) === enough) return enough;
  } catch (error) {
    without = reasonOf(error);
  }
  if (truthOf(evaluate(two)) === enough) return enough;
  if (without !== undefined) throw without;
  return !enough;
}

/** Anything else is a fault of ours, which no other half makes good. */
function reasonOf(error: unknown): Error {
  if (error instanceof NoValueError || error instanceof TooFewValuesError) return error;
  throw error;
}

function call(name: string, args: readonly unknown[]): unknown {
  const [one, two] = args;
  switch (name) {
    case "abs":
      return Math.abs(numberOf(one));
    case "min":
      return Math.min(numberOf(one), numberOf(two));
    case "max":
      return Math.max(numberOf(one), numberOf(two));
    case "highest":
      return Math.max(...newest(listOf(one), numberOf(two)));
    case "lowest":
      return Math.min(...newest(listOf(one), numberOf(two)));
    case "crossesAbove":
      return at(one, 0) > at(two, 0) && at(one, 1) <= at(two, 1);
    case "crossesBelow":
      return at(one, 0) < at(two, 0) && at(one, 1) >= at(two, 1);
    case "size":
      return sizeOf(one);
    case "double":
      return typeof one === "string" ? parse(one, "double") : numberOf(one);
    case "int":
      return Math.trunc(typeof one === "string" ? parse(one, "int") : numberOf(one)) + 0;
    default:
      throw new NoValueError(`there is no function ${name}`);
  }
}

/** A number stands for a line at its height. */
const at = (value: unknown, index: number): number =>
  numberOf(typeof value === "number" ? value : elementAt(listOf(value), index));

function newest(list: readonly unknown[], count: number): readonly number[] {
  if (count < 1 || !Number.isInteger(count)) throw new NoValueError("counts at least one value");
  if (count > list.length) throw new TooFewValuesError();
  return list.slice(0, count).map(numberOf);
}

const sizeOf = (value: unknown): number =>
  typeof value === "string" ? Array.from(value).length : listOf(value).length;

function parse(text: string, name: "int" | "double"): number {
  const isNumber = name === "int" ? /^-?\d+$/ : /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
  if (!isNumber.test(text)) throw new NoValueError(`cannot convert to ${name}`);
  return finite(Number(text));
}

function callOn({ args: [name, receiver, rest] }: NodeOf<"rcall">, names: Names): unknown {
  const whole = evaluateCondition(receiver, names);
  if (name === "size") return sizeOf(whole);
  const [variable, condition] = rest;
  if (variable?.op !== "id" || condition === undefined) {
    throw new NoValueError(`there is no ${name}()`);
  }
  const holds = (value: unknown) =>
    truthOf(evaluateCondition(condition, { ...names, [variable.args]: value }));
  const list = listOf(whole);
  switch (name) {
    case "all":
      return decideAll(list, false, holds);
    case "exists":
      return decideAll(list, true, holds);
    case "exists_one":
      return list.filter(holds).length === 1;
    default:
      throw new NoValueError(`there is no ${name}()`);
  }
}

/** As `decide`, of so many. */
function decideAll(
  list: readonly unknown[],
  enough: boolean,
  holds: (value: unknown) => boolean,
): boolean {
  let without: Error | undefined;
  for (const value of list) {
    try {
      if (holds(value) === enough) return enough;
    } catch (error) {
      without ??= reasonOf(error);
    }
  }
  if (without !== undefined) throw without;
  return !enough;
}
