import { Mark } from "../../parts/mark.tsx";
import { priceText } from "../../parts/price-text.ts";
import type { Position } from "./types.ts";

type Level = NonNullable<Position["stopLosses"]>[number];

const OPENERS = {
  alert: "the alert",
  api: "the API call",
  operator: "the command line",
  copy: "the copied trade",
  strategy: "the strategy",
  elsewhere: "whoever opened it at the broker",
} as const;

/** The stop-loss and target that rest for a position, and whose choice it is where there is none. */
export function ProtectionMark({
  position,
}: {
  position: Pick<Position, "protection" | "stopLosses" | "takeProfits" | "tickSize" | "qty">;
}) {
  const { stopLosses, takeProfits, tickSize } = position;
  return (
    <div class="stack">
      {stopLosses?.map((level, index) => (
        <span key={index}>Stop {levelText(level, tickSize)}</span>
      ))}
      {takeProfits?.map((level, index) => (
        <span key={index}>Target {levelText(level, tickSize)}</span>
      ))}
      <Lacking {...position} />
    </div>
  );
}

function Lacking({
  protection: { missing, openedBy, reason, state },
  stopLosses,
  qty,
}: Pick<Position, "protection" | "stopLosses" | "qty">) {
  const stopped = stopLosses?.reduce((sum, level) => sum + level.qty, 0) ?? 0;
  const what = stopped === 0 ? "No stop-loss" : `No stop-loss for ${qty - stopped} of ${qty}`;
  switch (state) {
    case "protected":
      return null;
    case "noneAsked":
      return (
        <>
          <Mark tone="watch">{what}</Mark>
          <span class="quiet">
            {openedBy === null
              ? "no record of a stop being requested"
              : `not requested by ${OPENERS[openedBy]}`}
          </span>
        </>
      );
    case "missing":
      return (
        <>
          <Mark tone="bad">{missing.includes("stopLoss") ? what : "No take-profit"}</Mark>
          <span class="quiet">requested, but not at the broker</span>
        </>
      );
    case "unknown":
      return (
        <>
          <Mark tone="watch">Stop-loss unknown</Mark>
          <span class="quiet">{reason}</span>
        </>
      );
  }
}

function levelText({ price, qty, trailOffset }: Level, tickSize: number | null): string {
  const at =
    price !== null
      ? priceText(price, tickSize)
      : trailOffset === null
        ? ""
        : `${priceText(trailOffset, tickSize)} behind`;
  return `${at} × ${qty}`;
}
