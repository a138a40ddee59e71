import type { AccountId } from "../domain/ids.ts";
import type { ReportListener } from "./ports.ts";

/** Called when fills of the account were recorded that were not known before. Must not throw. */
export type FillsListener = (account: AccountId) => void;

/**
 * What brokers report of the accounts that are owned here, for everyone in this process who acts on
 * it. Each listener is called within the call that publishes, in the order of their subscriptions.
 */
export class ReportBus {
  readonly #onReport: ReportListener[] = [];
  readonly #onFills: FillsListener[] = [];

  onReport(listener: ReportListener): void {
    this.#onReport.push(listener);
  }

  onFills(listener: FillsListener): void {
    this.#onFills.push(listener);
  }

  readonly publishReport: ReportListener = (account, report) => {
    for (const listener of this.#onReport) listener(account, report);
  };

  readonly publishFills: FillsListener = (account) => {
    for (const listener of this.#onFills) listener(account);
  };
}
