import { contractCode } from "../../src/domain/contract.ts";
import { accountId, clOrdId, execId, orderId } from "../../src/domain/ids.ts";
import type { Fill, NewOrderSingle } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/price.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { symbolOf } from "./broker-view.ts";
import type { History, StoredIntent } from "./history.ts";
import type { Attempt, Call, Told } from "./ledger.ts";

export const ACCOUNT = "sim-1-1";
const CONTRACT = contractCode({ root: "MES", year: 2026, month: 12 });

/** The nth intent's id, as the gateway would write it. */
export const idOf = (n: number): string => `i${String(n).padStart(28, "0")}`;

/** A run of one account as it should be, written call by call; a test then spoils a part of it. */
export class InventedRun {
  readonly calls: Call[] = [];
  readonly intents: StoredIntent[] = [];
  readonly log: LogEntry[] = [];
  #net = 0;

  /** A market order, asked for, accepted, sent and filled. Positive buys, negative sells. */
  place(n: number, qty: number, change: Partial<StoredIntent> = {}): this {
    return this.ask(n).accept(n, change).send(n, qty);
  }

  /** A caller who was answered. */
  ask(n: number, attempt: Partial<Attempt> = {}): this {
    const told: Told = { intentId: idOf(n), orderId: `order-${n}` };
    const answer = {
      end: "answered",
      told,
      ...(attempt.end === undefined && { status: 201 }),
    } as const;
    const named = { requestId: `c${n}`, ingress: "ingress-1", sentAt: n, endedAt: n };
    const wish = {
      kind: "order",
      action: "buy",
      qty: 1,
      type: "market",
      hasBracket: false,
    } as const;
    this.calls.push({
      plan: { number: n, atMs: n, account: 0, via: "api", ingress: 0, copies: 1, wish },
      account: ACCOUNT,
      attempts: [{ ...named, ...answer, ...attempt }],
    });
    return this;
  }

  /** A record of the gateway. */
  accept(n: number, change: Partial<StoredIntent> = {}): this {
    this.intents.push({
      intentId: idOf(n),
      account: ACCOUNT,
      requestId: `c${n}`,
      kind: "PLACE",
      state: "DONE",
      seq: n,
      wasHeld: false,
      clOrdIds: [`${idOf(n)}-1`],
      reason: "",
      ...change,
    });
    return this;
  }

  /** An order that the broker took, and its fill. */
  send(n: number, qty: number): this {
    const account = accountId(ACCOUNT);
    const id = { clOrdId: clOrdId(`${idOf(n)}-1`), orderId: orderId(`order-${n}`) };
    const side = qty > 0 ? "BUY" : "SELL";
    const order: NewOrderSingle = {
      clOrdId: id.clOrdId,
      contract: CONTRACT,
      side,
      orderQty: Math.abs(qty),
      ordType: "MARKET",
      timeInForce: "DAY",
    };
    const command = { op: "submitOrder", account, order } as const;
    this.#add({ account, op: "submitOrder", ...id, outcome: "accepted", command });
    const fill: Fill = {
      ...id,
      execId: execId(`fill-${this.log.length}`),
      contract: CONTRACT,
      side,
      lastQty: Math.abs(qty),
      lastPx: ticks(1),
      transactTimeAt: 1,
    };
    this.#add({ account, op: "fill", ...id, outcome: "filled", fill });
    this.#net += qty;
    return this;
  }

  history(change: Partial<History> = {}): History {
    const held = this.#net === 0 ? {} : { [symbolOf(CONTRACT)]: this.#net };
    const ends = { [ACCOUNT]: { broker: held, gateway: held } };
    const { calls, intents, log } = this;
    return { calls, intents, log, ends, jobsLeft: 0, ...change };
  }

  #add(entry: Omit<LogEntry, "seq" | "at">): void {
    this.log.push({ seq: this.log.length + 1, at: this.log.length + 1, ...entry });
  }
}
