import { KINDS, type Pane } from "./indicator-kinds.ts";
import type { Strategy, StrategyChart } from "./types.ts";

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
