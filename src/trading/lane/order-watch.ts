import type { AccountId, ClOrdId } from "../../domain/ids.ts";
import { isClosed, isUnderstood, type OrderReport } from "../../domain/order.ts";
import type { ReportListener, WaitFor } from "../ports.ts";

export interface WatchedOrder {
  /** The order as it was last reported. */
  readonly latest: () => OrderReport | undefined;
  /** The order once it is closed, or as it was last reported when `ms` passed first. */
  readonly closedWithin: (ms: number) => Promise<OrderReport | undefined>;
  readonly stop: () => void;
}

interface Watch {
  readonly account: AccountId;
  latest: OrderReport | undefined;
  onClosed: (() => void) | undefined;
}

/**
 * Follows orders by our own identifier. A watch starts before the order is sent, because reports
 * may come before the command's own answer.
 */
export class OrderWatch {
  /** An identifier of ours is given once in all. */
  readonly #watches = new Map<ClOrdId, Watch>();
  readonly #waitFor: WaitFor;

  constructor({ waitFor }: { waitFor: WaitFor }) {
    this.#waitFor = waitFor;
  }

  readonly onReport: ReportListener = (account, report) => {
    if (!isUnderstood(report)) return;
    const { order } = report;
    const watch = order.clOrdId === undefined ? undefined : this.#watches.get(order.clOrdId);
    if (watch?.account !== account) return;
    watch.latest = order;
    if (isClosed(order.ordStatus)) watch.onClosed?.();
  };

  watch(account: AccountId, clOrdId: ClOrdId): WatchedOrder {
    const watch: Watch = { account, latest: undefined, onClosed: undefined };
    this.#watches.set(clOrdId, watch);
    return {
      latest: () => watch.latest,
      closedWithin: async (ms) => {
        if (watch.latest === undefined || !isClosed(watch.latest.ordStatus)) {
          await this.#waitFor(ms, (wake) => (watch.onClosed = wake));
        }
        return watch.latest;
      },
      stop: () => this.#watches.delete(clOrdId),
    };
  }
}
