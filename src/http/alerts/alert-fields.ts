import { sideToClose } from "../../domain/closing-words.ts";
import { NOISY_DECIMALS, parseDecimal } from "../../domain/contracts/decimal.ts";
import type { LegTicket, WrittenNumber } from "../../domain/contracts/tick-reader.ts";
import { bareText, hiddenIn, trimmed, withCodePoints } from "../../domain/visible-text.ts";
import type { Problem } from "../../errors.ts";
import { isHarmless } from "./meant-words.ts";
import {
  FALSE,
  isNo,
  isObject,
  isThere,
  isUnfilled,
  type Nothing,
  nothingIn,
  plain,
  plainText,
  TRUE,
} from "./written-values.ts";

export const MAX_QTY = 10_000;
export const MAX_TICKS = 100_000;

type Names = string | readonly [name: string, ...aliases: string[]];

/** A field of a name that nobody knows. */
export interface UnknownField {
  /** As it was written. */
  readonly name: string;
  readonly value: unknown;
  /** The names that are asked for where it stands. */
  readonly known: readonly string[];
  readonly refuse: (why: string) => void;
}

/** A field that is named and says nothing. */
export interface NothingField {
  readonly name: string;
  /** With the names of what it lies in. */
  readonly path: string;
  readonly says: Nothing;
  readonly refuse: (why: string) => void;
}

interface Given {
  /** As it was written. */
  readonly name: string;
  readonly value: unknown;
  isRead: boolean;
}

/**
 * The fields of one alert, or of an object in it. Names are read in any case; numbers and flags may
 * be written as text, and an empty value is one that was left out. What is wrong is collected, so
 * that an answer names all of it.
 */
export class AlertFields {
  readonly problems: Problem[];
  readonly #path: string;
  /** By the name in lower case. */
  readonly #given = new Map<string, Given>();
  /** Names that were asked for, or may be meant; some more than once. */
  readonly #known: string[] = [];
  /** Nothing of these names is acted on here, as its profile knows. */
  readonly #passed: (readonly string[])[] = [];
  /** What is wrong with these is no matter for what the alert asks. */
  readonly #overlooked: string[] = [];
  readonly #inside: { readonly path: string; readonly fields: AlertFields }[] = [];
  /** In a leg every word counts: there even a harmless one stands for something that was meant. */
  #isStrict = false;

