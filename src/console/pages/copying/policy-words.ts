import { countText } from "../../parts/figure-text.ts";
import type { CopyGroup, CopyMode, DriftPolicy } from "./types.ts";

export const MODES: readonly (readonly [CopyMode, string])[] = [
  ["fills", "Fills"],
  ["orders", "Fills and working orders"],
];

export const MODE_HINTS: Readonly<Record<CopyMode, string>> = {
  fills: "After each fill of the leader, followers trade to their target at the market.",
  orders:
    "The leader's working orders and exits are also placed in the followers' accounts, and fill at the same prices.",
};

export const POLICIES: readonly (readonly [DriftPolicy, string])[] = [
  ["alarm", "Alert me"],
  ["repair", "Sync automatically"],
  ["flatten", "Close its positions and stop it"],
];

export const POLICY_HINTS: Readonly<Record<DriftPolicy, string>> = {
  alarm: "Nothing is traded: you are alerted, and decide.",
  repair:
    "The follower is traded to its target at the market. After three failed attempts in a row it is stopped.",
  flatten:
    "Every position of the account is closed at the market, and the follower is stopped: only exits are copied to it until you resume it.",
};

/** A group's terms as pairs of a name and what it is set to. */
export const termsInWords = (group: CopyGroup): readonly (readonly [string, string])[] => [
  ["Copied", `${wordOf(MODES, group.mode)}. ${MODE_HINTS[group.mode]}`],
  [
    "When out of sync",
    `${wordOf(POLICIES, group.driftPolicy)}, after ${group.driftAfterSeconds} s. ${POLICY_HINTS[group.driftPolicy]}`,
  ],
  ["Entries expire after", `${group.maxAgeSeconds} s. Exits are copied later too.`],
  [
    "Stops after",
    `${countText(group.stopAfterRejects, "refused copy", "refused copies")} in a row`,
  ],
];

export const modeWord = (mode: CopyMode): string => wordOf(MODES, mode);

const wordOf = <Value extends string>(
  words: readonly (readonly [Value, string])[],
  value: Value,
): string => words.find(([one]) => one === value)?.[1] ?? value;
