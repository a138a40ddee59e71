import type { GuardPreset } from "../../src/domain/guards/preset.ts";
import {
  bestDay,
  CHICAGO,
  dailyLoss,
  drawdown,
  flatBeforeClose,
  flatBy,
  ladder,
  mostLots,
  NO_HEDGING,
  official,
  preset,
  thirdParty,
} from "./parts.ts";

interface Size {
  readonly size: number;
  readonly maxLoss: number;
  readonly dayLoss: number;
  readonly lots: number;
}

const SIZES: readonly Size[] = [
  { size: 50_000, maxLoss: 2_000, dayLoss: 1_000, lots: 5 },
  { size: 100_000, maxLoss: 3_000, dayLoss: 2_000, lots: 10 },
  { size: 150_000, maxLoss: 4_500, dayLoss: 3_000, lots: 15 },
];

const SOURCES = (size: number) => [
  official("Help pages 8284204 (maximum loss, of 50K), 8284209 and 9221977 (sizes, micros)"),
  official("Help pages 8284206 (flat by 15:10 Central), 8808125 and 9772296 (daily loss limit)"),
  ...(size === 50_000 ? [] : [thirdParty("The maximum loss of this size: several sites agree")]),
  thirdParty("Daily loss limits by size, best day 50 %, and holidays from 11:30 Central"),
];

const NOTICES = [
  "Bots are allowed while they are watched. No VPS, VPN or remote server",
  "Hedging across accounts is banned, and copiers are to be off during a payout",
  "The rule daily-loss only tells: accounts opened on TopstepX since 2024-08-25 have no such limit. Switch it on where yours has one",
  "The weights are those of TopstepX. In live accounts, and on other platforms, a micro counts as a whole lot",
  "SIL, MBT and MET weigh otherwise at the firm: here each counts as a whole lot",
];

const CLOSES = [
  // The firm itself begins to close at 15:08.
  flatBy("flat-by", [CHICAGO, "15:10", "17:00"], { flattenSeconds: 240 }),
  flatBeforeClose("day", 180),
];

const k = (size: number): string => `${size / 1_000}k`;

const combine = ({ size, maxLoss, dayLoss, lots }: Size): GuardPreset =>
  preset({
    name: `topstep-combine-${k(size)}`,
    title: `Topstep Trading Combine ${k(size).toUpperCase()}`,
    firm: "Topstep",
    size,
    sources: SOURCES(size),
    conflicts: [
      "One site says that the Combine trails intraday; the firm says by the end of the day, compared live. The firm's word is taken",
    ],
    notices: NOTICES,
    rules: [
      dailyLoss(dayLoss, "shadow"),
      drawdown("endOfDay", { size: maxLoss, start: size, locksAt: size }),
      mostLots(lots),
      ...CLOSES,
      bestDay(50),
      NO_HEDGING,
    ],
  });

/** Its balance begins at 0. */
const funded = ({ size, maxLoss, dayLoss, lots }: Size): GuardPreset =>
  preset({
    name: `topstep-xfa-${k(size)}`,
    title: `Topstep Express Funded Account ${k(size).toUpperCase()}`,
    firm: "Topstep",
    size,
    sources: [
      ...SOURCES(size),
      thirdParty("The floor stops at 0; of 50K the steps of the scaling plan"),
      official("Help page 8284223: a step up counts from the next session on"),
    ],
    conflicts: [],
    notices: [
      ...NOTICES,
      ...(size === 50_000
        ? []
        : ["The steps of this size's scaling plan are not kept here: lots is its last one"]),
    ],
    rules: [
      dailyLoss(dayLoss, "shadow"),
      drawdown("endOfDay", { size: maxLoss, start: 0, locksAt: 0 }),
      size === 50_000
        ? ladder(2, 0, [
            [1_500, 3],
            [2_000, 5],
          ])
        : mostLots(lots),
      ...CLOSES,
      bestDay(50),
      NO_HEDGING,
    ],
  });

export const topstep: readonly GuardPreset[] = [...SIZES.map(combine), ...SIZES.map(funded)];
