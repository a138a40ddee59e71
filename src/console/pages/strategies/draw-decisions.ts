import type uPlot from "uplot";
import type { PlotKit } from "../../parts/plot.tsx";
import { seenOf } from "./bar-axis.ts";
import type { DecisionPoint } from "./chart-decisions.ts";
import { HIGH, LOW } from "./draw-candles.ts";

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
