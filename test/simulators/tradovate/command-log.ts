import { type AccountId, clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { EventLog, LogEntry } from "../exchange/event-log.ts";
import type { Asker } from "./order-reader.ts";

/** Writes commands into the broker's log, under the names that clients gave. */
export class CommandLog {
  readonly #log: EventLog;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Written first, so that the fills it causes come after it. */
  add(
    { user, session }: Asker,
    account: AccountId,
    what: { op: string; clOrdId?: string | undefined; orderId?: number; command: object },
  ): LogEntry {
    const { op, command } = what;
    return this.#log.add({
      connection: user.name,
      session: session?.id,
      account,
      op,
      outcome: "accepted",
      ...(what.clOrdId !== undefined && { clOrdId: clOrdId(what.clOrdId) }),
      ...(what.orderId !== undefined && { orderId: orderId(String(what.orderId)) }),
      command: { op, account, ...command },
    });
  }
}

export function noteRejected(entry: LogEntry, reason: string): void {
  entry.outcome = "rejected";
  entry.reason = reason;
}

export function noteOrder(entry: LogEntry, id: number): void {
  entry.orderId = orderId(String(id));
}
