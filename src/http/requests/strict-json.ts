import { codePoint, isHidden } from "../../domain/visible-text.ts";
import type { Problem } from "../../errors.ts";

/** A body as read; `value` is undefined when it could not be read to its end. */
export interface ReadJson {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

const MAX_DEPTH = 16;
const MAX_PROBLEMS = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const CURLY = /^[“”„‟‘’]$/;
const WORD = /[A-Za-z_$][\w$]*|./uy;
// oxlint-disable-next-line eslint/no-control-regex -- JSON forbids exactly these
const NEEDS_CARE = /[\\\u0000-\u001f]/;

/**
 * Reads JSON as its author must have meant it, or says why it cannot: unlike `JSON.parse` it
 * refuses names given twice, `__proto__`, numbers that overflow and deep nesting. Which of two
 * quantities was meant is not ours to guess. A text that was `pasted` may have space between its
 * words that cannot be seen, as pages and editors leave it.
 */
export function readJson(text: string, { pasted = false } = {}): ReadJson {
  const reader = new JsonReader(text, pasted);
  try {
    return { value: reader.document(), problems: reader.problems };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { value: undefined, problems: [{ path: "body", message: error.message }] };
  }
}

class JsonSyntaxError extends Error {}

class JsonReader {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  readonly #pasted: boolean;
  #at = 0;

  constructor(text: string, pasted: boolean) {
    this.#text = text;
    this.#pasted = pasted;
  }

  document(): unknown {
    this.#skipSpace();
    if (this.#at === this.#text.length) throw new JsonSyntaxError("is empty");
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#unexpected();
    return value;
  }

  #value(): unknown {
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#enter();
    if (this.#take("}")) return object;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') this.#unexpected();
      const name = this.#string();
      this.#skipSpace();
      if (!this.#take(":")) this.#unexpected();
      this.#skipSpace();
      this.#path.push(name);
      const value = this.#value();
      this.#keep(object, name, value);
      this.#path.pop();
      this.#skipSpace();
    } while (this.#take(","));
    if (!this.#take("}")) this.#unexpected();
    return object;
  }

  #keep(object: Record<string, unknown>, name: string, value: unknown): void {
    if (name === "__proto__") this.#problem("is not a known field");
    else if (Object.hasOwn(object, name)) this.#problem("is given more than once");
    else object[name] = value;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#enter();
    if (this.#take("]")) return array;
    do {
      this.#skipSpace();
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      this.#skipSpace();
    } while (this.#take(","));
    if (!this.#take("]")) this.#unexpected();
    return array;
  }

  /** Steps over the opening bracket. The path is as long as the nesting is deep. */
  #enter(): void {
    if (this.#path.length >= MAX_DEPTH) this.#fail(`is nested deeper than ${MAX_DEPTH} levels`);
    this.#at += 1;
    this.#skipSpace();
  }

  #string(): string {
    const start = this.#at;
    const end = this.#text.indexOf('"', start + 1);
    const simple = end === -1 ? "" : this.#text.slice(start + 1, end);
    if (end === -1 || NEEDS_CARE.test(simple)) return this.#escapedString(start);
    this.#at = end + 1;
    return simple;
  }

  #escapedString(start: number): string {
    let end = start + 1;
    for (; this.#text[end] !== '"'; end += 1) {
      this.#at = end;
      if (end >= this.#text.length) this.#fail("is not valid JSON: a string is not closed");
      if (this.#text.charCodeAt(end) < 0x20) {
        this.#fail("is not valid JSON: a string holds a control character");
      }
      if (this.#text[end] === "\\") end += 1;
    }
    try {
      const value = JSON.parse(this.#text.slice(start, end + 1)) as string;
      this.#at = end + 1;
      return value;
    } catch {
      this.#at = start;
      return this.#fail("is not valid JSON: a string holds an unknown escape");
    }
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.#unexpected();
    this.#at = NUMBER.lastIndex;
    const value = Number(match[0]);
    if (!Number.isFinite(value)) this.#problem("is too large a number");
    return value;
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) return this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      const isSpace = code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
      if (!isSpace && !(this.#pasted && isHidden(this.#text.charAt(this.#at)))) return;
      this.#at += 1;
    }
  }

  #problem(message: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.problems.push({ path: this.#path.map(shorten).join(".") || "body", message });
  }

  #unexpected(): never {
    if (this.#at >= this.#text.length) this.#fail("is not valid JSON: it ends too early");
    WORD.lastIndex = this.#at;
    const found = WORD.exec(this.#text)?.[0] ?? "character";
    const shown = isHidden(found)
      ? `the invisible character ${codePoint(found)}`
      : `${JSON.stringify(shorten(found))}${CURLY.test(found) ? ", a curly quote" : ""}`;
    return this.#fail(`is not valid JSON: unexpected ${shown}`);
  }

  #fail(what: string): never {
    const before = this.#text.slice(0, this.#at).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new JsonSyntaxError(`${what}, at line ${before.length}, column ${column}`);
  }
}

/** Bodies are echoed in errors, so what they call their fields has a bound. */
const shorten = (name: string | number): string | number =>
  typeof name === "string" && name.length > 64 ? `${name.slice(0, 64)}…` : name;
