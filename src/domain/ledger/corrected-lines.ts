import type { ExecId } from "../ids.ts";
import type { Fill } from "../order.ts";
import type { LedgerEntry } from "./ledger-entry.ts";

/** The newest correction of a fill, and the place of its line. */
interface Corrected {
  readonly fill: Fill;
  readonly place: number;
}

/**
 * Lines, oldest first, as if each fill had been from the beginning as it was corrected last. A fill
 * that was taken back is not among them. A correction stays where the fill itself is not among the
 * lines, unless it `isSettled`: what comes before these lines counts it already.
 */
export function asCorrected<Line extends LedgerEntry>(
  lines: readonly Line[],
  isSettled: (correction: Line) => boolean = () => false,
): readonly Line[] {
  const named = new Set<ExecId>();
  for (const one of lines) if (one.kind === "correction") named.add(one.fill.execId);
  if (named.size === 0) return lines;
  const filled = new Set<ExecId>();
  for (const one of lines) {
    if (one.kind === "fill" && named.has(one.fill.execId)) filled.add(one.fill.execId);
  }
  const corrected = new Map<ExecId, Corrected>();
  for (const [place, line] of lines.entries()) {
    if (line.kind !== "correction") continue;
    const { execId } = line.fill;
    if (filled.has(execId) || isSettled(line)) corrected.set(execId, { fill: line.fill, place });
  }
  if (corrected.size === 0) return lines;
  return lines.flatMap((line, place) => {
    if (line.kind === "lot") return [line];
    const found = corrected.get(line.fill.execId);
    if (found === undefined) return [line];
    // The correction has the cost that was known until then.
    if (line.kind === "fee") return place < found.place ? [] : [line];
    if (line.kind === "correction" && !filled.has(line.fill.execId) && !isSettled(line)) {
      return [line];
    }
    const { fill } = found;
    return line.kind === "correction" || fill.takenBack === true ? [] : [{ ...line, fill }];
  });
}
