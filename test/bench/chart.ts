import { isFailed, REFERENCE } from "./report.ts";
import type { Spread } from "./statistics.ts";
import type { ThroughputRow } from "./throughput.ts";

const WIDTH = 960;
const HEIGHT = 420;
const TOP = 110;
const BOTTOM = HEIGHT - 60;
const LINES = 4;
const COLORS = ["#2f7d4f", "#d08c3f", "#5b7a99", "#8da0b3", "#b5533c"] as const;

/** One of the two diagrams: a group of bars for each number of connections. */
interface Panel {
  readonly title: string;
  readonly left: number;
  readonly width: number;
  readonly figure: (row: ThroughputRow) => Spread;
}

const PANELS: readonly Panel[] = [
  {
    title: "Alerts a second: more is better",
    left: 60,
    width: 410,
    figure: ({ ofReference }) => ofReference.perSecond,
  },
  {
    title: "p99 of the answer: less is better",
    left: 540,
    width: 410,
    figure: ({ ofReference }) => ofReference.p99,
  },
];

/** What the gateways reach, as a multiple of the plain Worker's; the thin lines are the range. */
export function throughputChart(all: readonly ThroughputRow[]): string {
  const rows = all.filter((row) => row.contender.startsWith("gateway") && !isFailed(row));
  const names = [...new Set(rows.map(({ contender }) => contender))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="20" y="28" font-size="17" font-weight="bold">As a multiple of a plain BullMQ ${REFERENCE} (median of pairs, lowest–highest)</text>`,
    ...legend(names),
    ...PANELS.flatMap((panel) => drawPanel(panel, rows, names)),
    "</svg>\n",
  ].join("\n");
}

function drawPanel(
  { title, left, width, figure }: Panel,
  rows: readonly ThroughputRow[],
  names: readonly string[],
): string[] {
  const groups = [...new Set(rows.map(({ connections }) => connections))];
  const groupWidth = width / groups.length;
  const barWidth = (groupWidth * 0.8) / names.length;
  const top = niceTop(Math.max(1, ...rows.map((row) => figure(row).max)));
  const y = (value: number) => BOTTOM - (value / top) * (BOTTOM - TOP);
  const bars = rows.map((row) => {
    const name = names.indexOf(row.contender);
    const x = left + groupWidth * (groups.indexOf(row.connections) + 0.1) + barWidth * name;
    return bar(figure(row), { x, width: barWidth * 0.88, y, color: colorOf(name) });
  });
  const labels = groups.map((connections, index) => {
    const x = left + groupWidth * (index + 0.5);
    return text(x, BOTTOM + 20, `${connections}`, "middle");
  });
  return [
    text(left, TOP - 14, title, "start"),
    ...scale({ left, right: left + width, top, y }),
    ...bars,
    line({ x1: left, x2: left + width, y1: y(1), y2: y(1), stroke: "#222" }),
    ...labels,
    text(left + width / 2, HEIGHT - 16, "connections", "middle"),
  ];
}

const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? "#888";

interface Bar {
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly color: string;
}

function bar({ median, min, max }: Spread, { x, width, y, color }: Bar): string {
  const middle = x + width / 2;
  return [
    `<rect x="${px(x)}" y="${px(y(median))}" width="${px(width)}" height="${px(y(0) - y(median))}" fill="${color}"/>`,
    line({ x1: middle, x2: middle, y1: y(min), y2: y(max), stroke: "#222" }),
    text(middle, y(max) - 5, median.toFixed(2), "middle"),
  ].join("\n");
}

function legend(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const x = 20 + index * 200;
    const box = `<rect x="${px(x)}" y="46" width="12" height="12" fill="${colorOf(index)}"/>`;
    return `${box}${text(x + 18, 57, name, "start")}`;
  });
}

interface Scale {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly y: (value: number) => number;
}

function scale({ left, right, top, y }: Scale): string[] {
  return Array.from({ length: LINES + 1 }, (_, index) => {
    const value = (top / LINES) * index;
    const ruled = line({ x1: left, x2: right, y1: y(value), y2: y(value), stroke: "#ddd" });
    return `${ruled}${text(left - 8, y(value) + 4, String(value), "end")}`;
  });
}

/** The next round number that the scale's lines divide well. */
function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest));
  const factor = [1, 2, 3, 4, 6, 8, 10].find((step) => step * power >= highest * 1.08);
  return (factor ?? 20) * power;
}

interface Line {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly stroke: string;
}

const line = ({ x1, x2, y1, y2, stroke }: Line): string =>
  `<line x1="${px(x1)}" x2="${px(x2)}" y1="${px(y1)}" y2="${px(y2)}" stroke="${stroke}"/>`;

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${words}</text>`;
}

const px = (value: number): string => value.toFixed(1);
