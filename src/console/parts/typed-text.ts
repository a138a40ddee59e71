/** What a person types into one field for several things. */

/** Parted by commas, spaces or lines. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** `NQ=MNQ`, parted by commas or lines. */
export function mapOf(text: string): Record<string, string> {
  const pairs = text
    .split(/[\n,;]+/)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => pair.split(/\s*(?:=|->|:|\sto\s)\s*/));
  return Object.fromEntries(pairs.map(([from = "", to = ""]) => [from, to]));
}

/** As `mapOf` reads it. */
export const mapText = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([from, to]) => `${from}=${to}`)
    .join(", ");

/** What is no number stays the text that was typed: the gateway says what is wrong with it. */
export const numberOr = (text: string): number | string =>
  text === "" || Number.isNaN(Number(text)) ? text : Number(text);
