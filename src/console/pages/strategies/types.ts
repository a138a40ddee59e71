import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Strategy = Schemas["Strategy"];
export type StrategyMode = Strategy["mode"];
export type StrategyState = Strategy["state"];
export type CreateStrategyBody = Schemas["CreateStrategy"];
export type ChangeStrategyBody = Schemas["ChangeStrategy"];
export type Leg = Schemas["StrategyLeg"];
export type Bracket = Schemas["StrategyBracket"];
export type Schedule = Schemas["StrategySchedule"];
export type Indicator = Schemas["Indicator"];
export type IndicatorType = Indicator["type"];
export type PriceSource = NonNullable<Indicator["source"]>;
export type ConditionName = keyof Schemas["StrategyConditions"];
export type Evaluation = Schemas["Evaluation"];
export type Decision = Evaluation["decision"];
export type EvaluationOutcome = Evaluation["outcome"];
export type StrategyChart = Schemas["StrategyChart"];
export type ChartBar = Schemas["ChartBar"];

/** What the pages of strategies are made of. */
export interface World {
  readonly strategies: readonly Strategy[];
  readonly accounts: readonly Account[];
}

/** What is shown of one strategy. */
export interface StrategyProps {
  strategy: Strategy;
  accounts: readonly Account[];
  refresh: () => void;
}
