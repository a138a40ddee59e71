import type { TradingHours } from "../../src/domain/calendar/trading-hours.ts";
import type { GuardPreset } from "../../src/domain/guards/preset.ts";
import { contracts } from "../contracts.ts";
import { tradingHours } from "../trading-hours.ts";
import {
  bestDay,
  CHICAGO,
  dailyLoss,
  drawdown,
  flatAtNews,
  flatBeforeClose,
  flatBy,
  MAJOR_NEWS,
  mostExecutions,
  mostLots,
  NEW_YORK,
  noFigure,
  OF_NEWS,
  official,
  OIL,
  OIL_NEWS,
  preset,
  thirdParty,
} from "./parts.ts";

const TAKE_PROFIT_TRADER = {
  firm: "Take Profit Trader",
  size: 50_000,
  sources: [
    official("Help pages: at most 50 executions a day, news of PRO+, out before limit up or down"),
    thirdParty("Six minis or 60 micros, flat by 17:00 Eastern, no daily loss limit since 2025-01"),
  ],
};
const TAKE_PROFIT_TRADER_NOTICES = [
  noFigure("The maximum loss"),
  "Rapid bots are banned",
  "Be out before a market reaches limit up or limit down: no guard sees to that",
];
const TAKE_PROFIT_TRADER_RULES = [
  mostLots(6),
  flatBy("flat-by", [NEW_YORK, "17:00", "18:00"]),
  mostExecutions(50),
];

export const takeProfitTrader: readonly GuardPreset[] = [
  preset({
    ...TAKE_PROFIT_TRADER,
    name: "take-profit-trader-test-50k",
    title: "Take Profit Trader Test 50K",
    conflicts: [],
    notices: TAKE_PROFIT_TRADER_NOTICES,
    rules: TAKE_PROFIT_TRADER_RULES,
  }),
  preset({
    ...TAKE_PROFIT_TRADER,
    name: "take-profit-trader-pro-plus-50k",
    title: "Take Profit Trader PRO+ 50K",
    conflicts: [
      "The drawdown of PRO+: one site says by the end of the day, the firm intraday with open positions",
      "News: one site says that only entries are forbidden; the firm says positions and orders. The stricter is taken",
    ],
    notices: [...TAKE_PROFIT_TRADER_NOTICES, OF_NEWS],
    rules: [
      ...TAKE_PROFIT_TRADER_RULES,
      flatAtNews("news", 60, { titles: MAJOR_NEWS }),
      flatAtNews("oil-news", 60, { titles: OIL_NEWS, roots: OIL }),
      flatAtNews("auctions", 60, { titles: ["Auction"], roots: ["ZN", "ZB"] }),
    ],
  }),
];

export const myFundedFutures: readonly GuardPreset[] = [
  preset({
    name: "myfundedfutures-sim-funded-50k",
    title: "MyFundedFutures sim funded 50K",
    firm: "MyFundedFutures",
    size: 50_000,
    sources: [
      official("Help page 8230009: flat two minutes around FOMC, its minutes, NFP and CPI"),
      thirdParty("By now only of the plans Rapid and Pro"),
    ],
    conflicts: [
      "The firm's page names all sim funded accounts, newer sites only Rapid and Pro: all is taken",
    ],
    notices: [
      noFigure("Daily loss, maximum loss and size, which depend on the plan"),
      "Reports on farm products, around which the firm wants their contracts flat, are not among the titles",
      OF_NEWS,
    ],
    rules: [
      flatAtNews("news", 120, { titles: MAJOR_NEWS }),
      flatAtNews("oil-news", 120, { titles: OIL_NEWS, roots: OIL }),
    ],
  }),
];

const TRADEIFY_SIZES = [
  { size: 50_000, dayLoss: 1_250, lots: 5 },
  { size: 100_000, dayLoss: 2_500, lots: 10 },
  { size: 150_000, dayLoss: 3_750, lots: 15 },
];

