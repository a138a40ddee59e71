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
  native: "Buy and sell are sent exactly as they are; close flattens the whole account.",
  position:
    "The account is brought to the strategy's position. The safest choice for a strategy: if an alert is lost, the next one corrects it.",
  traderspost:
    "Buy and sell are a side: resting entries are cancelled and the other side is closed first; the same side again is refused.",
  crosstrade: "Commands such as PLACE and CLOSEPOSITION, for this webhook's account alone.",
  pickmytrade:
    "Exits by price in tp and sl. Amounts in dollars are refused, because they are ambiguous.",
};
