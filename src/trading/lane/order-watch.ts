import { ListsByAccount } from "../../domain/by-account.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId } from "../../domain/ids.ts";
import { isClosed, isUnderstood, type OrderReport } from "../../domain/order.ts";
import type { ReportListener, SubmitOutcome, WaitFor } from "../ports.ts";

export interface WatchedOrder {
  /** The order as it was last reported. */
  readonly latest: () => OrderReport | undefined;
  /** The order once it is closed, or as it was last reported when `ms` passed first. */
  readonly closedWithin: (ms: number) => Promise<OrderReport | undefined>;
  readonly stop: () => void;
}

/** An order whose answer was lost is reported within this, ms, or is looked up. */
const REPORTED_WITHIN_MS = 500;

/**
 * A lost answer is none where the broker reports the order: what follows from it is due now, and not only once
 * it is looked up.
 */
export async function orAsReported(
  answer: SubmitOutcome,
  watched: Pick<WatchedOrder, "closedWithin">,
): Promise<SubmitOutcome> {
  if (answer.kind !== "unknown") return answer;
  const reported = await watched.closedWithin(REPORTED_WITHIN_MS);
  return reported === undefined ? answer : { kind: "accepted", orderId: reported.orderId };
}

interface Watch {
  /** An identifier of ours is given once in all. */
  readonly clOrdId: ClOrdId;
  latest: OrderReport | undefined;
  onClosed: (() => void) | undefined;
}

/**
 * Follows orders by our own identifier. A watch starts before the order is sent, because reports
 * may come before the command's own answer. Counts what is reported of each account besides.
 */
export class OrderWatch {
  readonly #watches = new ListsByAccount<Watch>();
  /** "" for whatever may be of any contract. */
  readonly #news = new Map<AccountId, Map<ContractCode | "", number>>();
  readonly #waitFor: WaitFor;

  constructor({ waitFor }: { waitFor: WaitFor }) {
    this.#waitFor = waitFor;
  }

  readonly onReport: ReportListener = (account, report) => {
    this.#count(account, isUnderstood(report) ? report.order.contract : "");
    if (!isUnderstood(report)) return;
    const { order } = report;
    const watch = this.#watches.of(account).find(({ clOrdId }) => clOrdId === order.clOrdId);
    if (watch === undefined) return;
    watch.latest = order;
    if (isClosed(order.ordStatus)) watch.onClosed?.();
  };

  /**
   * The account's news number: it moves on with whatever is reported of contracts that are meant, or may be.
   * Without `isMeant` all are.
   */
  newsOf(account: AccountId, isMeant?: (contract: ContractCode) => boolean): number {
    let news = 0;
    for (const [contract, count] of this.#news.get(account) ?? []) {
      if (contract === "" || isMeant?.(contract) !== false) news += count;
    }
    return news;
  }

  #count(account: AccountId, contract: ContractCode | ""): void {
    const counts = this.#news.get(account) ?? new Map<ContractCode | "", number>();
    this.#news.set(account, counts.set(contract, (counts.get(contract) ?? 0) + 1));
  }

  watch(account: AccountId, clOrdId: ClOrdId): WatchedOrder {
    const watch: Watch = { clOrdId, latest: undefined, onClosed: undefined };
    this.#watches.add(account, watch);
    return {
      latest: () => watch.latest,
      closedWithin: async (ms) => {
        if (watch.latest === undefined || !isClosed(watch.latest.ordStatus)) {
          await this.#waitFor(ms, (wake) => (watch.onClosed = wake));
        }
        return watch.latest;
      },
      stop: () => this.#watches.remove(account, watch),
    };
  }
}
