import { countText } from "../../parts/figure-text.ts";
import type { CopyGroup, CopyMode, DriftPolicy } from "./types.ts";

export const MODES: readonly (readonly [CopyMode, string])[] = [
  ["fills", "What it fills"],
  ["orders", "Its orders too"],
];

export const MODE_HINTS: Readonly<Record<CopyMode, string>> = {
  fills: "What the leader's fills add up to is bought or sold at the market, right after them.",
  orders:
    "The leader's working orders and exits rest in the followers' accounts too, and fill where the leader's do.",
};

export const POLICIES: readonly (readonly [DriftPolicy, string])[] = [
  ["alarm", "Tell me"],
  ["repair", "Put it right"],
  ["flatten", "Close everything and stop it"],
];

export const POLICY_HINTS: Readonly<Record<DriftPolicy, string>> = {
  alarm: "Nothing is sent: it is shown here, logged and alarmed, and you decide.",
  repair:
    "It is brought to what it is to hold, at the market. When three attempts in a row do not help, it is stopped.",
  flatten:
    "Every position of the account is closed at the market, and it is stopped: only exits are copied to it until you resume it.",
};

/** A group's terms as pairs of a name and what it is set to. */
export const termsInWords = (group: CopyGroup): readonly (readonly [string, string])[] => [
  ["Copied", `${wordOf(MODES, group.mode)}. ${MODE_HINTS[group.mode]}`],
  [
    "When one drifts",
    `${wordOf(POLICIES, group.driftPolicy)}, after ${group.driftAfterSeconds} s. ${POLICY_HINTS[group.driftPolicy]}`,
  ],
  ["Oldest entry", `${group.maxAgeSeconds} s. Exits pass later too.`],
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
