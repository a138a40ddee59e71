/** Space of any width, and marks without one: they come along when text is copied from a page. */
const PASTED = /[\s\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/;
/** Without a width and without a meaning, between any two letters. */
const WIDTHLESS = /[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g;
/** Controls but tabs and ends of lines, and marks that turn the direction of what is shown, besides. */
const HIDDEN =
  // oxlint-disable-next-line eslint/no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;

/** Without the space at its ends, of whatever kind. */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && PASTED.test(text.charAt(from))) from += 1;
  while (to > from && PASTED.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/**
 * The same without what has no width. For words that are compared with known ones: whatever such a mark
 * was for, the word is that word.
 */
export const bareText = (text: string): string =>
  isPlain(text) ? text.trim() : trimmed(withoutMarks(text));

export const withoutMarks = (text: string): string => text.replaceAll(WIDTHLESS, "");

/** As `U+202E`. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

export const isHidden = (character: string): boolean => HIDDEN.test(character);

/** Says which character cannot be seen, and where; undefined where all can. Completes a sentence. */
export function hiddenIn(text: string): string | undefined {
  const at = text.search(HIDDEN);
  if (at < 0) return undefined;
  return `holds the invisible character ${codePoint(text.charAt(at))} as its character ${at + 1}: delete it`;
}

/** With its code point in place of each character that cannot be seen. */
export const withCodePoints = (text: string): string =>
  isPlain(text)
    ? text
    : text.replaceAll(new RegExp(HIDDEN, "g"), (character) => `<${codePoint(character)}>`);

const PLAIN = /^[\u0020-\u007e]*$/;
const isPlain = (text: string): boolean => PLAIN.test(text);

/**
 * Characters that are not seen in a text, or that change how the rest of it looks: controls, ends of lines,
 * marks that turn the direction of a line, and characters without a width. The joiners that some scripts
 * and pictures are written with are none of them. It is the inside of a character class.
 */
export const UNSEEN =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb";

/** The pattern of a name that people choose for something that they keep: it looks like what it is. */
export const SHOWN_NAME = `^[^${UNSEEN}]*$`;

const SHOWN = new RegExp(SHOWN_NAME);

export const isShownAsItIs = (name: string): boolean => SHOWN.test(name);
