import { countText } from "../../parts/figure-text.ts";
import { numberOr } from "../../parts/typed-text.ts";
import type {
  ChangeCopyGroupBody,
  CopyGroup,
  CopyMode,
  CreateCopyGroupBody,
  DriftPolicy,
} from "./world.ts";

/** A group as it stands in the form. Figures are text, and empty is what the gateway does by itself. */
export interface GroupTyped {
  readonly leaderAccountId: string;
  readonly name: string;
  readonly mode: CopyMode;
  readonly driftPolicy: DriftPolicy;
  readonly driftAfterSeconds: string;
  readonly maxAgeSeconds: string;
  readonly stopAfterRejects: string;
}

export const newGroup = (leaderAccountId: string): GroupTyped => ({
  leaderAccountId,
  name: "",
  mode: "fills",
  driftPolicy: "alarm",
  driftAfterSeconds: "",
  maxAgeSeconds: "",
  stopAfterRejects: "",
});

export const typedGroup = (group: CopyGroup): GroupTyped => ({
  leaderAccountId: group.leaderAccountId,
  name: group.name,
  mode: group.mode,
  driftPolicy: group.driftPolicy,
  driftAfterSeconds: String(group.driftAfterSeconds),
  maxAgeSeconds: String(group.maxAgeSeconds),
  stopAfterRejects: String(group.stopAfterRejects),
});

/** Nobody follows in it yet: who does is added on its page, each with a size. */
export const creationOf = (typed: GroupTyped): CreateCopyGroupBody => ({
  leaderAccountId: typed.leaderAccountId,
  followers: [],
  ...termsOf(typed),
});

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: GroupTyped, group: CopyGroup): ChangeCopyGroupBody {
  const changed = Object.entries(termsOf(typed)).filter(
    ([name, value]) => value !== group[name as keyof CopyGroup],
  );
  return Object.fromEntries(changed);
}

const FIGURES = ["driftAfterSeconds", "maxAgeSeconds", "stopAfterRejects"] as const;

/** What is left empty is left out; what is no number goes as text, and is refused by its name. */
function termsOf(typed: GroupTyped): ChangeCopyGroupBody {
  const { driftPolicy, mode } = typed;
  const name = typed.name.trim();
  const given = FIGURES.filter((figure) => typed[figure].trim() !== "");
  return {
    ...(name !== "" && { name }),
    mode,
    driftPolicy,
    ...Object.fromEntries(given.map((figure) => [figure, numberOr(typed[figure].trim())])),
  };
}

export const MODES: readonly (readonly [CopyMode, string])[] = [
  ["fills", "Fills"],
  ["orders", "Fills and working orders"],
];

export const MODE_HINTS: Readonly<Record<CopyMode, string>> = {
  fills:
    "After each fill of the leader, followers trade to their target at the market. Of its exit plans they follow the fills: what leaves at a target, at the stop or at the end of its time, leaves there at the market, a moment later. They have no exits of their own at the broker.",
  orders:
    "The leader's working orders and exits are also placed in the followers' accounts, and fill at the same prices. Of its exit plans followers have the stop, which moves as the leader's does, and one target for all that they hold: the one where most contracts of the leader leave. For plans with several targets, choose fills.",
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
