import type { components } from "../../api/schema.ts";
import { numberOr } from "../../parts/typed-text.ts";
import { indicatorsOf, type IndicatorsTyped, typedIndicators } from "./indicators.ts";
import type {
  Bracket,
  ChangeStrategyBody,
  ConditionName,
  CreateStrategyBody,
  Leg,
  Strategy,
  StrategyMode,
} from "./types.ts";

/** How far an exit is from the entry; empty: there is none. */
interface LegTyped {
  readonly by: keyof Leg;
  readonly distance: string;
}

export const CONDITIONS = [
  "enterLong",
  "exitLong",
  "enterShort",
  "exitShort",
] as const satisfies readonly ConditionName[];

/** A strategy as it stands in the form: figures are text. */
export interface StrategyTyped {
  readonly name: string;
  readonly accountId: string;
  readonly symbol: string;
  readonly barMinutes: string;
  readonly barCount: string;
  readonly indicators: IndicatorsTyped;
  /** Empty: never true. */
  readonly conditions: Readonly<Record<ConditionName, string>>;
  readonly qty: string;
  readonly takeProfit: LegTyped;
  readonly stopLoss: LegTyped;
  /** Empty: no schedule. */
  readonly cron: string;
  readonly timeZone: string;
  readonly mode: StrategyMode;
  readonly enabled: boolean;
}

export const BAR_MINUTES = [1, 2, 3, 5, 10, 15, 30, 60, 120, 240, 1_440] as const;

const NO_LEG: LegTyped = { by: "ticks", distance: "" };

/** `timeZone` is offered for its schedule. */
export const newStrategy = (accountId: string, timeZone: string): StrategyTyped => ({
  name: "",
  accountId,
  symbol: "",
  barMinutes: "5",
  barCount: "200",
  indicators: [],
  conditions: { enterLong: "", exitLong: "", enterShort: "", exitShort: "" },
  qty: "1",
  takeProfit: NO_LEG,
  stopLoss: NO_LEG,
  cron: "",
  timeZone,
  mode: "observe",
  enabled: true,
});

/** `timeZone` is offered where it has no schedule yet. */
export function typedStrategy(strategy: Strategy, timeZone: string): StrategyTyped {
  const { accountId, bracket, conditions, enabled, mode, name, schedule, symbol } = strategy;
  const written = CONDITIONS.map((one) => [one, conditions[one] ?? ""] as const);
  return {
    name,
    accountId,
    symbol,
    barMinutes: String(strategy.barMinutes),
    barCount: String(strategy.barCount),
    indicators: typedIndicators(strategy.indicators),
    conditions: Object.fromEntries(written) as Record<ConditionName, string>,
    qty: String(strategy.qty),
    takeProfit: typedLeg(bracket?.takeProfit),
    stopLoss: typedLeg(bracket?.stopLoss),
    cron: schedule?.cron ?? "",
    timeZone: schedule?.timeZone ?? timeZone,
    mode,
    enabled,
  };
}

function typedLeg(leg: Leg | undefined): LegTyped {
  if (leg?.ticks !== undefined) return { by: "ticks", distance: String(leg.ticks) };
  if (leg?.offset !== undefined) return { by: "offset", distance: String(leg.offset) };
  return NO_LEG;
}

/** For a new strategy: what is left empty is left out. */
export function creationOf(typed: StrategyTyped): CreateStrategyBody {
  const { bracket, schedule, ...terms } = termsOf(typed);
  return { ...terms, ...(bracket !== null && { bracket }), ...(schedule !== null && { schedule }) };
}

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: StrategyTyped, strategy: Strategy): ChangeStrategyBody {
  const before = termsOf(typedStrategy(strategy, typed.timeZone));
  const changed = Object.entries(termsOf(typed)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  return Object.fromEntries(changed);
}

/** What is no number goes as text, and is refused by its name. */
function termsOf(typed: StrategyTyped) {
  const { accountId, enabled, mode } = typed;
  const name = typed.name.trim();
  const cron = typed.cron.trim();
  const written = CONDITIONS.map((one) => [one, typed.conditions[one].trim()] as const);
  return {
    ...(name !== "" && { name }),
    accountId,
    symbol: typed.symbol.trim(),
    barMinutes: Number(typed.barMinutes) as Strategy["barMinutes"],
    barCount: figureOf(typed.barCount),
    indicators: indicatorsOf(typed.indicators),
    conditions: Object.fromEntries(written.filter(([, text]) => text !== "")),
    qty: figureOf(typed.qty),
    bracket: bracketOf(typed),
    schedule: cron === "" ? null : { cron, timeZone: typed.timeZone.trim() },
    mode,
    enabled,
  };
}

const figureOf = (text: string): number => numberOr(text.trim()) as number;

function bracketOf({ takeProfit, stopLoss }: StrategyTyped): Bracket | null {
  const legs = Object.entries({ takeProfit, stopLoss })
    .filter(([, { distance }]) => distance.trim() !== "")
    .map(([name, { by, distance }]) => [name, { [by]: figureOf(distance) }] as const);
  return legs.length === 0 ? null : Object.fromEntries(legs);
}

/** Whether it sends orders by itself. */
export const isTrading = ({ mode, enabled }: Pick<Strategy, "mode" | "enabled">): boolean =>
  enabled && mode === "trade";

/**
 * What is wrong with exactly this place of a body, such as `indicators.fast` and not
 * `indicators.fast.period`, which has a field of its own.
 */
export const problemAt = (
  problems: readonly components["schemas"]["Problem"][],
  place: string,
): string | undefined => problems.find(({ path }) => path === place)?.message;
