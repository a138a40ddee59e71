import { copyIdOf } from "../../src/app/new-ids.ts";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import type { FollowerTerms } from "../../src/domain/copying/copy-group.ts";
import {
  accountId,
  type ClOrdId,
  clOrdId,
  type CopyGroupId,
  execId,
  orderId,
} from "../../src/domain/ids.ts";
import { type Fill, sign } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { symbolOf } from "./broker-view.ts";
import type { History, Holdings, StoredIntent, ToldCopy } from "./history.ts";
import { NOTHING_EVALUATED, NOTHING_GUARDED } from "./invented-history.ts";

const LEADER = "sim-1-1";
export const FOLLOWER = "sim-2-9";
const GROUP = "cg_1" as CopyGroupId;
const CONTRACT = contractCode({ root: "MES", year: 2026, month: 12 });

interface Change {
  readonly intent?: Partial<StoredIntent>;
  readonly told?: Partial<ToldCopy>;
}

/** A leader that trades by hand, and one follower; a test then spoils a part of it. */
export class InventedCopies {
  readonly #terms: FollowerTerms;
  readonly #intents: StoredIntent[] = [];
  readonly #log: LogEntry[] = [];
  readonly #copies: ToldCopy[] = [];
  readonly #fills: string[] = [];
  readonly #held = new Map<string, number>();
  #now = 0;
  #leaderAt = 0;

  constructor(terms: Partial<FollowerTerms> = {}) {
    const size = { by: "multiplier", multiplier: "1", rounding: "down" } as const;
    const plain = { size, invert: false, symbolMap: {}, enabled: true };
    this.#terms = { ...plain, ...terms, accountId: accountId(FOLLOWER) };
  }

  /** Positive buys, negative sells. */
  leads(qty: number): this {
    this.#fills.push(this.#fill(LEADER, qty));
    this.#leaderAt = this.#now;
    return this;
  }

  /** A copy of the leader's newest fill, sent and filled. */
  copy(netQty: number, change?: Change): this {
    return this.accept(netQty, change).send(netQty - this.#net(FOLLOWER));
  }

  /** A copy that is not sent. */
  accept(netQty: number, { intent, told }: Change = {}): this {
    const copyId = copyIdOf(GROUP, accountId(FOLLOWER), this.#fills.at(-1) ?? "");
    const seq = this.#intents.length + 1;
    this.#intents.push({
      intentId: copyId,
      account: FOLLOWER,
      requestId: copyId,
      via: "copy",
      acceptedAt: seq,
      kind: "ADJUST",
      aim: { to: "position", netQty },
      problems: [],
      state: "DONE",
      seq,
      wasHeld: false,
      clOrdIds: [`${copyId}-100`],
      reason: "",
      ...intent,
    });
    return this.tell({ copyId, targetQty: netQty, ...told });
  }

  /** The newest copy once more, sent and filled. */
  again(netQty: number): this {
    const { intentId = "" } = this.#intents.at(-1) ?? {};
    const copyId = copyIdOf(GROUP, accountId(FOLLOWER), `again ${intentId}`);
    const intent = { intentId: copyId, requestId: copyId, clOrdIds: [`${copyId}-100`] };
    return this.copy(netQty, { intent, told: { copyId } });
  }

  /** A line of the copy log. */
  tell(change: Partial<ToldCopy>): this {
    const end = { outcome: "done", reason: "", targetQty: 0, sentMs: 5 } as const;
    const copy = { copyId: "", follower: FOLLOWER, cause: "fill", ...end } as const;
    this.#copies.push({ ...copy, leaderAt: this.#leaderAt, ...change });
    return this;
  }

  /** Time goes by. */
  waits(ms: number): this {
    this.#now += ms;
    return this;
  }

  /** An order of the newest copy, and its fill. */
  send(qty: number): this {
    const id = clOrdId(`${this.#intents.at(-1)?.intentId ?? ""}-100`);
    const account = accountId(FOLLOWER);
    const side = qty > 0 ? "BUY" : "SELL";
    const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
    const order = { clOrdId: id, contract: CONTRACT, side, orderQty: Math.abs(qty), ...terms };
    const command = { op: "submitOrder", account, order };
    this.#add({ account, op: "submitOrder", clOrdId: id, outcome: "accepted", command });
    this.#fill(FOLLOWER, qty, id);
    return this;
  }

  history(change: Partial<History["copying"]> = {}): History {
    const ends = [LEADER, FOLLOWER].map((name) => {
      const net = this.#net(name);
      const holds: Holdings = net === 0 ? {} : { [symbolOf(CONTRACT)]: net };
      return [name, { broker: holds, gateway: holds }] as const;
    });
    return {
      calls: [],
      intents: this.#intents,
      log: this.#log,
      ends: Object.fromEntries(ends),
      closesByOrder: false,
      jobsLeft: 0,
      copying: {
        groups: [{ groupId: GROUP, leader: LEADER, followers: [this.#terms] }],
        copies: this.#copies,
        fills: { [LEADER]: this.#fills },
        stopped: {},
        ...change,
      },
      evaluating: NOTHING_EVALUATED,
      guarding: NOTHING_GUARDED,
    };
  }

  #net(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  #fill(name: string, qty: number, ofOrder?: ClOrdId): string {
    const account = accountId(name);
    const id = `${this.#log.length}`;
    const fill: Fill = {
      execId: execId(id),
      orderId: orderId(`order-${id}`),
      ...(ofOrder !== undefined && { clOrdId: ofOrder }),
      contract: CONTRACT,
      side: qty > 0 ? "BUY" : "SELL",
      lastQty: Math.abs(qty),
      lastPx: ticks(1),
      transactTimeAt: 1,
    };
    this.#add({ account, op: "fill", clOrdId: ofOrder, outcome: "filled", fill });
    this.#held.set(name, this.#net(name) + sign(fill.side) * fill.lastQty);
    return id;
  }

  #add(entry: Omit<LogEntry, "seq" | "at">): void {
    this.#log.push({ seq: this.#log.length + 1, at: this.#now, ...entry });
  }
}
