import type { AccountId } from "../../domain/ids.ts";
import type { Fill } from "../../domain/order.ts";
import type { Broker, ReportListener, WaitFor } from "../ports.ts";
import type { AccountViews } from "../store-ports.ts";

export interface AccountProjectorDeps {
  readonly views: AccountViews;
  readonly brokerOf: (account: AccountId) => Broker | undefined;
  readonly waitFor: WaitFor;
  readonly onError: (error: unknown, account: AccountId) => void;
}

/** How long an answer waits for the read model; the outcome itself never depends on it. */
const PATIENCE_MS = 500;
const RETRY_MS = 1_000;

interface Refreshing {
  /** The write under way. Never rejects. */
  readonly running: Promise<void>;
  /** The one after it, for what happened meanwhile: shared by all who ask until it starts. */
  next?: Promise<void>;
}

/**
 * Keeps the read model of positions and fills in step with the broker's reports. Writes of one
 * account follow one another, a burst of reports costs two writes and not one each, and a write
 * that failed is tried again.
 */
export class AccountProjector {
  readonly #deps: AccountProjectorDeps;
  readonly #refreshing = new Map<AccountId, Refreshing>();
  readonly #fills = new Map<AccountId, Fill[]>();
  /** Accounts whose write failed and waits to be tried again: once, however many fail meanwhile. */
  readonly #retrying = new Set<AccountId>();

  constructor(deps: AccountProjectorDeps) {
    this.#deps = deps;
  }

  readonly onReport: ReportListener = (account, { fill }) => {
    if (fill === undefined) return;
    const fills = this.#fills.get(account);
    if (fills === undefined) this.#fills.set(account, [fill]);
    else fills.push(fill);
    void this.#refresh(account);
  };

  /** Resolves once everything that was reported before this call is written, or after a while. */
  async upToDate(account: AccountId): Promise<void> {
    const current = this.#refreshing.get(account);
    if (current === undefined) return;
    const written = current.next ?? current.running;
    await this.#deps.waitFor(PATIENCE_MS, (wake) => void written.then(wake));
  }

  /** Reads everything anew: after a session began, when reports may have been missed. */
  async reload(account: AccountId): Promise<void> {
    const broker = this.#deps.brokerOf(account);
    if (broker === undefined) return;
    const newest = await this.#deps.views.newestFillAt(account);
    await this.#deps.views.addFills(account, await broker.fills(account, newest));
    await this.#refresh(account);
  }

  async #refresh(account: AccountId): Promise<void> {
    const current = this.#refreshing.get(account);
    if (current === undefined) return await this.#start(account);
    current.next ??= current.running.then(() => this.#start(account));
    return await current.next;
  }

  async #start(account: AccountId): Promise<void> {
    const refreshing: Refreshing = { running: this.#writeOrRetry(account) };
    this.#refreshing.set(account, refreshing);
    await refreshing.running;
    if (refreshing.next === undefined && this.#refreshing.get(account) === refreshing) {
      this.#refreshing.delete(account);
    }
  }

  async #writeOrRetry(account: AccountId): Promise<void> {
    const { onError, waitFor } = this.#deps;
    try {
      await this.#write(account);
    } catch (error) {
      onError(error, account);
      if (this.#retrying.has(account)) return;
      this.#retrying.add(account);
      void waitFor(RETRY_MS, () => undefined).then(() => {
        this.#retrying.delete(account);
        return this.#refresh(account);
      });
    }
  }

  async #write(account: AccountId): Promise<void> {
    const { views, brokerOf } = this.#deps;
    const fills = this.#fills.get(account) ?? [];
    this.#fills.delete(account);
    try {
      await Promise.all([views.addFills(account, fills), savePositions()]);
    } catch (error) {
      this.#fills.set(account, [...fills, ...(this.#fills.get(account) ?? [])]);
      throw error;
    }

    async function savePositions(): Promise<void> {
      const broker = brokerOf(account);
      if (broker === undefined) return;
      await views.savePositions(account, await broker.positions(account));
    }
  }
}
