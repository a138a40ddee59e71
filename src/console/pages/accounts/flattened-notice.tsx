import { countText } from "../../parts/figure-text.ts";
import type { Flattened } from "./types.ts";

/** What came of closing, in the gateway's words; what remains is never passed over. */
export function FlattenedNotice({ flattened }: { flattened: Flattened }) {
  const { canceledOrders, closed, problems, remaining, remainingOrders } = flattened;
  const isWhole = problems.length === 0 && remaining.length === 0 && remainingOrders.length === 0;
  const what = closed.map(({ qty, side, symbol }) => `${side} ${qty} ${symbol}`);
  return (
    <div class={`notice ${isWhole ? "good" : "bad"}`} role="status">
      <strong>
        {what.length === 0 ? "Nothing was held." : `Closed: ${what.join(", ")}.`}{" "}
        {canceledOrders.length > 0 && `Cancelled ${countText(canceledOrders.length, "order")}.`}
      </strong>
      {remaining.length > 0 && (
        <p>
          Still held:{" "}
          {remaining.map(({ qty, side, symbol }) => `${side} ${qty} ${symbol}`).join(", ")}.
        </p>
      )}
      {remainingOrders.length > 0 && <p>Still resting: {remainingOrders.join(", ")}.</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}
