import { PLACEHOLDER } from "./written-values.ts";

/**
 * A text, in which a placeholder may hold quotes; or a word that charting platforms write bare. A text that is
 * not closed goes on to the end: looked for anew from each of its quotes, it would take the square of its length.
 */
const TOKEN = new RegExp(
  String.raw`"(?:${PLACEHOLDER}|[^"\\{]|\{(?!\{[^{}]{0,200}\}\})|\\(?:.|$))*(?:"|$)|${PLACEHOLDER}|(?<![\w.])(?:NaN|-?Infinity)(?![\w.])`,
  "gs",
);
const PLACEHOLDERS = new RegExp(PLACEHOLDER, "g");

/**
 * Puts quotes around each placeholder that a template has left, and each `NaN` that a chart has written for
 * a value that it does not have. Each is read as a text then, so that the rest of the message is not lost.
 */
export const quoteUnfilled = (text: string): string => text.replaceAll(TOKEN, asText);

const asText = (token: string): string =>
  token.startsWith('"') ? token.replaceAll(PLACEHOLDERS, escaped) : `"${escaped(token)}"`;

const escaped = (placeholder: string): string => placeholder.replaceAll(/(?<!\\)"/g, '\\"');
