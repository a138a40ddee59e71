import type uPlot from "uplot";
import type { PlotKit } from "../../parts/plot.tsx";
import { seenOf } from "./bar-axis.ts";

/** Where the bars' prices stand in the data of their plot. */
export const OPEN = 1;
export const HIGH = 2;
export const LOW = 3;
export const CLOSE = 4;

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
