import { ticks } from "../../../src/domain/contracts/price.ts";
import type { ExecId, OrderId } from "../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  type Fill,
  isClosed,
  type OrderReport,
} from "../../../src/domain/order.ts";
import type { FillReport } from "./steps.ts";

const LATE_MS = 2_000;

export interface TapeDeps {
  readonly after: (ms: number, run: () => unknown) => unknown;
  /** Takes the fill of a report back. */
  readonly bust: (report: ExecutionReport) => void;
}

/** How the exchange reports its fills, which may be later or less than happened. */
export class Tape {
  readonly #deps: TapeDeps;
  readonly #listeners: ((report: ExecutionReport) => void)[] = [];
  readonly #late = new Map<ExecId, ExecutionReport>();
  readonly #unpriced = new Set<OrderId>();
  readonly #takenBack = new Map<ExecId, Fill>();
  #busting = 0;
  #next: FillReport | undefined;

  constructor(deps: TapeDeps) {
    this.#deps = deps;
  }

  onReport(listener: (report: ExecutionReport) => void): void {
    this.#listeners.push(listener);
  }

  reportNext(how: FillReport): void {
    this.#next = how;
  }

  calm(): void {
    this.#next = undefined;
  }

  get isUnreported(): boolean {
    return this.#late.size + this.#unpriced.size + this.#busting > 0;
  }

  report(report: ExecutionReport): void {
    const { fill, order, execType } = report;
    if (execType !== "TRADE" || fill === undefined) return this.#say(report);
    const how = this.#next;
    this.#next = undefined;
    switch (how) {
      case undefined:
        return this.#say(report);
      case "late":
        this.#late.set(fill.execId, report);
        this.#deps.after(LATE_MS, () => {
          this.#late.delete(fill.execId);
          this.#say(report);
        });
        return;
      case "unpriced":
        this.#unpriced.add(order.orderId);
        this.#deps.after(LATE_MS, () => this.#unpriced.delete(order.orderId));
        return this.#say(report);
      case "nameless":
        return this.#say(withoutName(report));
      case "voided":
        this.#busting += 1;
        this.#deps.bust(report);
        return this.#say(report);
      case "corrected":
        this.#say(report);
        this.#deps.after(LATE_MS, () => {
          const corrected = { ...fill, lastPx: ticks(fill.lastPx + 1) };
          this.#say({ execType: "TRADE_CORRECT", order, fill: corrected });
        });
    }
  }

  reportTakenBack({ order, fill }: ExecutionReport): void {
    if (fill === undefined) return;
    this.#busting -= 1;
    const back: Fill = { ...fill, takenBack: true };
    this.#takenBack.set(fill.execId, back);
    this.#say({ execType: "TRADE_CANCEL", order, fill: back });
  }

  /** The order as the exchange shows it at this time. */
  shown(order: OrderReport): OrderReport {
    const late = [...this.#late.values()].filter((one) => one.order.orderId === order.orderId);
    const back = [...this.#takenBack.values()].filter(({ orderId }) => orderId === order.orderId);
    const isUnpriced = this.#unpriced.has(order.orderId);
    if (late.length + back.length === 0 && !isUnpriced) return order;
    const { avgPx, ...rest } = order;
    // A full order is shown as FILLED before its price is known.
    const hidden =
      order.ordStatus === "FILLED" ? 0 : sum(late.map(({ fill }) => fill?.lastQty ?? 0));
    const cumQty = order.cumQty - hidden - sum(back.map(({ lastQty }) => lastQty));
    const leavesQty = isClosed(order.ordStatus) ? 0 : order.leavesQty + hidden;
    const isPriced = cumQty > 0 && !isUnpriced && late.length === 0;
    return { ...rest, cumQty, leavesQty, ...(isPriced && avgPx !== undefined && { avgPx }) };
  }

  shownFills(fills: readonly Fill[]): readonly Fill[] {
    return fills
      .filter(({ execId }) => !this.#late.has(execId))
      .map((fill) => this.#takenBack.get(fill.execId) ?? fill);
  }

  #say(report: ExecutionReport): void {
    const shown = { ...report, order: this.shown(report.order) };
    for (const listener of this.#listeners) listener(shown);
  }
}

/** The report as one of another program's order. */
function withoutName({ order, fill, execType }: ExecutionReport): ExecutionReport {
  const { clOrdId: _, ...nameless } = order;
  if (fill === undefined) return { execType, order: nameless };
  const { clOrdId: __, ...bare } = fill;
  return { execType, order: nameless, fill: bare };
}

const sum = (quantities: readonly number[]): number =>
  quantities.reduce((total, qty) => total + qty, 0);
