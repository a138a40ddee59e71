import { messageOf } from "../domain/notify/message.ts";
import type { Notice } from "../trading/notify/ports.ts";

/** A notice in words: one line, and the lines below it. */
export interface ReadableText {
  readonly title: string;
  readonly body: string;
}

const SEVERE = { critical: "Critical: ", warning: "Warning: ", info: "" } as const;

export function readableText({ event, count }: Notice): ReadableText {
  const { severity, title, lines } = messageOf(event, count);
  return {
    title: oneLine(`${SEVERE[severity]}${title}`),
    body: lines.map(oneLine).join("\n"),
  };
}

/** What would break or stretch a line, so that text from outside cannot pretend to be a line of ours. */
const BREAK = /[\t\n\r\v\f\u0085\u2028\u2029]/;
const SPACE = /[\s\u0085]+/g;
// Control characters, and the marks that turn the direction of what follows.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Half of a character, which some receivers refuse. */
const HALVES = /\p{Surrogate}/gu;

export const oneLine = (text: string): string =>
  text
    .replaceAll(SPACE, (space) => (BREAK.test(space) ? " " : space))
    .replaceAll(UNSEEN, "")
    .replaceAll(HALVES, "\ufffd")
    .trim();

/** How much of a limit a text takes. The sum over its characters is that of the text. */
export type SizeOf = (text: string) => number;

/** In UTF-16, where an emoji counts twice: never less than what a service counts. */
export const inUnits: SizeOf = (text) => text.length;
export const inBytes: SizeOf = (text) => Buffer.byteLength(text);

const END = "…";

/** Cut between two characters to at most `limit`, with a mark where something is left out. */
export function cut(text: string, limit: number, sizeOf: SizeOf = inUnits): string {
  if (sizeOf(text) <= limit) return text;
  let size = sizeOf(END);
  let end = 0;
  for (const character of text) {
    size += sizeOf(character);
    if (size > limit) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${END}`;
}

/** Escaped after it was cut, so that no escape is; `limit` is of the escaped text. */
export const cutEscaped = (text: string, limit: number, escape: (text: string) => string): string =>
  escape(cut(text, limit, (part) => escape(part).length));
