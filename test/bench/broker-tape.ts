import { setTimeout as sleep } from "node:timers/promises";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { SimulatedBroker } from "./simulated-broker.ts";

const WITHIN_MS = 10_000;
const POLL_MS = 25;

/** What a broker saw since a moment. */
export class BrokerTape {
  readonly #broker: Pick<SimulatedBroker, "log">;
  #from = 1;

  constructor(broker: Pick<SimulatedBroker, "log">) {
    this.#broker = broker;
  }

  /** From now on only what is new is read. */
  async forget(): Promise<void> {
    this.#from += (await this.#broker.log(this.#from)).length;
  }

  /** Waits until it has an order of each of the accounts; answers what it has by then, or in time. */
  async untilOrdersOf(
    accounts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly LogEntry[]> {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const entries = await this.#broker.log(this.#from);
      const isOver = performance.now() > deadline;
      if (isOver || ordersOf(entries, accounts).length >= accounts.length) return entries;
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}

/** Orders that the broker took of these accounts; a close of what is held is one too. */
export function ordersOf(
  entries: readonly LogEntry[],
  accounts: readonly string[],
): readonly LogEntry[] {
  const wanted = new Set(accounts);
  return entries.filter(
    ({ op, account = "", outcome }) =>
      (op === "submitOrder" || op === "closePosition") &&
      outcome === "accepted" &&
      wanted.has(account),
  );
}
