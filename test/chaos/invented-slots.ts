import { slotIdOf } from "../../src/app/new-ids.ts";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import {
  accountId,
  type ClOrdId,
  clOrdId,
  execId,
  orderId,
  type StrategyId,
} from "../../src/domain/ids.ts";
import { type Fill, sign } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { symbolOf } from "./broker-view.ts";
import { SLOT_EVERY_MS } from "./evaluating.ts";
import type { Evaluating, History, StoredIntent, ToldSlot } from "./history.ts";
import { NOTHING_GUARDED } from "./invented-history.ts";

const TRADED = "sim-1-11";
const STRATEGY = "st_1" as StrategyId;
const CONTRACT = contractCode({ root: "MES", year: 2026, month: 12 });
const FIRST_SLOT_AT = SLOT_EVERY_MS;
const ENTRY_QTY = 2;
const ENTRY_NTH = 100;

/** The id of the nth slot's evaluation, counted from 1. */
export const slotId = (nth: number): string => slotIdOf(STRATEGY, nth * SLOT_EVERY_MS);

/** A strategy that goes in and out, slot by slot; a test then spoils a part of it. */
export class InventedSlots {
  readonly #slots: ToldSlot[] = [];
  readonly #intents: StoredIntent[] = [];
  readonly #log: LogEntry[] = [];
  #net = 0;
  #nth = 0;

  /** A slot that enters, and is done. */
  enters(): this {
    return this.next({ verdict: "enterLong", outcome: "done" }).accept().send(ENTRY_QTY);
  }

  /** A slot that leaves all that is held, and is done. */
  exits(): this {
    return this.next({ verdict: "exit", outcome: "done" }).accept().close();
  }

  /** The next slot, as the log tells it; it sends where it came to more than nothing. */
  next(told: Pick<ToldSlot, "verdict" | "outcome"> & Partial<ToldSlot>): this {
    this.#nth += 1;
    return this.tell(told);
  }

  /** The newest slot, told of now or once more. */
  tell(told: Pick<ToldSlot, "verdict" | "outcome"> & Partial<ToldSlot>): this {
    const evaluationId = slotId(this.#nth);
    this.#slots.push({
      evaluationId,
      strategyId: STRATEGY,
      account: TRADED,
      slotAt: this.#now(),
      startedAt: this.#now() + 20,
      reason: "",
      ...(told.outcome !== "none" && { intentId: evaluationId }),
      ...told,
    });
    return this;
  }

  /** A slot that nobody took. */
  misses(reason = "No process took it"): this {
    return this.next({ verdict: "missed", outcome: "none", reason });
  }

  /** The next slots, missed and told of together. */
  missesTogether(count: number, told = count): this {
    const missedFromAt = this.#now() + SLOT_EVERY_MS;
    this.#nth += count - 1;
    return this.next({ verdict: "missed", outcome: "none", missedFromAt, missedSlots: told });
  }

  /** A slot that nobody tells of. */
  forgets(): this {
    this.#nth += 1;
    return this;
  }

  /** The record of the newest slot's intent. */
  accept(change: Partial<StoredIntent> = {}): this {
    const intentId = slotId(this.#nth);
    this.#intents.push({
      intentId,
      account: TRADED,
      requestId: intentId,
      via: "strategy",
      acceptedAt: this.#now(),
      kind: "ADJUST",
      problems: [],
      state: "DONE",
      seq: this.#intents.length + 1,
      wasHeld: false,
      clOrdIds: [1, 2, 3, 4, ENTRY_NTH].map((nth) => `${intentId}-${nth}`),
      reason: "",
      ...change,
    });
    return this;
  }

  /** An order of the newest slot, and its fill. Positive buys, negative sells. */
  send(qty: number, nth = ENTRY_NTH): this {
    const [account, id] = [accountId(TRADED), clOrdId(`${slotId(this.#nth)}-${nth}`)];
    const terms = { ordType: "MARKET", timeInForce: "DAY", contract: CONTRACT } as const;
    const side = qty > 0 ? "BUY" : "SELL";
    const order = { clOrdId: id, side, orderQty: Math.abs(qty), ...terms };
    return this.#add("submitOrder", id, { op: "submitOrder", account, order }).#fill(id, qty);
  }

  /** A close of all that is held, and its fill. */
  close(nth = 1): this {
    const [account, id] = [accountId(TRADED), clOrdId(`${slotId(this.#nth)}-${nth}`)];
    const command = { op: "closePosition", account, contract: CONTRACT, clOrdId: id };
    return this.#add("closePosition", id, command).#fill(id, -this.#net);
  }

  history(change: Partial<Evaluating> = {}): History {
    const holds = this.#net === 0 ? {} : { [symbolOf(CONTRACT)]: this.#net };
    return {
      calls: [],
      intents: this.#intents,
      log: this.#log,
      ends: { [TRADED]: { broker: holds, gateway: holds } },
      closesByOrder: false,
      jobsLeft: 0,
      copying: { groups: [], copies: [], fills: {}, stopped: {} },
      guarding: NOTHING_GUARDED,
      evaluating: {
        strategies: [
          { strategyId: STRATEGY, account: TRADED, qty: ENTRY_QTY, firstSlotAt: FIRST_SLOT_AT },
        ],
        slots: this.#slots,
        untilAt: this.#now(),
        left: 0,
        faults: [],
        ...change,
      },
    };
  }

  #now(): number {
    return this.#nth * SLOT_EVERY_MS;
  }

  #add(op: string, id: ClOrdId, command: object): this {
    const account = accountId(TRADED);
    return this.#note({ account, op, clOrdId: id, outcome: "accepted", command });
  }

  #fill(id: ClOrdId, qty: number): this {
    const fill: Fill = {
      execId: execId(`${this.#log.length}`),
      orderId: orderId(`order-${id}`),
      clOrdId: id,
      contract: CONTRACT,
      side: qty > 0 ? "BUY" : "SELL",
      lastQty: Math.abs(qty),
      lastPx: ticks(1),
      transactTimeAt: 1,
    };
    this.#net += sign(fill.side) * fill.lastQty;
    const account = accountId(TRADED);
    return this.#note({ account, op: "fill", clOrdId: id, outcome: "filled", fill });
  }

  #note(entry: Omit<LogEntry, "seq" | "at">): this {
    this.#log.push({ seq: this.#log.length + 1, at: this.#now() + 100, ...entry });
    return this;
  }
}
