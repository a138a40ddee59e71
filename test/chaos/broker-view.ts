import { contractSymbol, parseContractCode } from "../../src/domain/contracts/contract.ts";
import { type ClOrdId, intentIdOf, type OrderId } from "../../src/domain/ids.ts";
import {
  endsAtOnce,
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  sign,
} from "../../src/domain/order.ts";
import { adds, exposureOf } from "../../src/domain/exposure.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { ExchangeCommand } from "../simulators/exchange/wire.ts";

/** An order that the broker accepted from a session. */
export interface SentOrder {
  readonly entry: LogEntry;
  readonly account: string;
  readonly clOrdId: string;
  /** Undefined where the identifier is none of the gateway's. */
  readonly intentId: string | undefined;
  /** A close is one that left nothing of what was held, whatever the broker calls it. */
  readonly op: "submitOrder" | "closePosition" | "submitProtection";
  /** It took exits along. */
  readonly hasExits: boolean;
  /** It could only reduce what was held at that moment, by the gateway's own rule. */
  readonly reduces: boolean;
}

/** An order that the broker accepted, or a fill, in the broker's order. */
export interface Trade {
  /** Undefined where the identifier is none of the gateway's. */
  readonly intentId: string | undefined;
  /** What the account held after it, all contracts together: these runs trade one. */
  readonly net: number;
}

/** What an account held and had resting, as far as the log was read. */
class Book {
  readonly net = new Map<string, number>();
  readonly trades: Trade[] = [];
  readonly resting = new Map<string, OrderReport>();

  /** An order over exactly what is held. */
  closes({ contract, side, orderQty, ordType }: NewOrderSingle): boolean {
    const after = (this.net.get(contract) ?? 0) + sign(side) * orderQty;
    return ordType === "MARKET" && after === 0;
  }

  reduces(order: NewOrderSingle): boolean {
    const { contract } = order;
    const positions = [{ contract, netQty: this.net.get(contract) ?? 0 }];
    const working = [...this.resting.values()];
    return !adds(
      order,
      exposureOf(contract, { positions, working, opaque: [], opaquePositions: [] }),
    );
  }

  /** Nothing that rests has filled in part. */
  change({ orderId, orderQty }: OrderChange): void {
    const order = this.resting.get(orderId);
    if (order === undefined || orderQty === undefined) return;
    this.resting.set(orderId, { ...order, orderQty, leavesQty: orderQty });
  }

  addFill({ contract, side, lastQty, clOrdId }: NonNullable<LogEntry["fill"]>): void {
    this.net.set(contract, (this.net.get(contract) ?? 0) + sign(side) * lastQty);
    this.noteTrade(clOrdId);
  }

  noteTrade(clOrdId: string | undefined): void {
    const net = [...this.net.values()].reduce((sum, one) => sum + one, 0);
    this.trades.push({ intentId: intentIdOf((clOrdId ?? "") as ClOrdId), net });
  }
}

/** What the broker did, in its own order. */
export interface BrokerView {
  readonly sent: readonly SentOrder[];
  /** The sums of all fills by account and symbol. */
  readonly filled: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By account. */
  readonly trades: ReadonlyMap<string, readonly Trade[]>;
}

/**
 * Reads the broker's log. Prices stand still in these runs: what rests never fills. `isMeantToClose`
 * tells by the gateway's records, for a broker that knows no closes, which orders are to be some;
 * one that did not close exactly what was held is an order all the same.
 */
export function readBrokerLog(
  log: readonly LogEntry[],
  isMeantToClose: (clOrdId: string) => boolean = () => false,
): BrokerView {
  const books = new Map<string, Book>();
  const sent: SentOrder[] = [];
  for (const entry of log) {
    const { account = "" } = entry;
    const book = books.get(account) ?? new Book();
    books.set(account, book);
    if (entry.fill !== undefined) book.addFill(entry.fill);
    else if (entry.outcome === "accepted" && entry.command !== undefined) {
      const command = entry.command as ExchangeCommand;
      const isClose =
        command.op === "submitOrder" &&
        isMeantToClose(entry.clOrdId ?? "") &&
        book.closes(command.order);
      const read = readCommand(book, entry, command);
      const orders = isClose ? read.map(asClose) : read;
      for (const { clOrdId } of orders) book.noteTrade(clOrdId);
      sent.push(...orders);
    }
  }
  const filled = [...books].map(([account, { net }]) => {
    return [
      account,
      new Map([...net].map(([contract, qty]) => [symbolOf(contract), qty])),
    ] as const;
  });
  const trades = new Map([...books].map(([account, book]) => [account, book.trades]));
  return { sent, filled: new Map(filled), trades };
}

const asClose = (order: SentOrder): SentOrder => ({
  ...order,
  op: "closePosition",
  reduces: true,
});

/** As the API writes it. */
export function symbolOf(code: string): string {
  const contract = parseContractCode(code);
  return contract === undefined ? code : contractSymbol(contract);
}

function readCommand(book: Book, entry: LogEntry, command: ExchangeCommand): SentOrder[] {
  const { account = "", clOrdId = "", orderId = "" } = entry;
  const order = { entry, account, clOrdId, intentId: intentIdOf(clOrdId as ClOrdId) };
  switch (command.op) {
    case "submitOrder": {
      const reduces = book.reduces(command.order);
      const { bracket: _, ...placed } = command.order;
      const { orderQty: leavesQty } = placed;
      const status = { ordStatus: "NEW", cumQty: 0, leavesQty, transactTimeAt: 0 } as const;
      const resting = { ...placed, ...status, orderId: orderId as OrderId, role: "ORDER" } as const;
      if (!endsAtOnce(placed)) book.resting.set(orderId, resting);
      const hasExits = command.order.bracket !== undefined;
      return [{ ...order, op: command.op, hasExits, reduces }];
    }
    case "cancelOrder":
      book.resting.delete(command.orderId);
      return [];
    case "closePosition":
    case "submitProtection":
      return [{ ...order, op: command.op, hasExits: false, reduces: true }];
    case "modifyOrder":
      book.change(command.change);
      return [];
  }
}
