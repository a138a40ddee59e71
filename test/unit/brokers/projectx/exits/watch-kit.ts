import assert from "node:assert/strict";
import { afterEach } from "vitest";
import type { AdapterMemory } from "../../../../../src/brokers/broker-kind.ts";
import { BracketBook } from "../../../../../src/brokers/projectx/exits/bracket-book.ts";
import { BracketWatch } from "../../../../../src/brokers/projectx/exits/bracket-watch.ts";
import { MemoryParts } from "../../../../../src/brokers/projectx/memory-parts.ts";
import type { LegTrouble } from "../../../../../src/brokers/projectx/observer.ts";
import type { Placement } from "../../../../../src/brokers/projectx/order-body.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { type ClOrdId, clOrdId, orderId } from "../../../../../src/domain/ids.ts";
import type { Bracket, NewOrderSingle, OrderChange } from "../../../../../src/domain/order.ts";
import type { CommandOutcome, SubmitOutcome } from "../../../../../src/trading/ports.ts";
import { waitUntil } from "../../../../support/wait.ts";
import { LIMIT, LOST, ScriptedSession } from "../desk-kit.ts";

const ES_ID = "CON.F.US.EP.U25";
const ACCEPTED: CommandOutcome = { kind: "accepted" };
/** Prices are quarters: 10 is a level of 40 ticks. */
const PX = 0.25;
const LISTS_LATE_MS = 4_000;

const BRACKET: Bracket = {
  stopLoss: { by: "price", price: ticks(20) },
  takeProfit: { by: "price", price: ticks(60) },
};

export const tagOf = (n: number): ClOrdId => clOrdId(`i0123456789abcdef0123456789a${n}-1`);

let lastTrade = 5_000;
/** Of one instant, as those of a hub are: their numbers tell which came first. */
const tradeOf = (order: number, what: object): object => {
  lastTrade += 1;
  return {
    id: lastTrade,
    orderId: order,
    accountId: 465,
    contractId: ES_ID,
    creationTimestamp: "2026-11-27T15:00:00Z",
    ...what,
  };
};

const running: { end: () => void }[] = [];
afterEach(() => {
  for (const watch of running.splice(0)) watch.end();
});

/** A watch in front of a broker whose every word is given, with a clock that stands until it is moved. */
export class WatchedBroker {
  readonly session = new ScriptedSession();
  readonly troubles: LegTrouble[] = [];
  readonly placed: NewOrderSingle[] = [];
  readonly changed: OrderChange[] = [];
  readonly ended: string[] = [];
  /** How the next orders are answered; taken and told by the hub where nothing is said. */
  readonly answers: (SubmitOutcome | "taken, and nobody hears of it")[] = [];
  /** Something may happen before an order's turn has come. */
  onTurn: (order: NewOrderSingle) => void = () => undefined;
  /** Hears of each order right before it leaves. */
  onPlace: (order: NewOrderSingle) => void = () => undefined;
  #flying: NewOrderSingle[] = [];
  #unheard: (NewOrderSingle & { readonly at: number })[] = [];
  /** The same of changes. */
  readonly changeAnswers: CommandOutcome[] = [];
  readonly watch: BracketWatch;
  #now = 1_000;
  #lastId = 900;

  /** What the broker lists as held, where the hub has left that out. */
  #listed: object = {};
  /** What the broker answers about single orders. */
  readonly #shown = new Map<number, object>();
  isDown = false;

  /** One whose session stands, with nothing remembered. */
  static async begun(): Promise<WatchedBroker> {
    const broker = new WatchedBroker();
    await broker.watch.begin();
    return broker;
  }

