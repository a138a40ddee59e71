import type uPlot from "uplot";
import type { PlotKit } from "../../parts/plot.tsx";
import { seenOf } from "./bar-axis.ts";
import type { DecisionPoint } from "./chart-data.ts";

/** Where the bars' prices stand in the data of their plot. */
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;

/** How much of a bar's place its body takes. */
const BODY = 0.64;

/** Draws bars as candles: hollow where the price rose, filled where it fell. */
export function drawCandles(plot: uPlot, { ink }: PlotKit): void {
  const { bbox, ctx, data } = plot;
  const { from, count } = seenOf(plot);
  if (count <= 0) return;
  const thin = Math.max(1, devicePixelRatio);
  const body = Math.max(thin, Math.round((bbox.width / count) * BODY));
  const inks = { rose: ink("rise"), fell: ink("fall") };
  const priceAt = (series: number, bar: number) =>
    Math.round(plot.valToPos(data[series]?.[bar] ?? 0, "y", true));
  ctx.save();
  ctx.lineWidth = thin;
  for (let bar = from; bar < from + count; bar += 1) {
    const rose = (data[CLOSE]?.[bar] ?? 0) >= (data[OPEN]?.[bar] ?? 0);
    const middle = Math.round(plot.valToPos(bar, "x", true));
    const [open, close] = [priceAt(OPEN, bar), priceAt(CLOSE, bar)];
    const [top, bottom] = [Math.min(open, close), Math.max(open, close)];
    ctx.strokeStyle = ctx.fillStyle = rose ? inks.rose : inks.fell;
    ctx.beginPath();
    ctx.moveTo(middle, priceAt(HIGH, bar));
    ctx.lineTo(middle, top);
    ctx.moveTo(middle, bottom);
    ctx.lineTo(middle, priceAt(LOW, bar));
    ctx.stroke();
    const box = [middle - body / 2, top, body, Math.max(thin, bottom - top)] as const;
    if (rose && body > 3 * thin) ctx.strokeRect(...box);
    else ctx.fillRect(...box);
  }
  ctx.restore();
}

/** In pixels of the page: a mark's half width, and how far it is from its bar. */
const SIZE = 6;
const AWAY = 5;

/**
 * Draws decisions as marks: an arrow up below a bar for an entry long, an arrow down above it for an
 * entry short, a cross above it for an exit. What was carried out is filled.
 */
export function drawDecisions(
  plot: uPlot,
  { ink }: PlotKit,
  points: readonly DecisionPoint[],
): void {
  const { ctx, data } = plot;
  const pixel = devicePixelRatio;
  const [size, away] = [SIZE * pixel, AWAY * pixel];
  ctx.save();
  ctx.lineWidth = 2 * pixel;
  ctx.lineJoin = "round";
  ctx.strokeStyle = ctx.fillStyle = ink("decision");
  const { from } = seenOf(plot);
  for (const { bar, decision, isDone } of points) {
    if (bar < from) continue;
    const x = plot.valToPos(bar, "x", true);
    const yOf = (series: number) => plot.valToPos(data[series]?.[bar] ?? 0, "y", true);
    const below = yOf(LOW) + away;
    const above = yOf(HIGH) - away;
    ctx.beginPath();
    if (decision === "enterLong") arrow(ctx, x, below, size);
    else if (decision === "enterShort") arrow(ctx, x, above, -size);
    else cross(ctx, x, above - size, isDone ? size : size * 0.7);
    if (isDone && decision !== "exit") ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/** Its tip at `y`; a negative size points down. */
function arrow(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.moveTo(x, y);
  ctx.lineTo(x - size, y + size * 1.6);
  ctx.lineTo(x + size, y + size * 1.6);
  ctx.closePath();
}

function cross(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  const arm = size * 0.8;
  ctx.moveTo(x - arm, y - arm);
  ctx.lineTo(x + arm, y + arm);
  ctx.moveTo(x - arm, y + arm);
  ctx.lineTo(x + arm, y - arm);
}
