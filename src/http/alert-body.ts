import { parseDecimal } from "../domain/decimal.ts";
import type { OrderTicket } from "../domain/order-ticket.ts";
import type { LegTicket, WrittenNumber } from "../domain/tick-reader.ts";
import type { Problem } from "../errors.ts";
import type { AlertOrder } from "../trading/gateway.ts";
import { readJson } from "./strict-json.ts";
import {
  ACTIONS,
  DURATIONS,
  ORD_TYPE_OF,
  ORDER_TYPES,
  SIDE_OF,
  TIME_IN_FORCE_OF,
} from "./words.ts";

export type ReadAlert =
  | { readonly ok: true; readonly value: AlertOrder }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const FLATTENING = ["close", "flat", "flatten", "exit"] as const;
const ALL_ACTIONS = [...ACTIONS, ...FLATTENING] as const;
const MAX_QTY = 10_000;
const MAX_TICKS = 100_000;

const FIELDS = [
  "action",
  "symbol",
  "qty",
  "type",
  "limitPrice",
  "stopPrice",
  "trailOffset",
  "timeInForce",
  "bracket",
  "takeProfit",
  "stopLoss",
] as const;
const LEG_FIELDS = ["price", "ticks", "offset"] as const;

/** Reads an alert as the specification words it, or names everything that is wrong with it. */
export function readAlert(text: string): ReadAlert {
  const { value, problems } = readJson(text.trim());
  if (value === undefined || problems.length > 0) return { ok: false, problems };
  if (!isObject(value)) {
    return { ok: false, problems: [{ path: "body", message: "must be a JSON object" }] };
  }
  const reader = new AlertReader(value);
  const alert = reader.alert();
  return alert === undefined || reader.problems.length > 0
    ? { ok: false, problems: reader.problems }
    : { ok: true, value: alert };
}

class AlertReader {
  readonly problems: Problem[] = [];
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  alert(): AlertOrder | undefined {
    const action = this.#choice("action", ALL_ACTIONS, true);
    if (action === undefined) this.#checkNames(this.#fields, FIELDS, "");
    if (action === "buy" || action === "sell") {
      const ticket = this.#ticket(action);
      return ticket && { kind: "order", ticket };
    }
    const symbol = this.#symbol(false);
    return action && { kind: "flatten", ...(symbol !== undefined && { symbol }) };
  }

