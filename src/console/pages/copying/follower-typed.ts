import { numberOr } from "../../parts/number-or.ts";
import { listOf, mapOf, mapText } from "../../parts/typed-list.ts";
import type { ChangeFollowerBody, Follower, PutFollowerBody } from "./types.ts";

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
