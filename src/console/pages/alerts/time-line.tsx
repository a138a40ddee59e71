import { useEffect, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import type { WholeAlert } from "./types.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

/** Each stage with its milliseconds, and a bar on which they stand as far apart as they were. */
export function TimeLine({ stages }: { stages: readonly Stage[] }) {
  const total = Math.max(...stages.map(({ afterMs }) => afterMs), 1);
  return (
    <>
      <svg class="spans" aria-hidden="true" width="100%" height="28">
        <rect class="rail" x="0" y="13" width="100%" height="2" />
        {stages.map(({ afterMs, name }, index) => {
          const x = `${2 + (96 * Math.max(afterMs, 0)) / total}%`;
          return <circle key={name + index} class="stop" cx={x} cy="14" r="5" />;
        })}
      </svg>
      <ol class="stages">
        {stages.map(({ at, afterMs, detail, name, stepMs }, index) => (
          <li key={name + at + index}>
            <span class="name">{name}</span>
            <span class="detail quiet">{detail}</span>
            <time dateTime={at} class="clock quiet">
              {CLOCK.format(new Date(at))}
            </time>
            <span class="after">
              {index === 0 ? "0 ms" : `+${lengthText(afterMs)}`}
              {index > 1 && <span class="quiet"> (step {lengthText(stepMs)})</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Trade = components["schemas"]["Trade"];

/** A point in an alert's story. */
interface Stage {
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
function lengthText(ms: number): string {
  if (Math.abs(ms) < 1_000) return `${ms} ms`;
  if (Math.abs(ms) < 60_000) return `${(ms / 1_000).toFixed(3)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

const MOST = 500;

/** The fills of an alert's orders, exits that filled later included, oldest first. */
export function useFills(alert: WholeAlert | undefined): readonly Trade[] {
  const [trades, setTrades] = useState<readonly Trade[]>([]);
  const orders = alert?.orderIds.join(" ") ?? "";
  useEffect(() => {
    if (alert === undefined || orders === "") return;
    const { accountId, times } = alert;
    // The broker's clock may be a little behind ours.
    const from = new Date(Date.parse(times.received) - 5_000).toISOString();
    const params = { path: { id: accountId }, query: { from, limit: MOST } };
    const ids = new Set(alert.orderIds);
    answerOf(api.GET("/v1/accounts/{id}/orders", { params })).then(
      (page) => setTrades(page.trades.filter(({ orderId }) => ids.has(orderId)).toReversed()),
      () => setTrades([]),
    );
  }, [alert?.alertId, orders, alert?.times.settled]);
  return trades;
}
