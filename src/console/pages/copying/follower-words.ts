import type { Follower } from "./types.ts";

type Terms = Pick<
  Follower,
  "multiplier" | "rounding" | "fixedQty" | "maxQty" | "invert" | "symbolMap" | "allowedSymbols"
>;

const CALLED: Readonly<Record<string, string>> = {
  "0.1": "a tenth",
  "0.2": "a fifth",
  "0.25": "a quarter",
  "0.5": "half",
  "1": "1 for 1",
  "2": "double",
};

const ROUNDED = {
  down: "rounded down",
  nearest: "rounded to the nearest",
  up: "rounded up",
} as const;

/** How large it follows: "half, rounded down, at most 5". */
export function sizeInWords({ multiplier, rounding, fixedQty, maxQty }: Terms): string {
  const words = [];
  if (fixedQty !== null) words.push(`always ${fixedQty}`);
  if (multiplier !== null) {
    words.push(CALLED[multiplier] ?? `${multiplier} times`);
    if (rounding !== null && !Number.isInteger(Number(multiplier))) words.push(ROUNDED[rounding]);
  }
  if (maxQty !== null) words.push(`at most ${maxQty}`);
  return words.join(", ");
}

/** What it trades, and on which side, where that is not just as the leader. */
export function differencesInWords({ invert, symbolMap, allowedSymbols }: Terms) {
  const map = Object.entries(symbolMap).map(([from, to]) => `${to} for ${from}`);
  return [
    ...(invert ? ["inverted: short where the leader is long"] : []),
    ...(map.length > 0 ? [map.join(", ")] : []),
    ...(allowedSymbols === null ? [] : [`only ${allowedSymbols.join(", ")}`]),
  ];
}

/** "+2", "−1", "0". */
export const signedText = (value: number): string =>
  value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
