import { type Minor, minor } from "../../domain/money.ts";
import type { BrokerGuards, BrokerRule } from "../../trading/money/ports.ts";
import { toAmount } from "./amounts.ts";
import type { TradovateAutoLiq, TradovateRiskStatus } from "./wire.ts";

export interface ToldOfRisk {
  readonly currency: string;
  /** When it was told, Unix ms. */
  readonly at: number;
  readonly now: number;
  /** One an account, or none. */
  readonly autoLiqs: readonly TradovateAutoLiq[];
  readonly statuses: readonly TradovateRiskStatus[];
}

type Threshold = Pick<BrokerRule, "kind" | "grade"> & {
  readonly field: keyof TradovateAutoLiq;
  /** Of what is not said anywhere: the rule is there, its amount is not known. */
  readonly isPercent?: boolean;
};

/** Those by margin are no guards against losses, and are left out. */
const THRESHOLDS: readonly Threshold[] = [
  { field: "dailyLossAlert", kind: "dailyLoss", grade: "alert" },
  { field: "dailyLossLiqOnly", kind: "dailyLoss", grade: "exitsOnly" },
  { field: "dailyLossAutoLiq", kind: "dailyLoss", grade: "liquidate" },
  { field: "dailyLossPercentageAlert", kind: "dailyLoss", grade: "alert", isPercent: true },
  { field: "dailyLossPercentageLiqOnly", kind: "dailyLoss", grade: "exitsOnly", isPercent: true },
  { field: "dailyLossPercentageAutoLiq", kind: "dailyLoss", grade: "liquidate", isPercent: true },
  { field: "weeklyLossAutoLiq", kind: "weeklyLoss", grade: "liquidate" },
  { field: "dailyProfitAutoLiq", kind: "dailyProfit", grade: "liquidate" },
  { field: "weeklyProfitAutoLiq", kind: "weeklyProfit", grade: "liquidate" },
];

/** What the broker's settings and its status of an account come to. */
export function toBrokerGuards(told: ToldOfRisk): BrokerGuards {
  const { currency, at, autoLiqs, statuses } = told;
  const refusals = statuses.flatMap(refusalsOf);
  return {
    currency,
    at,
    rules: autoLiqs.flatMap((settings) => rulesOf(settings, told)),
    ...(refusals.length > 0 && {
      refusesEntries: `Tradovate takes no entries: ${refusals.join(", ")}`,
    }),
  };
}

function rulesOf(settings: TradovateAutoLiq, told: ToldOfRisk): readonly BrokerRule[] {
  const thresholds = THRESHOLDS.filter(({ field }) => isOn(settings[field]));
  const rules: readonly BrokerRule[] = [
    ...thresholds.map(({ field, kind, grade, isPercent = false }) => {
      const limit = isPercent ? undefined : positive(settings[field], told.currency);
      return { kind, grade, ...(limit !== undefined && { limit }) };
    }),
    ...drawdownOf(settings, told),
    ...flatByOf(settings, told),
  ];
  const isLocked = settings.changesLocked === true;
  return isLocked ? rules.map((rule) => ({ ...rule, isLocked })) : rules;
}

/** Absent is off. What is there and is no amount is a rule of which the amount is not known. */
const isOn = (value: unknown): boolean => value !== undefined && value !== null;

function drawdownOf(settings: TradovateAutoLiq, told: ToldOfRisk): readonly BrokerRule[] {
  const { trailingMaxDrawdown: size, trailingMaxDrawdownMode: mode } = settings;
  if (!isOn(size)) return [];
  const limit = positive(size, told.currency);
  const floor = limit === undefined ? undefined : floorOf(limit, settings, told);
  return [
    {
      kind: "drawdown",
      grade: "liquidate",
      ...(limit !== undefined && { limit }),
      ...(floor !== undefined && { floor }),
      // A word that is not known may be of a floor that is nearer.
      trails: AT_END_OF_DAY.has(mode) ? "endOfDay" : "live",
    },
  ];
}

const AT_END_OF_DAY: ReadonlySet<unknown> = new Set(["EOD", "SteppedEOD"]);

/**
 * What the floor follows is `maxNetLiq`, as far as anybody can tell. If that is the highest of the day
 * where only its end counts, the floor is nearer than the broker's, never farther.
 */
function floorOf(
  size: Minor,
  { trailingMaxDrawdownLimit: stop }: TradovateAutoLiq,
  { currency, statuses }: ToldOfRisk,
): Minor | undefined {
  const peaks = statuses.flatMap(({ maxNetLiq }) => amount(maxNetLiq, currency) ?? []);
  if (peaks.length === 0) return undefined;
  const trailed = Math.max(...peaks) - size;
  const stopsAt = stop === NEVER_STOPS ? undefined : positive(stop, currency);
  return minor(stopsAt === undefined ? trailed : Math.min(trailed, stopsAt));
}

const NEVER_STOPS = 999_999_999;

/** Whether a time that has passed comes again the next day is not said. */
function flatByOf(settings: TradovateAutoLiq, { now }: ToldOfRisk): readonly BrokerRule[] {
  const { flattenTimestamp: time } = settings;
  if (!isOn(time)) return [];
  const at = typeof time === "string" ? Date.parse(time) : NaN;
  return [{ kind: "flatBy", grade: "liquidate", ...(at > now && { flatAt: at }) }];
}

/** The words that say nothing against an entry; any other may. */
const TAKES_ENTRIES: ReadonlySet<unknown> = new Set([
  "Normal",
  "DisableAutoLiq",
  "PlaceAutoLiqOnHold",
]);

function refusalsOf({
  adminAction,
  liquidateOnly,
  userTriggeredLiqOnly,
}: TradovateRiskStatus): readonly string[] {
  const isSet = (value: unknown) => isOn(value) && value !== false && value !== "";
  return [
    ...(isOn(adminAction) && !TAKES_ENTRIES.has(adminAction) ? [wordOf(adminAction)] : []),
    // The time from which it is so, in the documents.
    ...(isSet(liquidateOnly) ? [`liquidateOnly (${wordOf(liquidateOnly)})`] : []),
    ...(isSet(userTriggeredLiqOnly) ? ["userTriggeredLiqOnly"] : []),
  ];
}

const LONGEST_WORD = 100;

const wordOf = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, LONGEST_WORD);

const amount = (value: unknown, currency: string): Minor | undefined =>
  typeof value === "number" && Number.isFinite(value) ? toAmount(value, currency) : undefined;

function positive(value: unknown, currency: string): Minor | undefined {
  const found = amount(value, currency);
  return found !== undefined && found > 0 ? found : undefined;
}
