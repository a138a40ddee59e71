import { countText } from "../../parts/figure-text.ts";
import { positionText } from "./exits.ts";
import type { Flattened } from "./types.ts";

/** What came of closing, in the gateway's words; what remains is never passed over. */
export function FlattenedNotice({ flattened }: { flattened: Flattened }) {
  const { canceledOrders, closed, problems, remaining, remainingOrders } = flattened;
  const isWhole = problems.length === 0 && remaining.length === 0 && remainingOrders.length === 0;
  return (
    <div class={`notice ${isWhole ? "good" : "bad"}`} role="status">
      <strong>
        {closed.length === 0 ? "No position was open." : `Closed: ${textOf(closed)}.`}{" "}
        {canceledOrders.length > 0 && `Cancelled ${countText(canceledOrders.length, "order")}.`}
      </strong>
      {remaining.length > 0 && <p>Still open: {textOf(remaining)}.</p>}
      {remainingOrders.length > 0 && <p>Still working: {remainingOrders.join(", ")}.</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}

const textOf = (held: Flattened["closed"] | Flattened["remaining"]): string =>
  held.map(positionText).join(", ");
