import type { AccountId, ClOrdId, OrderId } from "../../../src/domain/ids.ts";
import type { Fill } from "../../../src/domain/order.ts";
import type { ExchangeCommand } from "./wire.ts";

/**
 * What became of it. A command is `accepted` or `rejected`; `lost` before it was carried out;
 * `repeated` when its frame came twice in one session, or `ignored` when it came on an ended
 * session: these three changed nothing. A fill is `filled`, a session's end `ended`.
 */
export type LogOutcome =
  | "accepted"
  | "rejected"
  | "lost"
  | "repeated"
  | "ignored"
  | "filled"
  | "ended";

/** One thing the broker saw. Numbers count from 1 without a gap; times are its own Unix ms. */
export interface LogEntry {
  readonly seq: number;
  readonly at: number;
  readonly connection?: string | undefined;
  /** Absent for what was done by hand. */
  readonly session?: number | undefined;
  readonly account?: AccountId | undefined;
  /** A command's name, `login`, `fill` or `end`. */
  readonly op: string;
  /** The request's number in its session. */
  readonly requestId?: number | undefined;
  readonly clOrdId?: ClOrdId | undefined;
  orderId?: OrderId | undefined;
  outcome: LogOutcome;
  reason?: string | undefined;
  /** The command as it came; by hand, the knob. */
  readonly command?: ExchangeCommand | object | undefined;
  readonly fill?: Fill | undefined;
}

/** Everything the broker saw, in order, for as long as its process lives. Nothing is forgotten. */
export class EventLog {
  readonly #entries: LogEntry[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the entry, whose outcome may be written until the next thing happens. */
  add(entry: Omit<LogEntry, "seq" | "at">): LogEntry {
    const added = { seq: this.#entries.length + 1, at: this.#now(), ...entry };
    this.#entries.push(added);
    return added;
  }

  /** At most `limit` entries, from number `from` on. */
  page(from: number, limit: number): readonly LogEntry[] {
    return this.#entries.slice(from - 1, from - 1 + limit);
  }
}