  constructor(memory?: AdapterMemory) {
    const parts = new MemoryParts({ memory, mayWrite: () => true, onTrouble: () => undefined });
    this.watch = new BracketWatch({
      session: this.session,
      book: new BracketBook(parts),
      commands: () => ({
        placeLeg: (_place, order, isWanted) => {
          this.onTurn(order);
          if (!isWanted()) return Promise.resolve(undefined);
          this.onPlace(order);
          this.#flying.push(order);
          return afterAWhile(() => this.#place(order));
        },
        changeOrder: (_order, _report, change) => afterAWhile(() => this.#change(change)),
        endOrder: (_account, id) => afterAWhile(() => this.#end(id)),
      }),
      reference: () => Promise.resolve(undefined),
      onTrouble: (_account, trouble) => this.troubles.push(trouble),
      onError: (error) => {
        throw error;
      },
      now: () => this.#now,
      elapsed: () => this.#now,
      signal: new AbortController().signal,
    });
    running.push(this.watch);
    this.session.answering = ({ path, body }) => {
      if (this.isDown) return LOST;
      if (path === "Position/searchOpen") {
        // What is asked for in one go: lists are a little late.
        this.#tell(this.#unheard.filter(({ at }) => this.#now - at > LISTS_LATE_MS));
        return this.#listed;
      }
      const order = this.#shown.get(Number(body["orderId"]));
      return path === "Order/searchById" && order !== undefined ? { order } : undefined;
    };
  }

  /** An entry that buys so many at 40 with exits at 20 and 60, of which `filled` have filled. */
  async enter(n: number, size: number, filled = size, bracket: Bracket = BRACKET): Promise<void> {
    const [place, order] = await this.want(tagOf(n), size, bracket);
    this.fill(n, size, filled);
    this.watch.entered(place, order, String(n * 10));
  }

  /** An entry is about to leave. */
  async want(tag: string, orderQty = 1, bracket: Bracket = BRACKET) {
    const account = this.session.store.account("465");
    const contract = this.session.contracts.byId(ES_ID);
    assert(account !== undefined && contract !== undefined);
    const place: Placement = { account, contract };
    const order = { ...LIMIT, clOrdId: clOrdId(tag), orderQty, bracket };
    await this.watch.wants(place, order);
    return [place, order] as const;
  }

  /** What the order says of where it filled. */
  average(n: number, filledPrice: number): void {
    const order = this.session.store.order(String(n * 10));
    this.session.hub("order", { ...order, filledPrice, ...this.#time() });
  }

  trade(order: number, size: number, price: number, side: 0 | 1 = 0): void {
    this.session.hub("trade", tradeOf(order, { size, price, side }));
  }

  /** The broker lists a trade, and its hub says nothing of it. */
  listsTrade(order: number, size: number, side: 0 | 1): void {
    this.session.listedTrades.push(tradeOf(order, { size, price: 10, side }));
  }

  /** How the broker answers about an order by its number. */
  shows(order: { readonly id: number } & Readonly<Record<string, unknown>>): void {
    const plain = { accountId: 465, contractId: ES_ID, type: 1, side: 0, limitPrice: 10 };
    const creationTimestamp = "2026-11-27T14:00:00Z";
    this.#shown.set(order.id, { ...plain, creationTimestamp, ...order });
  }

  idOf(tag: string): string {
    return this.session.store.byTag("465", tag)?.id ?? "";
  }

  resize(id: string, size: number): void {
    this.session.hub("order", { ...this.session.store.order(id), size, ...this.#time() });
  }

  /** The broker has another word for an order. */
  turn(id: string, status: number): void {
    this.session.hub("order", { ...this.session.store.order(id), status, ...this.#time() });
  }

  fill(n: number, size: number, fillVolume: number): void {
    const status = fillVolume === size ? 2 : 1;
    this.session.order(n * 10, status, { size, fillVolume, customTag: tagOf(n), ...this.#time() });
  }

  /** The broker's own legs of an entry: in that state, for so many. */
  legs(n: number, status: number, size: number, more: object = {}): void {
    this.stop(n, status, size, more);
    const target = { type: 1, side: 1, size, limitPrice: 60 * PX, parentOrderId: n * 10 };
    const customTag = `${tagOf(n)}-TP`;
    this.session.order(n * 10 + 2, status, { ...target, customTag, ...this.#time(), ...more });
  }

  stop(n: number, status: number, size: number, more: object = {}): void {
    const stop = { type: 4, side: 1, size, stopPrice: 20 * PX, parentOrderId: n * 10 };
    const own = { ...stop, limitPrice: undefined, customTag: `${tagOf(n)}-SL`, ...this.#time() };
    this.session.order(n * 10 + 1, status, { ...own, ...more });
  }

  holds(size: number): void {
    this.session.hub("position", { id: 1, accountId: 465, contractId: ES_ID, type: 1, size });
  }

  /** The broker lists that much, and its hub says nothing of it. */
  lists(size: number): void {
    this.#listed = { positions: [{ id: 1, accountId: 465, contractId: ES_ID, type: 1, size }] };
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Lets the watch look again and again, while so much time passes. */
  async through(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      this.pass(100);
      // Any word of the broker has it look.
      this.session.hub("account", { id: 465, name: `50K ${this.#now}`, canTrade: true });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Exits of one kind that work, as far as they were told. */
  live(ending: "-SL" | "-TP") {
    return this.session.store
      .ordersOf("465")
      .filter(({ customTag, status }) => customTag?.endsWith(ending) === true && status === 1);
  }

  /** For how much exits of that kind work, with those on their way and those of which nobody has heard. */
  standing(ending: "-SL" | "-TP"): number {
    const told = this.live(ending).reduce(
      (sum, { size = 0, fillVolume = 0 }) => sum + size - fillVolume,
      0,
    );
    // One that is sent again is there once.
    const untold = new Map(
      [...this.#flying, ...this.#unheard].map((order) => [order.clOrdId, order.orderQty]),
    );
    return [...untold]
      .filter(([tag]) => tag.endsWith(ending) && this.idOf(tag) === "")
      .reduce((sum, [, orderQty]) => sum + orderQty, told);
  }

  get heldQty(): number {
    return this.session.store.positionsOf("465")[0]?.size ?? 0;
  }

  tags(ending = ""): readonly string[] {
    return this.placed.map((order) => order.clOrdId).filter((tag) => tag.endsWith(ending));
  }

  #place(order: NewOrderSingle): SubmitOutcome {
    this.placed.push(order);
    this.#flying = this.#flying.filter((one) => one !== order);
    const answer = this.answers.shift();
    const used = this.#unheard.find(({ clOrdId: tag }) => tag === order.clOrdId);
    if (answer === "taken, and nobody hears of it") {
      if (used === undefined) this.#unheard.push({ ...order, at: this.#now });
      return { kind: "unknown", reason: "It was lost" };
    }
    if (answer !== undefined) return answer;
    // A tag that is used up names its order.
    if (used !== undefined) this.#tell([used]);
    else this.#show(order);
    return { kind: "accepted", orderId: orderId(this.idOf(order.clOrdId)) };
  }

  /** The hub tells at last of what it has left out. */
  catchUp(): void {
    this.#tell(this.#unheard);
  }

  #tell(orders: readonly NewOrderSingle[]): void {
    this.#unheard = this.#unheard.filter((order) => !orders.includes(order));
    for (const order of orders) this.#show(order);
  }

  /** The hub tells of an order that the watch has placed. */
  #show({ clOrdId: customTag, orderQty: size, ordType, stopPx, price }: NewOrderSingle): void {
    this.#lastId += 1;
    const type = ordType === "STOP" ? 4 : 1;
    const prices = {
      limitPrice: price === undefined ? undefined : price * PX,
      stopPrice: stopPx === undefined ? undefined : stopPx * PX,
    };
    this.session.order(this.#lastId, 1, { side: 1, size, type, customTag, ...prices });
  }

  #change({ orderId: id, orderQty, price, stopPx }: OrderChange): CommandOutcome {
    this.changed.push({ orderId: id, ...(orderQty !== undefined && { orderQty }) });
    const answer = this.changeAnswers.shift() ?? ACCEPTED;
    const order = this.session.store.order(id);
    if (answer.kind !== "accepted" || order === undefined) return answer;
    this.session.hub("order", {
      ...order,
      ...(orderQty !== undefined && { size: orderQty }),
      ...(price !== undefined && { limitPrice: price * PX }),
      ...(stopPx !== undefined && { stopPrice: stopPx * PX }),
      ...this.#time(),
    });
    return answer;
  }

  #end(id: string): CommandOutcome {
    this.ended.push(id);
    const order = this.session.store.order(id);
    if (order !== undefined) this.session.hub("order", { ...order, status: 3, ...this.#time() });
    return ACCEPTED;
  }

  /** Each word is newer than the one before. */
  #time() {
    this.#now += 1;
    return { updateTimestamp: new Date(Date.UTC(2026, 10, 27, 15) + this.#now).toISOString() };
  }
}

/** What the next owner finds. */
export function sharedMemory(kept?: string): AdapterMemory & { isSaved: () => Promise<void> } {
  let text = kept;
  return {
    load: async () => text,
    save: async (next) => {
      text = next;
    },
    isSaved: () => waitUntil("it is kept", async () => text !== kept),
  };
}

/** A broker is some turns of the event loop away. */
async function afterAWhile<Answer>(answer: () => Answer): Promise<Answer> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return answer();
}
