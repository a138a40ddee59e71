import { listOf, mapOf, mapText, numberOr } from "../../parts/typed-text.ts";
import type { ChangeFollowerBody, Follower, PutFollowerBody } from "./world.ts";

/** A follower's terms as they stand in the form: figures are text. */
export interface FollowerTyped {
  readonly accountId: string;
  readonly sizedBy: "multiplier" | "fixedQty";
  readonly multiplier: string;
  readonly rounding: NonNullable<Follower["rounding"]>;
  readonly fixedQty: string;
  /** Empty: no cap. */
  readonly maxQty: string;
  readonly invert: boolean;
  /** `NQ=MNQ`, parted by commas or lines. */
  readonly symbolMap: string;
  /** Empty: all. */
  readonly allowedSymbols: string;
}

export const newFollower = (accountId: string): FollowerTyped => ({
  accountId,
  sizedBy: "multiplier",
  multiplier: "1",
  rounding: "down",
  fixedQty: "1",
  maxQty: "",
  invert: false,
  symbolMap: "",
  allowedSymbols: "",
});

export const typedFollower = (follower: Follower): FollowerTyped => ({
  accountId: follower.accountId,
  sizedBy: follower.fixedQty === null ? "multiplier" : "fixedQty",
  multiplier: follower.multiplier ?? "1",
  rounding: follower.rounding ?? "down",
  fixedQty: String(follower.fixedQty ?? 1),
  maxQty: String(follower.maxQty ?? ""),
  invert: follower.invert,
  symbolMap: mapText(follower.symbolMap),
  allowedSymbols: (follower.allowedSymbols ?? []).join(", "),
});

/** For a new follower: what is left empty is left out. */
export function putOf(typed: FollowerTyped): PutFollowerBody {
  const given = Object.entries(termsOf(typed)).filter(([, value]) => value !== null);
  return Object.fromEntries(given);
}

/** All that the form asks for; empty when it asks for nothing else than there is. */
export function changeOf(typed: FollowerTyped, follower: Follower): ChangeFollowerBody {
  const asked = termsOf(typed);
  const before = termsOf(typedFollower(follower));
  return JSON.stringify(asked) === JSON.stringify(before) ? {} : asked;
}

/** Null where nothing is to hold; what is no number goes as text, and is refused by its name. */
function termsOf(typed: FollowerTyped): ChangeFollowerBody {
  const allowed = listOf(typed.allowedSymbols);
  const size =
    typed.sizedBy === "fixedQty"
      ? { fixedQty: numberOr(typed.fixedQty.trim()) as number }
      : { multiplier: typed.multiplier.trim(), rounding: typed.rounding };
  const maxQty = typed.maxQty.trim();
  return {
    ...size,
    maxQty: maxQty === "" ? null : (numberOr(maxQty) as number),
    invert: typed.invert,
    symbolMap: mapOf(typed.symbolMap),
    allowedSymbols: allowed.length === 0 ? null : [...allowed],
  };
}

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
