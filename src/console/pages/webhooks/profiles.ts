import type { Profile } from "./types.ts";

/** Whose words a webhook's messages are written in. */
export const PROFILES = [
  ["native", "This gateway's own"],
  ["position", "Position of the strategy"],
  ["traderspost", "TradersPost"],
  ["crosstrade", "CrossTrade"],
  ["pickmytrade", "PickMyTrade"],
] as const satisfies readonly (readonly [Profile, string])[];

export const profileWord = (profile: Profile | null): string =>
  PROFILES.find(([one]) => one === (profile ?? "native"))?.[1] ?? "";

export const PROFILE_HINTS: Readonly<Record<Profile, string>> = {
  native: "Buy and sell are exactly this order; close is everything of the account.",
  position:
    "The account is brought to where the strategy stands. The safest form for a strategy: a lost alert is made up for by the next.",
  traderspost:
    "Buy and sell are a side: resting entries are cancelled and the other side is closed first; the same side again is refused.",
  crosstrade: "Commands such as PLACE and CLOSEPOSITION, for this webhook's account alone.",
  pickmytrade: "Exits by price in tp and sl. Amounts in dollars are refused: they mean two things.",
};
