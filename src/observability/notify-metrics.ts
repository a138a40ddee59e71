import type { Registry } from "prom-client";
import { CHANNEL_KINDS } from "../domain/notify/destination.ts";
import type { Delivery } from "../trading/notify/ports.ts";
import { countedBy, countedByBoth, readOnScrape } from "./register-metric.ts";

/** What destinations have not been told, of all users. */
export interface NotifyReading {
  readonly waiting: number;
  readonly undelivered: number;
  /** Switched off until a person switches them on. */
  readonly disabled: number;
  /** Of the event that waits longest although it is due, in seconds. */
  readonly oldestDueSeconds: number;
}

const RESULTS = [
  "delivered",
  "failed",
  "unacceptable",
  "gone",
] as const satisfies readonly Delivery["kind"][];

export function notifyMetrics(registry: Registry) {
  return {
    notificationAttempted: countedByBoth(
      registry,
      ["channel", CHANNEL_KINDS],
      ["result", RESULTS],
      {
        name: "gateway_notifications_total",
        help: "Attempts to tell an event at a destination, by its kind and what came of it",
      },
    ),
    notificationGivenUp: countedBy(registry, "channel", CHANNEL_KINDS, {
      name: "gateway_notifications_given_up_total",
      help: "Events that a destination was not told: they are kept as undelivered for a week",
    }),
  };
}

/** Read on each scrape. */
export function registerNotifyReading(
  registry: Registry,
  reading: () => Promise<NotifyReading>,
): void {
  readOnScrape(registry, async () => (await reading()).waiting, {
    name: "gateway_notifications_waiting",
    help: "Events that wait for a destination: for their turn, quiet hours or another attempt",
  });
  readOnScrape(registry, async () => (await reading()).undelivered, {
    name: "gateway_notifications_undelivered",
    help: "Events that were given up and are kept",
  });
  readOnScrape(registry, async () => (await reading()).disabled, {
    name: "gateway_destinations_disabled",
    help: "Destinations that were switched off because they refused for good",
  });
  readOnScrape(registry, async () => (await reading()).oldestDueSeconds, {
    name: "gateway_notifications_oldest_due_seconds",
    help: "How long the event has waited that waits longest although it is due",
  });
}
