import type { GuardPreset } from "../../src/domain/guards/preset.ts";
import {
  bestDay,
  drawdown,
  flatBy,
  ladder,
  NEW_YORK,
  NO_HEDGING,
  noFigure,
  preset,
  thirdParty,
} from "./parts.ts";

const START = 50_000;
const LOCKS_AT = 50_100;

const SHARED = {
  firm: "Apex Trader Funding",
  size: START,
  sources: [
    thirdParty("Kinds of accounts from 2026-03-01 on; the floor stops 100 above the start"),
    thirdParty("Drawdown 2,500 of 50K, flat by 16:59 Eastern with no order left, best day 50 %"),
    thirdParty("A routing service lists the firm among those that it connects"),
  ],
};
const CONFLICTS = [
  "Automation: support is quoted with a ban on it, and a routing service lists the firm. Ask before you automate anything",
];
const NOTICES = [
  "Automation may be banned, in evaluations and in funded accounts",
  "Hedging is banned, also in markets that move together",
  "Accounts from before 2026-03-01 keep their older rules",
];
const RULES = [flatBy("flat-by", [NEW_YORK, "16:59", "18:00"]), bestDay(50), NO_HEDGING] as const;
const LIVE = drawdown("live", { size: 2_500, start: START, locksAt: LOCKS_AT });

export const apex: readonly GuardPreset[] = [
  preset({
    ...SHARED,
    name: "apex-intraday-50k",
    title: "Apex Intraday 50K",
    conflicts: CONFLICTS,
    notices: [...NOTICES, noFigure("The size")],
    rules: [LIVE, ...RULES],
  }),
  preset({
    ...SHARED,
    name: "apex-eod-50k",
    title: "Apex EOD 50K",
    conflicts: CONFLICTS,
    notices: [
      ...NOTICES,
      noFigure("The daily loss limit, at which the day is over"),
      noFigure("The drawdown, by the close and for the next session, and the size"),
    ],
    rules: RULES,
  }),
  preset({
    ...SHARED,
    name: "apex-legacy-pa-50k",
    title: "Apex Performance Account 50K, from before 2026-03",
    conflicts: CONFLICTS,
    notices: [
      ...NOTICES,
      "An open loss is to stay within 30 % of what was won, and a stop within five times its target: no guard sees to that",
    ],
    rules: [
      LIVE,
      // Half of the size until the floor has stopped.
      ladder(5, START, [[2_600, 10]]),
      ...RULES,
    ],
  }),
];
