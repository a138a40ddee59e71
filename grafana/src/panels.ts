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
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
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
}

interface StatOptions extends PanelText {
  readonly expr: string;
  /** From this value on it is red; below, green. */
  readonly redFrom?: number;
  /** Below this value it is red; from it on, green. */
  readonly redBelow?: number;
  /** Words for single values. */
  readonly words?: Readonly<Record<string, string>>;
  /** Shows a label of the newest value instead of the value. */
  readonly legend?: string;
}

export type Panel = StatBuilder | LinesBuilder | StatesBuilder;

const DATA_SOURCE: DataSourceRef = { type: "prometheus", uid: "${datasource}" };
const STAT_WIDTH = 4;
const STAT_HEIGHT = 4;
const LINES_HEIGHT = 8;

/** One number that is right or wrong at a glance. */
export function stat(options: StatOptions): Panel {
  const { expr, legend = "", words = {} } = options;
  const panel = new StatBuilder()
    .withTarget(target({ expr, legend }).instant())
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]))
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .mappings(mappingsOf(words))
    .thresholds(thresholdsOf(options))
    .height(STAT_HEIGHT)
    .span(STAT_WIDTH);
  if (legend !== "") panel.textMode(BigValueTextMode.Name);
  return described(panel, options);
}

/** Numbers over time. */
export function lines({ queries, width = 12, ...text }: LinesOptions): Panel {
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
    .min(0)
    .height(LINES_HEIGHT)
    .span(width);
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

function thresholdsOf({ redFrom, redBelow }: StatOptions): ThresholdsConfigBuilder {
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
