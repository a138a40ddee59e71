import { Counter, Gauge, type Registry } from "prom-client";
import { readOnScrape } from "./register-metric.ts";

/** What is shown of one connection beside its state. */
export interface ConnectionReading {
  readonly connectionId: string;
  /** Grows for as long as the process lives. */
  readonly retries?: number;
  /** Unix ms. */
  readonly lastMessageAt?: number | undefined;
  /** By how much the store's clock is ahead of the broker's; absent while that is not known. */
  readonly clockOffsetMs?: number | undefined;
}

const MS_PER_SECOND = 1_000;

/** How the connections are shared, as this process sees it. */
export interface SharingReading {
  readonly owned: number;
  /** Of all connections, those that the limits of all processes leave no room for. */
  readonly withoutRoom: number;
}

export function registerSharing(registry: Registry, reading: () => SharingReading): void {
  readOnScrape(registry, () => reading().owned, {
    name: "gateway_connections_owned",
    help: "Broker connections that this process owns",
  });
  readOnScrape(registry, () => reading().withoutRoom, {
    name: "gateway_connections_without_room",
    help: "Broker connections that no process has room for, as this one sees it",
  });
}

/** Of the connections that this process owns: operators choose their names, and there are few. */
export function registerConnectionFigures(
  registry: Registry,
  connections: () => Iterable<ConnectionReading>,
): void {
  const labelNames = ["connection_id"] as const;
  new Counter({
    name: "gateway_connection_reconnects_total",
    help: "Sessions with the broker that broke or could not begin, each followed by another try",
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { connectionId, retries = 0 } of connections()) {
        this.inc({ connection_id: connectionId }, retries);
      }
    },
  });
  new Gauge({
    name: "gateway_connection_last_message_timestamp_seconds",
    help: "When the broker was last heard of, in Unix time",
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { connectionId, lastMessageAt } of connections()) {
        if (lastMessageAt === undefined) continue;
        this.set({ connection_id: connectionId }, lastMessageAt / MS_PER_SECOND);
      }
    },
  });
  new Gauge({
    name: "gateway_connection_clock_offset_seconds",
    help: "By how much the store's clock is ahead of the broker's, once two of its reports agree on it",
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { connectionId, clockOffsetMs } of connections()) {
        if (clockOffsetMs === undefined) continue;
        this.set({ connection_id: connectionId }, clockOffsetMs / MS_PER_SECOND);
      }
    },
  });
}
