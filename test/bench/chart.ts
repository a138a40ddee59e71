import type { ThroughputRow } from "./throughput.ts";

const WIDTH = 960;
const HEIGHT = 480;
const PLOT = { left: 80, right: 20, top: 90, bottom: 60 } as const;
const LINES = 5;
const LEGEND_COLUMNS = 3;
const COLORS = ["#8da0b3", "#5b7a99", "#d08c3f", "#b5533c", "#2f7d4f", "#6fae45"] as const;

/** Alerts a second as bars, a group for each number of connections; the thin lines are the range. */
export function throughputChart(rows: readonly ThroughputRow[]): string {
  const groups = [...new Set(rows.map(({ connections }) => connections))];
  const names = [...new Set(rows.map(({ contender }) => contender))];
  const top = niceTop(Math.max(...rows.map(({ perSecond }) => perSecond.max)));
  const plotWidth = WIDTH - PLOT.left - PLOT.right;
  const groupWidth = plotWidth / groups.length;
  const barWidth = (groupWidth * 0.84) / names.length;
  const y = (value: number) => HEIGHT - PLOT.bottom - (value / top) * plotHeight;

  const bars = rows.map((row) => {
    const group = groups.indexOf(row.connections);
    const name = names.indexOf(row.contender);
    const x = PLOT.left + groupWidth * (group + 0.08) + barWidth * name;
    return bar(row, { x, width: barWidth, y, color: colorOf(name) });
  });
  const labels = groups.map((connections, index) => {
    const x = PLOT.left + groupWidth * (index + 0.5);
    return text(x, HEIGHT - PLOT.bottom + 22, `${connections}`, "middle");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${PLOT.left}" y="28" font-size="17" font-weight="bold">Alerts answered a second (median, lowest–highest)</text>`,
    ...legend(names),
    ...scale(top, y),
    ...bars,
    ...labels,
    text(PLOT.left + plotWidth / 2, HEIGHT - 14, "connections", "middle"),
    `<text transform="translate(20 ${PLOT.top + plotHeight / 2}) rotate(-90)" text-anchor="middle">alerts a second</text>`,
    "</svg>\n",
  ].join("\n");
}

const plotHeight = HEIGHT - PLOT.top - PLOT.bottom;

const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? "#888";

interface Bar {
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly color: string;
}

function bar({ perSecond }: ThroughputRow, { x, width, y, color }: Bar): string {
  const { median, min, max } = perSecond;
  const inner = width * 0.88;
  const middle = x + inner / 2;
  const height = y(0) - y(median);
  return [
    `<rect x="${px(x)}" y="${px(y(median))}" width="${px(inner)}" height="${px(height)}" fill="${color}"/>`,
    `<line x1="${px(middle)}" x2="${px(middle)}" y1="${px(y(min))}" y2="${px(y(max))}" stroke="#222"/>`,
    `<text x="${px(middle)}" y="${px(y(max) - 5)}" text-anchor="middle" font-size="11">${Math.round(median)}</text>`,
  ].join("\n");
}

function legend(names: readonly string[]): string[] {
  const step = (WIDTH - PLOT.left - PLOT.right) / LEGEND_COLUMNS;
  return names.map((name, index) => {
    const x = PLOT.left + step * (index % LEGEND_COLUMNS);
    const y = 42 + 20 * Math.floor(index / LEGEND_COLUMNS);
    const box = `<rect x="${px(x)}" y="${y}" width="12" height="12" fill="${colorOf(index)}"/>`;
    return `${box}${text(x + 18, y + 11, name, "start")}`;
  });
}

function scale(top: number, y: (value: number) => number): string[] {
  return Array.from({ length: LINES + 1 }, (_, index) => {
    const value = (top / LINES) * index;
    const line = `<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${px(y(value))}" y2="${px(y(value))}" stroke="#ddd"/>`;
    return `${line}${text(PLOT.left - 8, y(value) + 4, value.toLocaleString("en-US"), "end")}`;
  });
}

/** The next round number that the scale's lines divide well. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const factor = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].find((step) => step * power >= highest * 1.05);
  return (factor ?? 15) * power;
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${words}</text>`;
}

const px = (value: number): string => value.toFixed(1);
