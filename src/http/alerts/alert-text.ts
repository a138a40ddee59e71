import { trimmed, withoutMarks } from "../../domain/visible-text.ts";
import type { Problem } from "../../errors.ts";
import { readJson } from "../requests/strict-json.ts";
import { formFields, type Part } from "./form-encoding.ts";
import { quoteUnfilled } from "./unfilled-json.ts";
import { isObject, PLACEHOLDER } from "./written-values.ts";

/** In which form a body was written. `csv`: a licence id, a command, a symbol, then pairs. */
export type AlertForm = "json" | "pairs" | "csv";

export type Fields = Readonly<Record<string, unknown>>;

export type AlertText =
  | {
      readonly ok: true;
      readonly form: AlertForm;
      /** One for each alert of the body, in order. */
      readonly alerts: readonly Fields[];
      readonly isArray: boolean;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A message that wants more than this at once is not one alert any more. */
const MAX_ALERTS = 20;
const MAX_FIELDS = 200;
const NAME = /^[A-Za-z_][\w.-]{0,63}$/;
const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");

/** The names of charting placeholders that nobody has filled in, with their places; at most ten. */
export function unresolvedPlaceholders(text: string): readonly Problem[] {
  if (!text.includes("{{")) return [];
  return [...text.matchAll(PLACEHOLDERS)].slice(0, 10).map((match) => ({
    path: "body",
    message: `${match[0]} was not filled in, at ${placeOf(text, match.index)}`,
  }));
}

/**
 * Reads a body of any content type: a JSON object, a JSON array of them, the fields of a web form or
 * one field that holds such JSON, `name=value` pairs parted by semicolons, lines or commas, or the
 * comma form that begins with a licence id. What cannot be read is named with its line and column.
 */
export function readAlertText(given: string): AlertText {
  const text = trimmed(given);
  if (text === "") return refuse("is empty");
  if (/^[{["“„]/.test(text)) return readJsonAlerts(given);
  if (PLATFORMS_OWN.test(text)) return refuse(NO_ORDER);
  const body = withoutMarks(given);
  const form = formFields(body);
  if (form?.json !== undefined) return readJsonAlerts(form.json);
  if (form !== undefined) return pairs(body, form.fields, "pairs", {});
  const [first = ""] = text.split(/[;,\n]/, 1);
  if (first.includes("=")) return readPairs(body);
  return text.includes(",")
    ? readCsv(body)
    : refuse(`${NO_FORM}, at ${placeOf(body, startOf(body))}`);
}

const NO_FORM =
  'is neither JSON nor name=value pairs: an alert starts like {"action": or action=buy;';

/** TradingView's own words in an alert without a message: of a price, a condition, a strategy. */
const PLATFORMS_OWN =
  /^\S[^={]*(?:\s(?:Crossing|Greater Than|Less Than|Moving (?:Up|Down)|(?:Entering|Exiting|Inside|Outside) Channel)\b|: order \w+ @ \S+ filled on )/i;
const NO_ORDER =
  'is the text that the charting platform writes by itself, and names no order: write one into the message of the alert, such as {"action": "buy", "symbol": "MNQ1!", "qty": 1}';

const readPasted = (text: string) => readJson(text, { pasted: true });

/** Makes JSON of a message that is none. It then says the only thing that it can say. */
const REPAIRS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/[“”„‟]/g, '"'),
  // A chart's own id, put into a message without escaping its quotes.
  (text) =>
    text.replaceAll(/"(=\{(?:[^{}]|\{[^{}]*\})*\})"/g, (_, id: string) => JSON.stringify(id)),
  quoteUnfilled,
];
const ALL_REPAIRS = (text: string) => REPAIRS.reduce((repaired, repair) => repair(repaired), text);

function readJsonText(text: string): ReturnType<typeof readJson> {
  const read = readPasted(text);
  if (read.value !== undefined) return read;
  const repaired = [...REPAIRS, ALL_REPAIRS].map((repair) => readPasted(repair(text)));
  return repaired.find(({ value }) => value !== undefined) ?? read;
}

function readJsonAlerts(text: string): AlertText {
  const { value, problems } = readJsonText(text);
  if (value === undefined || problems.length > 0) return { ok: false, problems };
  if (isObject(value)) return { ok: true, form: "json", alerts: [value], isArray: false };
  if (!Array.isArray(value)) return refuse("must be a JSON object, or an array of them");
  if (value.length === 0) return refuse("is an empty array");
  if (value.length > MAX_ALERTS) return refuse(`holds more than ${MAX_ALERTS} alerts`);
  const others = value.flatMap((one, place) => (isObject(one) ? [] : [place]));
  if (others.length === 0) return { ok: true, form: "json", alerts: value, isArray: true };
  const message = "must be a JSON object";
  return { ok: false, problems: others.map((place) => ({ path: String(place), message })) };
}

function readPairs(body: string): AlertText {
  const parts = split(body, /[;\n]/g);
  const [only] = parts;
  const byCommas = parts.length === 1 && only !== undefined ? split(body, /,/g) : [];
  const isList = byCommas.length > 1 && byCommas.every(({ text }) => text.includes("="));
  return pairs(body, isList ? byCommas : parts, "pairs", {});
}

function readCsv(body: string): AlertText {
  const [license, command, symbol, ...rest] = split(body.replace(/;\s*$/, ""), /,/g);
  if (license === undefined || command === undefined || symbol === undefined) {
    return refuse(`${NO_FORM}, at ${placeOf(body, startOf(body))}`);
  }
  const fields = { license: license.text, command: command.text, symbol: symbol.text };
  return pairs(body, rest, "csv", fields);
}

function pairs(body: string, parts: readonly Part[], form: AlertForm, first: Fields): AlertText {
  const fields: Record<string, unknown> = { ...first };
  const problems: Problem[] = [];
  if (parts.length > MAX_FIELDS) return refuse(`holds more than ${MAX_FIELDS} fields`);
  for (const { text, at } of parts) {
    const equals = text.indexOf("=");
    const name = text.slice(0, Math.max(equals, 0)).trim();
    if (!NAME.test(name) || name.split(".").includes("__proto__")) {
      const message = `is not readable: expected name=value, at ${placeOf(body, at)}`;
      problems.push({ path: "body", message });
    } else if (
      !isPut(
        fields,
        form === "pairs" ? wayTo(name) : [name],
        unquoted(text.slice(equals + 1).trim()),
      )
    ) {
      problems.push({ path: name, message: "is given more than once" });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, form, alerts: [fields], isArray: false };
}

/** The objects of an alert. Other names may have a dot of their own: `syminfo.prefix`. */
const OBJECTS = /^(?:bracket|stopLoss|takeProfit|exitPlan|timeout|size)\./i;

/** In pairs `stopLoss.ticks=20` is the field `ticks` of the object `stopLoss`. */
const wayTo = (name: string): readonly string[] => (OBJECTS.test(name) ? name.split(".") : [name]);

/** Answers whether it is the first value there. */
function isPut(fields: Record<string, unknown>, way: readonly string[], value: string): boolean {
  const [name = "", ...inner] = way;
  const isNew = !Object.hasOwn(fields, name);
  if (inner.length === 0) {
    if (isNew) fields[name] = value;
    return isNew;
  }
  if (isNew) fields[name] = {};
  const object = fields[name];
  return isObject(object) && isPut(object as Record<string, unknown>, inner, value);
}

/** The parts that are not blank. */
function split(body: string, separator: RegExp): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  const add = (to: number): void => {
    const text = body.slice(from, to);
    if (text.trim() !== "") parts.push({ text: text.trim(), at: from + startOf(text) });
  };
  for (const { index } of body.matchAll(separator)) {
    add(index);
    from = index + 1;
  }
  add(body.length);
  return parts;
}

const unquoted = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text;

const startOf = (text: string): number => text.length - text.trimStart().length;

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function refuse(message: string): AlertText {
  return { ok: false, problems: [{ path: "body", message }] };
}
