import { contractCode } from "../../src/domain/contracts/contract.ts";
import type { Aim } from "../../src/domain/alert.ts";
import { accountId, clOrdId, execId, orderId } from "../../src/domain/ids.ts";
import { type Fill, type NewOrderSingle, type Side, sign } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { symbolOf } from "./broker-view.ts";
import type { Guarding } from "./guarding.ts";
import type { Copying, Evaluating, History, StoredIntent } from "./history.ts";
import type { Attempt, Call, Told } from "./ledger.ts";
import type { PlannedCall } from "./wishes.ts";

export const ACCOUNT = "sim-1-1";
const CONTRACT = contractCode({ root: "MES", year: 2026, month: 12 });

const PLAN: Omit<PlannedCall, "number" | "atMs"> = {
  account: 0,
  via: "api",
  ingress: 0,
  copies: 1,
  gapMs: 0,
  isNamed: false,
  isForOwner: false,
  wish: { kind: "order", action: "buy", qty: 1, type: "market", hasBracket: false },
};

const NOTHING_COPIED: Copying = { groups: [], copies: [], fills: {}, stopped: {} };
export const NOTHING_GUARDED: Guarding = {
  accounts: [],
  writtenAhead: new Map(),
  looks: [],
  stood: [],
  decisions: {},
  ends: {},
  readAt: 0,
  faults: [],
};
export const NOTHING_EVALUATED: Evaluating = {
  strategies: [],
  slots: [],
  untilAt: 0,
  left: 0,
  faults: [],
};

interface Again extends Partial<StoredIntent> {
  readonly number: number;
}

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

  /** An adjustment that is told as done; what it sent is written beside it. */
  adjust(n: number, aim: Aim, change: Partial<StoredIntent> = {}): this {
    const clOrdIds = [1, 2, 3, 100].map((nth) => `${idOf(n)}-${nth}`);
    const attempt = { status: 200, told: { intentId: idOf(n), outcome: "done" } } as const;
    return this.ask(n, attempt).accept(n, {
      kind: "ADJUST",
      aim,
      problems: [],
      clOrdIds,
      ...change,
    });
  }

  /** An alert that came twice, and was accepted both times; `again` is the second intent. */
  alertTwice(n: number, isNamed: boolean, again: Again): this {
    const { number, ...change } = again;
    return this.ask(n, {}, { via: "webhook", isNamed, copies: 2 })
      .accept(n, { via: "webhook" })
      .accept(number, { via: "webhook", requestId: `c${n}`, ...change });
  }

  /** A caller who was answered. */
  ask(n: number, attempt: Partial<Attempt> = {}, change: Partial<PlannedCall> = {}): this {
    const told: Told = { intentId: idOf(n), orderId: `order-${n}` };
    const answer = {
      end: "answered",
      told,
      ...(attempt.end === undefined && { status: 201 }),
    } as const;
    const named = { requestId: `c${n}`, ingress: "ingress-1", sentAt: n, endedAt: n };
    this.calls.push({
      plan: { ...PLAN, number: n, atMs: n, ...change },
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
      via: "api",
      acceptedAt: n,
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

  /** An order that the broker took, and its fill; the nth of its intent, 100 for an entry. */
  send(n: number, qty: number, nth = 1): this {
    const account = accountId(ACCOUNT);
    const id = { clOrdId: clOrdId(`${idOf(n)}-${nth}`), orderId: orderId(`order-${n}`) };
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
    return this.#fill(id, side, Math.abs(qty));
  }

  /** A close of all that is held, and its fill. */
  close(n: number, nth = 1): this {
    const account = accountId(ACCOUNT);
    const id = { clOrdId: clOrdId(`${idOf(n)}-${nth}`), orderId: orderId(`order-${n}-${nth}`) };
    const { clOrdId: sent } = id;
    const command = { op: "closePosition", account, contract: CONTRACT, clOrdId: sent } as const;
    this.#add({ account, op: "closePosition", ...id, outcome: "accepted", command });
    return this.#fill(id, this.#net > 0 ? "SELL" : "BUY", Math.abs(this.#net));
  }

  /** Exits of an order, which an adapter placed after it. They rest for ever. */
  protect(n: number, nth = 1): this {
    const account = accountId(ACCOUNT);
    const id = { clOrdId: clOrdId(`${idOf(n)}-${nth}-TP`), orderId: orderId(`exits-${n}`) };
    const command = { op: "submitProtection", account };
    this.#add({ account, op: "submitProtection", ...id, outcome: "accepted", command });
    return this;
  }

  #fill(id: Pick<Fill, "clOrdId" | "orderId">, side: Side, lastQty: number): this {
    const account = accountId(ACCOUNT);
    const fill: Fill = {
      ...id,
      execId: execId(`fill-${this.log.length}`),
      contract: CONTRACT,
      side,
      lastQty,
      lastPx: ticks(1),
      transactTimeAt: 1,
    };
    this.#add({ account, op: "fill", ...id, outcome: "filled", fill });
    this.#net += sign(side) * lastQty;
    return this;
  }

  history(change: Partial<History> = {}): History {
    const held = this.#net === 0 ? {} : { [symbolOf(CONTRACT)]: this.#net };
    const ends = { [ACCOUNT]: { broker: held, gateway: held } };
    const { calls, intents, log } = this;
    const nothing = { evaluating: NOTHING_EVALUATED, guarding: NOTHING_GUARDED };
    const left = { jobsLeft: 0, copying: NOTHING_COPIED, ...nothing };
    return { calls, intents, log, ends, closesByOrder: false, ...left, ...change };
  }

  #add(entry: Omit<LogEntry, "seq" | "at">): void {
    this.log.push({ seq: this.log.length + 1, at: this.log.length + 1, ...entry });
  }
}