export const tradeify: readonly GuardPreset[] = TRADEIFY_SIZES.map(({ size, dayLoss, lots }) =>
  preset({
    name: `tradeify-growth-${size / 1_000}k`,
    title: `Tradeify Growth ${size / 1_000}K`,
    firm: "Tradeify",
    size,
    sources: [
      official("Help pages: daily loss limits of Growth and Lightning, soft, raised at +6 %"),
      thirdParty("Sizes, flat by 16:59 Eastern, the floor stops 100 above the start"),
    ],
    conflicts: [
      "The firm's older pages have an intraday drawdown in Advanced accounts; Growth's is by the end of the day",
    ],
    notices: [
      noFigure("The maximum loss"),
      "The firm raises the daily loss limit once the account has won 6 %: this does not",
      "Only a bot of your own, with proof, which trades at no other firm, and nothing of high frequency",
    ],
    rules: [dailyLoss(dayLoss), mostLots(lots), flatBy("flat-by", [NEW_YORK, "16:59", "18:00"])],
  }),
);

const rootsWith = (hours: TradingHours): readonly string[] =>
  contracts.filter((product) => product.hours === hours).map(({ root }) => root);
const GRAINS = rootsWith(tradingHours.grains);

export const earn2Trade: readonly GuardPreset[] = [
  preset({
    name: "earn2trade-gauntlet-mini-50k",
    title: "Earn2Trade Gauntlet Mini 50K",
    firm: "Earn2Trade",
    size: 50_000,
    sources: [
      official("Help pages 3292351 and 3292349 (sizes), and the firm's blog (when to be flat)"),
      thirdParty("Daily loss 1,100; drawdown 2,000 by the end of the day, up to the start"),
    ],
    conflicts: ["Some sites say that the drawdown trails live, others by the end of the day"],
    notices: [
      noFigure(
        "The ladder of sizes, by live equity: ten of MES, MNQ, MYM, M2K, MGC and MCL are one",
      ),
      "More than the ladder allows ends the evaluation",
    ],
    rules: [
      dailyLoss(1_100),
      drawdown("endOfDay", { size: 2_000, start: 50_000, locksAt: 50_000 }),
      flatBy("flat-by", [CHICAGO, "15:50", "17:00"]),
      flatBy("livestock", [CHICAGO, "13:05", "17:00"], {
        roots: rootsWith(tradingHours.livestock),
      }),
      flatBy("grains-break", [CHICAGO, "07:45", "08:30"], { roots: GRAINS }),
      flatBy("grains", [CHICAGO, "13:20", "19:00"], { roots: GRAINS }),
    ],
  }),
];

const BULENOX_SOURCES = [
  thirdParty("Option 1 trails intraday; option 2 by the end of the day, and its day has a limit"),
  thirdParty("At a payout the best day is at most 40 % of all"),
];

export const bulenox: readonly GuardPreset[] = [
  preset({
    name: "bulenox-option-1-50k",
    title: "Bulenox option 1, 50K",
    firm: "Bulenox",
    size: 50_000,
    sources: BULENOX_SOURCES,
    conflicts: [],
    notices: [noFigure("The maximum loss, which trails live, and the size")],
    rules: [bestDay(40)],
  }),
  preset({
    name: "bulenox-option-2-50k",
    title: "Bulenox option 2, 50K",
    firm: "Bulenox",
    size: 50_000,
    sources: BULENOX_SOURCES,
    conflicts: ["When its day ends: 17:00 Central by one site, 17:00 Eastern by another"],
    notices: [
      noFigure("The daily loss limit, in which open losses count"),
      noFigure("The maximum loss, by the end of the day, and the steps of the size"),
    ],
    rules: [bestDay(40)],
  }),
];

export const tradeDay: readonly GuardPreset[] = [
  preset({
    name: "tradeday-50k",
    title: "TradeDay 50K",
    firm: "TradeDay",
    size: 50_000,
    sources: [official("Help pages: out ten minutes before the close, and around tier 1 news")],
    conflicts: [],
    notices: [
      noFigure("Daily loss, maximum loss and size"),
      "The firm itself closes what is held two minutes before tier 1 news, and lets entries in two minutes after it",
      OF_NEWS,
    ],
    rules: [flatBeforeClose("day", 720), flatAtNews("news", 180, { titles: MAJOR_NEWS })],
  }),
];
