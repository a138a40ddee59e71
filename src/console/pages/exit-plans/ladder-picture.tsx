import type { Ladder } from "./ladder.ts";
import { heightsOf, type LadderWords, type Rung, rungsOf, totalHeight } from "./rungs.ts";

const WIDTH = 360;
/** Where the band is that shows how much is held, and how wide all of it is. */
const BAND = { x: 8, width: 26 };
const WORDS_X = BAND.x + BAND.width + 12;

/**
 * A plan as a ladder: what is bought or sold, where parts of it leave, and how much is held in between.
 * It is a picture; the table beside it says the same.
 */
export function LadderPicture({ ladder, terms }: { ladder: Ladder; terms: LadderWords }) {
  const rungs = rungsOf(ladder, terms);
  const shown = terms.side === "buy" ? rungs : rungs.toReversed();
  // Prices fall downwards; of a short trade the targets are below.
  const heights =
    terms.side === "buy"
      ? heightsOf(shown.map(({ ticks }) => ticks))
      : flipped(heightsOf(rungs.map(({ ticks }) => ticks)));
  return (
    <svg
      class="ladder"
      viewBox={`0 0 ${WIDTH} ${totalHeight(heights)}`}
      role="img"
      aria-label={summaryOf(ladder, shown)}
    >
      <Bands rungs={shown} heights={heights} ladder={ladder} side={terms.side} />
      {shown.map((rung, nth) => (
        <Line key={nth} rung={rung} y={heights[nth] ?? 0} />
      ))}
    </svg>
  );
}

function flipped(heights: readonly number[]): readonly number[] {
  const [first = 0] = heights;
  const last = heights.at(-1) ?? 0;
  return heights.map((y) => first + last - y).toReversed();
}

const summaryOf = ({ qty }: Ladder, rungs: readonly Rung[]): string =>
  `Exits of ${qty}: ${rungs.map(({ title, detail }) => [title, detail].filter((text) => text !== "").join(", ")).join("; ")}`;

/** Between two lines, how much is held while the market is there. */
function Bands({
  rungs,
  heights,
  ladder: { qty },
  side,
}: {
  rungs: readonly Rung[];
  heights: readonly number[];
  ladder: Ladder;
  side: LadderWords["side"];
}) {
  const outwards = rungs
    .map((rung, nth) => ({ ...rung, y: heights[nth] ?? 0 }))
    .filter(({ kind }) => kind === "entry" || kind === "target");
  const ordered = side === "buy" ? outwards.toReversed() : outwards;
  const entryY = ordered.find(({ kind }) => kind === "entry")?.y ?? 0;
  const stopY = rungs.findIndex(({ kind }) => kind === "stop");
  const bands = ordered.slice(0, -1).map((from, nth) => ({
    from: from.y,
    to: ordered[nth + 1]?.y ?? from.y,
    held: from.heldBeyond ?? 0,
  }));
  const toStop = stopY < 0 ? [] : [{ from: entryY, to: heights[stopY] ?? entryY, held: qty }];
  return (
    <>
      {[...bands, ...toStop].map(({ from, to, held }, nth) => (
        <rect
          key={nth}
          class={nth < bands.length ? "held" : "held risk"}
          x={BAND.x}
          y={Math.min(from, to)}
          width={(BAND.width * held) / qty}
          height={Math.abs(to - from)}
        />
      ))}
    </>
  );
}

function Line({ rung: { kind, title, detail, ticks }, y }: { rung: Rung; y: number }) {
  return (
    <g class={`rung ${kind}${ticks === undefined ? " unknown" : ""}`}>
      <line x1={2} x2={WIDTH - 4} y1={y} y2={y} />
      <text class="title" x={WORDS_X} y={y - 5}>
        {title}
      </text>
      <text class="detail" x={WORDS_X} y={y + 14}>
        {detail}
      </text>
    </g>
  );
}
