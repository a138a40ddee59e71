import type { components } from "../../api/schema.ts";
import type { WholeAlert } from "./types.ts";

export type Trade = components["schemas"]["Trade"];

/** A point in an alert's story. */
export interface Stage {
  readonly name: string;
  readonly detail?: string;
  readonly at: string;
  /** Since it was received. */
  readonly afterMs: number;
  /** Since the stage before. */
  readonly stepMs: number;
}

interface Point {
  readonly name: string;
  readonly detail?: string;
  readonly at: string | null;
}

/** What happened when, in its order; what never happened is left out. */
export function stagesOf(alert: WholeAlert, trades: readonly Trade[]): readonly Stage[] {
  const { times } = alert;
  const points: readonly Point[] = [
    {
      name: "Received",
      detail: `${alert.bodyBytes} bytes from ${senderText(alert)}`,
      at: times.received,
    },
    { name: "Accepted", detail: "stored, so that it cannot be lost", at: times.enqueued },
    { name: "Sent", detail: "the first order left for the broker", at: times.sent },
    { name: "Acknowledged", detail: "the broker has it", at: times.acknowledged },
    ...trades.map(({ price, qty, side, symbol, time }) => ({
      name: "Filled",
      detail: `${side} ${qty} ${symbol}${price === null ? "" : ` at ${price}`}, by the broker's clock`,
      at: time,
    })),
    { name: "Settled", detail: "its outcome is known", at: times.settled },
  ];
  const happened = points
    .flatMap(({ at, ...point }) => (at === null ? [] : [{ ...point, at }]))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const start = Date.parse(times.received);
  return happened.map((point, index) => ({
    ...point,
    afterMs: Date.parse(point.at) - start,
    stepMs: Date.parse(point.at) - Date.parse(happened[index - 1]?.at ?? point.at),
  }));
}

/** A test, or a person's replay, comes by the API. */
const senderText = ({ sender }: WholeAlert): string => (sender === "api" ? "the API" : sender);

/** "12 ms", "1.204 s", "4 min 3 s". */
export function lengthText(ms: number): string {
  if (Math.abs(ms) < 1_000) return `${ms} ms`;
  if (Math.abs(ms) < 60_000) return `${(ms / 1_000).toFixed(3)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