  #ticket(action: "buy" | "sell"): OrderTicket | undefined {
    this.#checkNames(this.#fields, FIELDS, "");
    const symbol = this.#symbol(true);
    const orderQty = this.#whole("qty", this.#fields["qty"], { max: MAX_QTY, needed: true });
    const type = this.#choice("type", ORDER_TYPES, false);
    const duration = this.#choice("timeInForce", DURATIONS, false);
    const bracket = this.#bracket();
    const prices = {
      ...this.#number("limitPrice"),
      ...this.#number("stopPrice"),
      ...this.#number("trailOffset"),
    };
    if (symbol === undefined || orderQty === undefined) return undefined;
    return {
      symbol,
      side: SIDE_OF[action],
      orderQty,
      ordType: ORD_TYPE_OF[type ?? "market"],
      timeInForce: TIME_IN_FORCE_OF[duration ?? "day"],
      ...prices,
      ...(bracket !== undefined && { bracket }),
    };
  }

  #symbol(needed: boolean): string | undefined {
    const value = this.#given("symbol", needed);
    if (value === undefined) return undefined;
    const symbol = typeof value === "string" ? value.trim() : "";
    if (symbol.length >= 1 && symbol.length <= 32) return symbol;
    return this.#problem("symbol", "must be text of 1 to 32 characters");
  }

  #choice<Word extends string>(
    path: string,
    words: readonly Word[],
    needed: boolean,
  ): Word | undefined {
    const value = this.#given(path, needed);
    if (value === undefined) return undefined;
    const written = typeof value === "string" ? value.trim().toLowerCase() : undefined;
    const word = words.find((known) => known.toLowerCase() === written);
    return word ?? this.#problem(path, `must be one of ${words.join(", ")}`);
  }

  /** A price or distance is kept as it was written, so that no digit of it is lost. */
  #number(path: "limitPrice" | "stopPrice" | "trailOffset"): Partial<OrderTicket> {
    const value = this.#given(path, false);
    const number = value === undefined ? undefined : this.#written(path, value);
    return number === undefined ? {} : { [path]: number };
  }

  #written(path: string, value: unknown): WrittenNumber | undefined {
    if (typeof value === "number") return value;
    const text = typeof value === "string" ? value.trim() : "";
    return parseDecimal(text) !== undefined ? text : this.#problem(path, "must be a number");
  }

  #whole(path: string, value: unknown, { max, needed }: { max: number; needed: boolean }) {
    if (value === undefined || value === null) {
      return needed ? this.#problem(path, "is needed") : undefined;
    }
    const written = this.#written(path, value);
    if (written === undefined) return undefined;
    const number = Number(written);
    if (Number.isInteger(number) && number >= 1 && number <= max) return number;
    return this.#problem(path, `must be a whole number from 1 to ${max}`);
  }

  /** The legs stand in `bracket` or beside the other fields, but not in both places. */
  #bracket(): OrderTicket["bracket"] {
    const given = this.#given("bracket", false);
    if (given !== undefined && !isObject(given)) return this.#problem("bracket", LEGS_MESSAGE);
    if (given !== undefined) this.#checkNames(given, ["takeProfit", "stopLoss"], "bracket.");
    const takeProfit = this.#leg("takeProfit", given);
    const stopLoss = this.#leg("stopLoss", given);
    if (takeProfit === undefined && stopLoss === undefined) {
      const isEmpty = given !== undefined && !hasLeg(given);
      return isEmpty ? this.#problem("bracket", LEGS_MESSAGE) : undefined;
    }
    return {
      ...(takeProfit !== undefined && { takeProfit }),
      ...(stopLoss !== undefined && { stopLoss }),
    };
  }

  #leg(
    name: "takeProfit" | "stopLoss",
    bracket: Readonly<Record<string, unknown>> | undefined,
  ): LegTicket | undefined {
    const inner = bracket?.[name] ?? undefined;
    const outer = this.#given(name, false);
    if (inner !== undefined && outer !== undefined) {
      return this.#problem(name, "is given twice: here and in bracket");
    }
    const path = inner === undefined ? name : `bracket.${name}`;
    const leg = inner ?? outer;
    return leg === undefined ? undefined : this.#legLevel(path, leg);
  }

  #legLevel(path: string, leg: unknown): LegTicket | undefined {
    if (!isObject(leg)) return this.#problem(path, LEG_MESSAGE);
    this.#checkNames(leg, LEG_FIELDS, `${path}.`);
    const given = LEG_FIELDS.filter((name) => leg[name] !== undefined && leg[name] !== null);
    const [name] = given;
    if (name === undefined || given.length > 1) return this.#problem(path, LEG_MESSAGE);
    const place = `${path}.${name}`;
    const level =
      name === "ticks"
        ? this.#whole(place, leg[name], { max: MAX_TICKS, needed: true })
        : this.#written(place, leg[name]);
    return level === undefined ? undefined : { [name]: level };
  }

  /**
   * Unknown fields are ignored, but not a known one in another spelling: an order whose `stoploss`
   * was ignored would stand unprotected.
   */
  #checkNames(object: object, names: readonly string[], prefix: string): void {
    for (const name of Object.keys(object)) {
      if (names.includes(name)) continue;
      const plain = plainName(name);
      const meant = names.find((known) => known.toLowerCase() === plain);
      if (meant === undefined) continue;
      this.#problem(`${prefix}${name}`, `is not a known field; write ${prefix}${meant}`);
    }
  }

  #given(path: string, needed: boolean): unknown {
    const value = this.#fields[path] ?? undefined;
    if (value === undefined && needed) this.#problem(path, "is needed");
    return value;
  }

  #problem(path: string, message: string): undefined {
    this.problems.push({ path, message });
  }
}

const LEG_MESSAGE = "must be an object with exactly one of price, ticks and offset";
const LEGS_MESSAGE = "must be an object with takeProfit, stopLoss or both";

function hasLeg(bracket: Readonly<Record<string, unknown>>): boolean {
  return (bracket["takeProfit"] ?? bracket["stopLoss"] ?? undefined) !== undefined;
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_\s-]/g, "");

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
