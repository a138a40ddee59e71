import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  type DataSourceRef,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import {
  MappingType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";
import {
  HeatmapColorMode,
  HeatmapColorOptionsBuilder,
  PanelBuilder as HeatmapBuilder,
} from "@grafana/grafana-foundation-sdk/heatmap";
import { DataqueryBuilder, PromQueryFormat } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as StatesBuilder } from "@grafana/grafana-foundation-sdk/statetimeline";
import { PanelBuilder as LinesBuilder } from "@grafana/grafana-foundation-sdk/timeseries";
import type { Query } from "./query.ts";

/** What every panel says of itself. Units are Grafana's own words, such as `s` or `bytes`. */
interface PanelText {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
}

interface LinesOptions extends PanelText {
  readonly queries: readonly Query[];
  /** Of 24 columns. */
  readonly width?: number;
  /** Values may be below 0. */
  readonly signed?: boolean;
}

interface DistributionOptions extends PanelText {
  /** Of a histogram, by its bounds (`le`). */
  readonly expr: string;
}

interface StatLook extends PanelText {
  /** From this value on it is red; below, green. */
  readonly redFrom?: number;
  /** Below this value it is red; from it on, green. */
  readonly redBelow?: number;
  /** Words for single values. */
  readonly words?: Readonly<Record<string, string>>;
}

interface StatOptions extends StatLook {
  readonly expr: string;
  /** Shows a label of the newest value instead of the value. */
  readonly legend?: string;
}

interface StatsOptions extends StatLook {
  readonly queries: readonly Query[];
  /** Of 24 columns. */
  readonly width: number;
}

export type Panel = StatBuilder | LinesBuilder | StatesBuilder | HeatmapBuilder;

const DATA_SOURCE: DataSourceRef = { type: "prometheus", uid: "${datasource}" };
const STAT_WIDTH = 4;
const STAT_HEIGHT = 4;
const LINES_HEIGHT = 8;

/** One number that is right or wrong at a glance. */
export function stat({ expr, legend = "", ...look }: StatOptions): Panel {
  const panel = statOf({ ...look, queries: [{ expr, legend }], width: STAT_WIDTH });
  if (legend !== "") panel.textMode(BigValueTextMode.Name);
  return described(panel, look);
}

/** Several such numbers side by side, each under its own name. */
export function stats(options: StatsOptions): Panel {
  return described(statOf(options).textMode(BigValueTextMode.ValueAndName), options);
}

function statOf({ queries, width, words = {}, ...look }: StatsOptions): StatBuilder {
  return new StatBuilder()
    .targets(queries.map((query) => target(query).instant()))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]))
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .mappings(mappingsOf(words))
    .thresholds(thresholdsOf(look))
    .height(STAT_HEIGHT)
    .span(width);
}

/** Numbers over time. */
export function lines({ queries, width = 12, signed = false, ...text }: LinesOptions): Panel {
  const panel = new LinesBuilder()
    .targets(queries.map(target))
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .fillOpacity(8)
    .lineWidth(1)
    .height(LINES_HEIGHT)
    .span(width);
  if (!signed) panel.min(0);
  return described(panel, text);
}

/** How often values came out how large, over time: the darker, the more often. */
export function distribution({ expr, ...text }: DistributionOptions): Panel {
  const panel = new HeatmapBuilder()
    .withTarget(target({ expr, legend: "{{le}}" }).format(PromQueryFormat.Heatmap))
    .color(
      new HeatmapColorOptionsBuilder()
        .mode(HeatmapColorMode.Scheme)
        .scheme("Blues")
        .exponent(0.5)
        .steps(64),
    )
    .height(LINES_HEIGHT)
    .span(24);
  return described(panel, text);
}

/** What was true when: 1 is yes, 0 is no. */
export function states({ queries, width = 24, ...text }: LinesOptions): Panel {
  const panel = new StatesBuilder()
    .targets(queries.map(target))
    .mappings(mappingsOf({ 0: "no", 1: "yes" }))
    .thresholds(
      thresholds([
        { color: "transparent", value: null },
        { color: "blue", value: 1 },
      ]),
    )
    .height(LINES_HEIGHT)
    .span(width);
  return described(panel, text);
}

function described<Builder extends Panel>(builder: Builder, text: PanelText): Panel {
  return builder
    .title(text.title)
    .description(text.description)
    .unit(text.unit)
    .datasource(DATA_SOURCE);
}

function target({ expr, legend }: Query): DataqueryBuilder {
  return new DataqueryBuilder().datasource(DATA_SOURCE).expr(expr).legendFormat(legend);
}

type Step = Parameters<ThresholdsConfigBuilder["steps"]>[0][number];

function thresholdsOf({
  redFrom,
  redBelow,
}: Pick<StatLook, "redFrom" | "redBelow">): ThresholdsConfigBuilder {
  if (redFrom !== undefined) {
    return thresholds([
      { color: "green", value: null },
      { color: "red", value: redFrom },
    ]);
  }
  if (redBelow === undefined) return thresholds([{ color: "blue", value: null }]);
  return thresholds([
    { color: "red", value: null },
    { color: "green", value: redBelow },
  ]);
}

function thresholds(steps: Step[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps);
}

function mappingsOf(words: Readonly<Record<string, string>>): ValueMapping[] {
  const options = Object.entries(words).map(([value, text]) => [value, { text }]);
  if (options.length === 0) return [];
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}
