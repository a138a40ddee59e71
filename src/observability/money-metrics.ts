import { Counter, type Registry } from "prom-client";
import { readOnScrape } from "./register-metric.ts";

/** The prices that this process follows, and the accounts whose money it compares. */
export interface MoneyReading {
  /** Contracts, each once for a connection. */
  readonly watched: number;
  /** Needed, and without a word for too long, or without any. */
  readonly stale: number;
  /** Of those, the ones that an account holds. */
  readonly staleHeld: number;
  /** Quotes heard since the start. */
  readonly told: number;
  /** Accounts, once for each currency, whose broker says otherwise for longer than a moment. */
  readonly differing: number;
}

/** Prices and money, read on each scrape. */
export function registerMoneyMetrics(registry: Registry, reading: () => MoneyReading): void {
  readOnScrape(registry, () => reading().watched, {
    name: "gateway_quotes_watched",
    help: "Contracts whose prices this process follows, each once for a connection",
  });
  readOnScrape(registry, () => reading().stale, {
    name: "gateway_quotes_stale",
    help: "Contracts that are held or worked and whose price was not heard for 10 s, or never",
  });
  readOnScrape(registry, () => reading().staleHeld, {
    name: "gateway_quotes_stale_held",
    help: "Of gateway_quotes_stale, those that an account holds",
  });
  readOnScrape(registry, () => reading().differing, {
    name: "gateway_accounts_money_differs",
    help: "Accounts, once for each currency, whose broker and ledger differ for longer than a moment",
  });
  new Counter({
    name: "gateway_quotes_total",
    help: "Quotes that brokers have told",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(reading().told);
    },
  });
}
