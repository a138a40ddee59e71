import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";

/** A colour of the style sheet by its name there: of a series, or `axis` and `grid`. */
type Ink = (name: string) => string;

export interface PlotKit {
  readonly uPlot: typeof uPlot;
  readonly ink: Ink;
}

/** Above and right of the chart; the axes are at the other sides. */
export const PLOT_PADDING: uPlot.Padding = [8, 24, 0, 0];

/**
 * A small chart that follows the theme and its own width. It is a picture: `summary` says what is
 * seen in it, and whoever shows it gives its figures as a table too.
 */
export function Plot({
  summary,
  look = "",
  data,
  optionsOf,
}: {
  summary: string;
  /** Its height, by a class: the style sheet has it. */
  look?: "" | "tall" | "low";
  data: uPlot.AlignedData;
  /** What stays while the data changes; read once. */
  optionsOf: (kit: PlotKit) => Omit<uPlot.Options, "width" | "height">;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    return draw(element, (kit) => {
      const { uPlot: Chart } = kit;
      const options = { ...optionsOf(kit), ...sizeOf(element) };
      chart.current = new Chart(options, newest.current, element);
      return chart.current;
    });
  }, []);
  useEffect(() => chart.current?.setData(data), [data]);
  return <div ref={place} class={`plot ${look}`} role="img" aria-label={summary} />;
}

/** Fetches the library, which only charts need, and keeps the chart right until it is ended. */
function draw(element: HTMLElement, create: (kit: PlotKit) => uPlot): () => void {
  const ending = new AbortController();
  void fetchLibrary().then((library) => {
    if (library === undefined || ending.signal.aborted) return;
    const chart = create({ uPlot: library, ink: (name) => inkOf(element, name) });
    const sizes = new ResizeObserver(() => chart.setSize(sizeOf(element)));
    sizes.observe(element);
    const theme = matchMedia("(prefers-color-scheme: dark)");
    theme.addEventListener("change", () => chart.redraw(false), { signal: ending.signal });
    ending.signal.addEventListener("abort", () => {
      sizes.disconnect();
      chart.destroy();
    });
  });
  return () => ending.abort();
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height });

/** Undefined where it cannot be had, for example after an update: the table still says it all. */
async function fetchLibrary(): Promise<typeof uPlot | undefined> {
  return await import("uplot").then(
    (module) => module.default,
    () => undefined,
  );
}

/** A canvas has no style sheet, so it asks for what an element of that class would look like. */
function inkOf(element: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.className = `ink ${name}`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** What every chart's axes have in common. */
export function axisOf({ ink }: PlotKit, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    stroke: () => ink("axis"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: () => ink("grid"), width: 1 },
    ticks: { show: false },
    gap: 6,
    ...more,
  };
}

const HOUR_AND_MINUTE = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

export const clockText = (seconds: number): string =>
  HOUR_AND_MINUTE.format(new Date(seconds * 1_000));

/** The hours below a chart whose x is Unix seconds. */
export function timeAxisOf(kit: PlotKit): uPlot.Axis {
  return axisOf(kit, {
    space: 70,
    size: 28,
    grid: { show: false },
    values: (_, splits) => splits.map(clockText),
  });
}