  constructor(fields: Readonly<Record<string, unknown>>, path = "", problems: Problem[] = []) {
    this.#path = path;
    this.problems = problems;
    for (const name of Object.keys(fields)) {
      const key = bareText(name).toLowerCase();
      if (this.#given.has(key)) this.problem(name, "is given twice, in different spellings");
      else this.#given.set(key, { name, value: fields[name], isRead: false });
    }
  }

  /** Whether a field is there with a value; this alone does not count as having read it. */
  has(names: Names): boolean {
    return this.#find(names) !== undefined;
  }

  /** Whether a field is there without a value: what an unfilled template leaves. */
  isBlank(name: string): boolean {
    const written = this.#given.get(name.toLowerCase());
    return written !== undefined && !isThere(written.value);
  }

  /** Names the field as its sender wrote it, where it is there, and what of its value cannot be seen. */
  problem(names: Names, message: string): undefined {
    const [name] = typeof names === "string" ? [names] : names;
    const found = this.#find(names);
    const hidden = typeof found?.value === "string" ? hiddenIn(found.value) : undefined;
    const written = found?.name ?? this.#given.get(name.toLowerCase())?.name ?? name;
    this.problems.push({
      path: `${this.#path}${shorten(written)}`,
      message: hidden === undefined ? message : `${message}; it ${hidden}`,
    });
  }

  /** Refuses each of these that is named and left blank in `outer`. Answers whether there is one. */
  refuseBlank(names: readonly string[], outer: string): boolean {
    const blank = names.filter((name) => this.isBlank(name));
    const remedy = `write its number, or leave ${outer} out`;
    for (const name of blank) this.problem(name, `is named and says nothing: ${remedy}`);
    return blank.length > 0;
  }

  /** Refuses a field by name, unless it is absent or says no. */
  refuse(names: Names, why: string): void {
    if (!isNo(this.#take(names))) this.problem(names, why);
  }

  /** Whether a field is absent or says no; like asking for it. */
  isOff(names: Names): boolean {
    return isNo(this.value(names));
  }

  /** The same for many names at once, each in lower case with its reason; or for some of them. */
  refuseAll(
    reasons: ReadonlyMap<string, string>,
    isMeant = (_name: string, _value: unknown) => true,
  ): void {
    for (const [key, { name, value }] of this.#given) {
      const why = reasons.get(key);
      if (why !== undefined && isMeant(name, value)) this.refuse(name, why);
    }
  }

  /** Fields that belong to the dialect, and say nothing in this alert. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#markRead(name);
    this.#known.push(...names);
  }

  /** Words of the dialect that a name may be meant for. */
  know(...names: readonly string[]): void {
    this.#known.push(...names);
  }

  /** Fields that ask for nothing here, and are named as unread. */
  passOver(...names: readonly string[]): void {
    this.#passed.push(names);
  }

  isPassedOver(name: string): boolean {
    return this.#passed.some((names) => names.includes(name));
  }

  /**
   * Takes back all that is wrong, and names it as unread, if none of it matters: by the way to each
   * field, and what it says. Otherwise the alert is refused anyway, and its sender is told everything.
   */
  passOverProblems(isPassed: (path: string, value: unknown) => boolean): void {
    const paths = this.problems.map(({ path }) => path.slice(this.#path.length));
    if (!paths.every((path) => isPassed(path, this.#at(path)))) return;
    this.problems.length = 0;
    this.#overlooked.push(...paths);
  }

  /** The same of one in which nothing is wrong. */
  overlook(name: string): void {
    this.#overlooked.push(name);
  }

  /** The names of fields that nobody has asked for, as they were written, also in what is inside. */
  unread(): readonly string[] {
    const own = this.#unread();
    if (own.length + this.#inside.length + this.#overlooked.length === 0) return [];
    const within = this.#inside.flatMap(({ path, fields }) =>
      fields.unread().map((one) => `${shorten(path)}.${one}`),
    );
    const unread = [...own.map(shorten), ...within, ...this.#overlooked];
    return [...new Set(unread)].slice(0, MOST_UNREAD);
  }

  /** Those of them that are not known to ask for nothing. */
  unknown(): readonly UnknownField[] {
    const unread = this.#unread();
    if (unread.length + this.#inside.length === 0) return [];
    const known = [...new Set(this.#known)];
    const own = unread
      .filter((name) => !this.#isPassed(name))
      .map((name) => ({
        name,
        value: this.peek(bareText(name)),
        known,
        refuse: (why: string) => this.problem(name, why),
      }));
    return [...own, ...this.#inside.flatMap(({ fields }) => fields.unknown())];
  }

  /** Fields that are named and say nothing, also in the objects inside. */
  sayingNothing(): readonly NothingField[] {
    const own = [...this.#given.values()].flatMap((given): readonly NothingField[] => {
      const { value } = given;
      const name = bareText(given.name);
      const says = nothingIn(value);
      const path = `${this.#path}${shorten(name)}`;
      const refuse = (message: string) => void this.problems.push({ path, message });
      return says === undefined ? [] : [{ name, path, says, refuse }];
    });
    return [...own, ...this.#inside.flatMap(({ fields }) => fields.sayingNothing())];
  }

  /** The value without asking for it. */
  peek(name: string): unknown {
    return this.#find(name)?.value;
  }

  value(names: Names): unknown {
    if (typeof names === "string") this.#known.push(names);
    else this.#known.push(...names);
    return this.#take(names);
  }

  /** At most 128 characters, without space around them. */
  text(names: Names, { needed = false, max = 128 } = {}): string | undefined {
    const value = this.#needed(names, needed);
    if (value === undefined) return undefined;
    const text = typeof value === "string" || typeof value === "number" ? plainText(value) : "";
    if (isUnfilled(text)) return this.problem(names, "has a placeholder that was not filled in");
    if (text.length >= 1 && text.length <= max) return text;
    return this.problem(names, `must be text of 1 to ${max} characters`);
  }

  /** The side that a word closes, where it is one that never opens. */
  sideToClose(name: string): "LONG" | "SHORT" | undefined {
    const side = sideToClose(plain(this.peek(name)));
    if (side !== undefined) this.ignore(name);
    return side;
  }

  /** One of the words, in any case. */
  choice<Word extends string>(
    names: Names,
    words: readonly Word[],
    { needed = false } = {},
  ): Word | undefined {
    const value = this.#needed(names, needed);
    if (value === undefined) return undefined;
    const written = plain(value);
    const word = words.find((known) => known.toLowerCase() === written);
    return word ?? this.problem(names, `must be one of ${words.join(", ")}`);
  }

  flag(names: Names): boolean {
    const value = this.value(names);
    if (value === undefined || value === false) return false;
    const written = plain(value);
    if (value === true || TRUE.has(written)) return true;
    if (!FALSE.has(written)) this.problem(names, "must be true or false");
    return false;
  }

  /** A price or distance is kept as it was written, so that no digit of it is lost. */
  number(names: Names, { needed = false } = {}): WrittenNumber | undefined {
    const value = this.#needed(names, needed);
    if (value === undefined) return undefined;
    if (typeof value === "number") return value;
    const text = typeof value === "string" ? trimmed(value) : "";
    return parseDecimal(text, NOISY_DECIMALS) === undefined
      ? this.problem(names, "must be a number")
      : text;
  }

  /** A whole number; `2.0` is one. */
  whole(names: Names, { needed = false, min = 1, max = MAX_QTY } = {}): number | undefined {
    const written = this.number(names, { needed });
    if (written === undefined) return undefined;
    const number = Number(written);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    return this.problem(names, `must be a whole number from ${min} to ${max}`);
  }

  /** A share in percent, kept as it was written; one that is off was left out. */
  percent(names: Names): WrittenNumber | undefined {
    const written = this.isOff(names) ? undefined : this.number(names);
    if (written === undefined) return undefined;
    const isExact = parseDecimal(String(written)) !== undefined;
    if (isExact && Number(written) > 0 && Number(written) < 100) return written;
    return this.problem(names, "must be above 0 and below 100 percent");
  }

  /** Contracts to be taken out: a part of one counts as a whole one, since none would leave it open. */
  part(names: Names, { needed = false } = {}): number | undefined {
    const written = this.number(names, { needed });
    if (written === undefined) return undefined;
    const qty = Math.max(1, Math.floor(Number(written)));
    if (Number(written) > 0 && qty <= MAX_QTY) return qty;
    return this.problem(names, `must be above 0 and at most ${MAX_QTY} contracts`);
  }

  /** The fields of an object inside; their problems join these. */
  object(names: Names, message = "must be an object"): AlertFields | undefined {
    const value = this.value(names);
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.problem(names, message);
    return this.within(this.#find(names)?.name ?? "", value);
  }

  /** The same, of an object that was found at a path. */
  within(path: string, value: Readonly<Record<string, unknown>>): AlertFields {
    const known = this.#inside.find((inside) => inside.path === path)?.fields;
    const fields = known ?? new AlertFields(value, `${this.#path}${path}.`, this.problems);
    if (known === undefined) this.#inside.push({ path, fields });
    fields.#isStrict = this.#isStrict;
    return fields;
  }

  /** The same, of an object in which every name counts. */
  strictObject(names: Names, message?: string): AlertFields | undefined {
    const inside = this.object(names, message);
    if (inside !== undefined) inside.#isStrict = true;
    return inside;
  }

  /** Exactly one of `price`, `ticks` and `offset` (specification 2.1, ARCHITECTURE "order body"). */
  leg(names: Names): LegTicket | undefined {
    // A plain no is no leg; what else says nothing is judged with the order.
    if (nothingIn(this.value(names)) === "no") return undefined;
    const fields = this.strictObject(names, LEG_MESSAGE);
    if (fields === undefined) return undefined;
    fields.ignore(...LEVELS);
    const given = LEVELS.filter((name) => fields.has(name));
    const [name] = given;
    const { name: outer = "it" } = this.#find(names) ?? {};
    if (name === undefined && fields.refuseBlank(LEVELS, outer)) return undefined;
    if (name === undefined || given.length > 1) return this.problem(names, LEG_MESSAGE);
    const level = name === "ticks" ? fields.whole(name, { max: MAX_TICKS }) : fields.number(name);
    return level === undefined ? undefined : { [name]: level };
  }

  #isPassed(name: string): boolean {
    const key = bareText(name).toLowerCase();
    if (this.#passed.some((names) => names.some((one) => one.toLowerCase() === key))) return true;
    return !this.#isStrict && isHarmless(name, this.#given.get(key)?.value);
  }

  /** The value at a path from here. */
  #at(path: string): unknown {
    const own = this.#findOne(path);
    if (own !== undefined) return own.value;
    const inside = this.#inside.find((one) => path.startsWith(`${one.path}.`));
    return inside && inside.fields.#at(path.slice(inside.path.length + 1));
  }

  #take(names: Names): unknown {
    if (typeof names === "string") this.#markRead(names);
    else for (const name of names) this.#markRead(name);
    return this.#find(names)?.value;
  }

  #markRead(name: string): void {
    const given = this.#given.get(name.toLowerCase());
    if (given !== undefined) given.isRead = true;
  }

  #unread(): string[] {
    const names: string[] = [];
    for (const { name, value, isRead } of this.#given.values()) {
      if (!isRead && isThere(value)) names.push(name);
    }
    return names;
  }

  #needed(names: Names, needed: boolean): unknown {
    const value = this.value(names);
    if (value === undefined && needed) this.problem(names, "is needed");
    return value;
  }

  #find(names: Names): Given | undefined {
    if (typeof names === "string") return this.#findOne(names);
    for (const name of names) {
      const found = this.#findOne(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findOne(name: string): Given | undefined {
    const found = this.#given.get(name.toLowerCase());
    return found !== undefined && isThere(found.value) ? found : undefined;
  }
}

const LEVELS = ["price", "ticks", "offset"] as const;
const LEG_MESSAGE = "must be an object with exactly one of price, ticks and offset";

/** Names are echoed in answers and kept in the alert log: they have a bound. */
const shorten = (name: string): string =>
  withCodePoints(name.length > 64 ? `${name.slice(0, 64)}…` : name);
const MOST_UNREAD = 50;
