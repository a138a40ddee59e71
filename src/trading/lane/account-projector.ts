import type { AccountId } from "../../domain/ids.ts";
import type { Fill } from "../../domain/order.ts";
import type { Broker, ReportListener } from "../ports.ts";
import type { AccountViews } from "../store-ports.ts";

export interface AccountProjectorDeps {
  readonly views: AccountViews;
  readonly brokerOf: (account: AccountId) => Broker | undefined;
  readonly onError: (error: unknown, account: AccountId) => void;
}

interface Refreshing {
  /** The write under way. */
  running: Promise<void>;
  /** The one after it, for what happened meanwhile: shared by all who ask until it starts. */
  next?: Promise<void>;
}

/**
 * Keeps the read model of positions and fills in step with the broker's reports. Writes of one
 * account follow one another, and a burst of reports costs two writes, not one each.
 */
export class AccountProjector {
  readonly #deps: AccountProjectorDeps;
  readonly #refreshing = new Map<AccountId, Refreshing>();
  readonly #fills = new Map<AccountId, Fill[]>();

  constructor(deps: AccountProjectorDeps) {
    this.#deps = deps;
  }

  readonly onReport: ReportListener = (account, { fill }) => {
    if (fill === undefined) return;
    const fills = this.#fills.get(account);
    if (fills === undefined) this.#fills.set(account, [fill]);
    else fills.push(fill);
    this.refresh(account).catch((error: unknown) => this.#deps.onError(error, account));
  };

  async refresh(account: AccountId): Promise<void> {
    const current = this.#refreshing.get(account);
    if (current === undefined) return await this.#start(account);
    current.next ??= current.running.catch(() => undefined).then(() => this.#start(account));
    return await current.next;
  }

  /** Resolves once everything that was reported before this call is written. */
  async upToDate(account: AccountId): Promise<void> {
    const current = this.#refreshing.get(account);
    await (current?.next ?? current?.running);
  }

  /** Reads everything anew: after a session began, when reports may have been missed. */
  async reload(account: AccountId): Promise<void> {
    const broker = this.#deps.brokerOf(account);
    if (broker === undefined) return;
    const newest = await this.#deps.views.newestFillAt(account);
    await this.#deps.views.addFills(account, await broker.fills(account, newest));
    await this.refresh(account);
  }

  async #start(account: AccountId): Promise<void> {
    const running = this.#write(account);
    this.#refreshing.set(account, { running });
    try {
      await running;
    } finally {
      const current = this.#refreshing.get(account);
      if (current?.running === running && current.next === undefined) {
        this.#refreshing.delete(account);
      }
    }
  }

  async #write(account: AccountId): Promise<void> {
    const { views, brokerOf } = this.#deps;
    const fills = this.#fills.get(account) ?? [];
    this.#fills.delete(account);
    const broker = brokerOf(account);
    try {
      const added = views.addFills(account, fills);
      if (broker !== undefined) await views.savePositions(account, await broker.positions(account));
      await added;
    } catch (error) {
      this.#fills.set(account, [...fills, ...(this.#fills.get(account) ?? [])]);
      throw error;
    }
  }
}
