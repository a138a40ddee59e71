import type { Problem } from "../../errors.ts";
import { readJson } from "../requests/strict-json.ts";
import { isObject } from "./alert-fields.ts";

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
const PLACEHOLDER = /\{\{[^{}]{0,200}\}\}/g;

/** The names of charting placeholders that nobody has filled in, with their places; at most ten. */
export function unresolvedPlaceholders(text: string): readonly Problem[] {
  if (!text.includes("{{")) return [];
  return [...text.matchAll(PLACEHOLDER)].slice(0, 10).map((match) => ({
    path: "body",
    message: `${match[0]} was not filled in, at ${placeOf(text, match.index)}`,
  }));
}

/**
 * Reads a body of any content type: a JSON object, a JSON array of them, `name=value` pairs parted
 * by semicolons, lines or commas, or the comma form that begins with a licence id. What cannot be
 * read is named with its line and column.
 */
export function readAlertText(body: string): AlertText {
  const text = body.trim();
  if (text === "") return refuse("is empty");
  if (/^[{["]/.test(text)) return readJsonAlerts(body);
  const [first = ""] = text.split(/[;,\n]/, 1);
  if (first.includes("=")) return readPairs(body);
  return text.includes(",")
    ? readCsv(body)
    : refuse(`${NO_FORM}, at ${placeOf(body, startOf(body))}`);
}

const NO_FORM =
  'is neither JSON nor name=value pairs: an alert starts like {"action": or action=buy;';

function readJsonAlerts(text: string): AlertText {
  const { value, problems } = readJson(text);
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

/** A part of the text and where it begins. */
interface Part {
  readonly text: string;
  readonly at: number;
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
    if (!NAME.test(name) || name === "__proto__") {
      const message = `is not readable: expected name=value, at ${placeOf(body, at)}`;
      problems.push({ path: "body", message });
    } else if (Object.hasOwn(fields, name)) {
      problems.push({ path: name, message: "is given more than once" });
    } else {
      fields[name] = unquoted(text.slice(equals + 1).trim());
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, form, alerts: [fields], isArray: false };
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
