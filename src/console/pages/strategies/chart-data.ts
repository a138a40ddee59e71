import { countText } from "../../parts/figure-text.ts";
import { decisionInWords, isCarriedOut } from "./decision-words.ts";
import { KINDS, type Pane } from "./indicators.ts";
import type { Decision, Evaluation, Strategy, StrategyChart } from "./types.ts";

type Look = "solid" | "dashed" | "columns";

/** One series of an indicator as it is drawn. */
export interface Line {
  /** "fast", "bands.upper". */
  readonly name: string;
  /** Its colour, by a class of the style sheet. */
  readonly ink: string;
  readonly look: Look;
  /** One for each bar, oldest first. */
  readonly values: readonly (number | null)[];
}

/** Lines of one scale. */
export interface PaneLines {
  readonly pane: Pane;
  readonly lines: readonly Line[];
}

/** As many colours as there are; a seventh indicator begins anew. */
const INKS = 6;

const PART_LOOKS: Readonly<Record<string, Look>> = {
  upper: "dashed",
  lower: "dashed",
  signal: "dashed",
  d: "dashed",
  histogram: "columns",
};

/** An indicator's series, those over the bars first, then those of each other scale. */
export function panesOf(
  { indicators }: Pick<Strategy, "indicators">,
  chart: Pick<StrategyChart, "indicators">,
): readonly PaneLines[] {
  const names = Object.keys(indicators);
  const panes = new Map<Pane, Line[]>([["price", []]]);
  for (const [series, values] of Object.entries(chart.indicators)) {
    const [name = "", part = ""] = series.split(".");
    const type = indicators[name]?.type;
    // It was changed just now: the next chart is the one of the new rules.
    if (type === undefined) continue;
    const ink = `line-${(names.indexOf(name) % INKS) + 1}`;
    const line = { name: series, ink, look: PART_LOOKS[part] ?? "solid", values };
    const { pane } = KINDS[type];
    panes.set(pane, [...(panes.get(pane) ?? []), line]);
  }
  return [...panes].map(([pane, lines]) => ({ pane, lines }));
}

/** A decision where it stands in the chart. */
export interface DecisionPoint {
  /** Which bar it was taken on, the oldest being 0. */
  readonly bar: number;
  readonly decision: Decision;
  /** Whether it was carried out, or only said. */
  readonly isDone: boolean;
  readonly words: string;
}

const MINUTE_MS = 60_000;

/** Each decision on the newest bar that had ended by then. */
export function decisionsOn({
  barMinutes,
  bars,
  decisions,
}: Pick<StrategyChart, "bars" | "barMinutes" | "decisions">): readonly DecisionPoint[] {
  const ends = bars.map(({ time }) => Date.parse(time) + barMinutes * MINUTE_MS);
  return decisions.flatMap((evaluation) => {
    const endAt = Date.parse(evaluation.barsEndAt ?? evaluation.startedAt);
    const bar = ends.findLastIndex((end) => end <= endAt);
    return bar === -1 ? [] : [toPoint(evaluation, bar)];
  });
}

const toPoint = (evaluation: Evaluation, bar: number): DecisionPoint => ({
  bar,
  decision: evaluation.decision,
  isDone: isCarriedOut(evaluation),
  words: decisionInWords(evaluation),
});

const COUNTED = [
  ["enterLong", "entry long", "entries long"],
  ["enterShort", "entry short", "entries short"],
  ["exit", "exit", "exits"],
] as const;

/** "2 entries long, 1 exit"; "no decision". */
export function countsInWords(points: readonly DecisionPoint[]): string {
  const words = COUNTED.flatMap(([decision, one, many]) => {
    const count = points.filter((point) => point.decision === decision).length;
    return count === 0 ? [] : [countText(count, one, many)];
  });
  return words.length === 0 ? "no decision" : words.join(", ");
}
