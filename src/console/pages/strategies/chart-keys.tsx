import { barTimeText } from "./bar-axis.ts";
import type { Line } from "./chart-panes.ts";
import { numberText } from "./term-words.ts";
import type { ChartBar } from "./types.ts";

/** What the colours and marks stand for, and the figures of the bar that is pointed at. */
export function ChartKeys({
  bar,
  place,
  isPointed,
  lines,
}: {
  /** The one that is pointed at, or the newest. */
  bar: ChartBar | undefined;
  place: number;
  isPointed: boolean;
  lines: readonly Line[];
}) {
  return (
    <>
      {bar !== undefined && (
        <p class="keys">
          <span class="quiet">{isPointed ? barTimeText(bar) : "newest bar"}</span>
          <span>
            open <strong>{numberText(bar.open)}</strong>
          </span>
          <span>
            high <strong>{numberText(bar.high)}</strong>
          </span>
          <span>
            low <strong>{numberText(bar.low)}</strong>
          </span>
          <span>
            close <strong>{numberText(bar.close)}</strong>
          </span>
        </p>
      )}
      <p class="keys">
        {lines.map(({ ink, look, name, values }) => {
          const value = values[place] ?? null;
          return (
            <span key={name}>
              <i class={`ink ${ink} ${look}`} aria-hidden="true" /> {name}{" "}
              <strong>{value === null ? "–" : numberText(value)}</strong>
            </span>
          );
        })}
        <span class="quiet">▲ enters long, ▼ enters short, ✕ exits; hollow: not carried out</span>
      </p>
    </>
  );
}
