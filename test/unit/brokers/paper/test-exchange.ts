import assert from "node:assert/strict";
import {
  Exchange,
  type OrderTaken,
  type Rejection,
} from "../../../../src/brokers/paper/exchange/exchange.ts";
import type { ExchangeOrder } from "../../../../src/brokers/paper/exchange/exchange-order.ts";
import type { PaperProduct } from "../../../../src/brokers/paper/exchange/product.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, clOrdId } from "../../../../src/domain/ids.ts";
import type { ExecutionReport, NewOrderSingle, Side } from "../../../../src/domain/order.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";

export const ES = "ESZ2026" as ContractCode;
export const A = accountId("paper-1");
export const B = accountId("paper-2");

/** A Wednesday, 10:00 in New York. */
export const WEDNESDAY = Date.UTC(2026, 6, 15, 14);

export const PRODUCT: PaperProduct = {
  tickSize: tickSize("0.25"),
  tickValue: "12.50",
  currency: "USD",
  isExpired: () => false,
};

export interface TestExchange {
  readonly exchange: Exchange;
  readonly reports: ExecutionReport[];
  readonly interest: boolean[];
  /** What changed since this was last cleared, as "kind id". */
  readonly changes: Set<string>;
  readonly clock: { now: number };
  readonly quote: (bid: number, ask: number, qty?: number) => void;
  readonly submit: (order?: Partial<NewOrderSingle>, account?: typeof A) => OrderTaken | Rejection;
  readonly place: (order?: Partial<NewOrderSingle>, account?: typeof A) => OrderTaken;
  readonly limit: (side: Side, price: number, order?: Partial<NewOrderSingle>) => OrderTaken;
  /** The order as it stands, ended ones too. */
  readonly order: (id: string | undefined, account?: typeof A) => ExchangeOrder;
  readonly netQty: (account?: typeof A) => number;
}

/** An exchange with two accounts, quoted 999 to 1,000 unless told otherwise. */
export function createTestExchange({
  product = (contract: ContractCode) => (contract === ES ? PRODUCT : undefined),
  sessionHours = false,
  isQuoted = true,
}: {
  product?: (contract: ContractCode) => PaperProduct | undefined;
  sessionHours?: boolean;
  isQuoted?: boolean;
} = {}): TestExchange {
  const reports: ExecutionReport[] = [];
  const interest: boolean[] = [];
  const changes = new Set<string>();
  const clock = { now: WEDNESDAY };
  const exchange = new Exchange({
    product,
    sessionHours,
    now: () => clock.now,
    events: {
      onReport: (_, report) => reports.push(report),
      onChange: (account, kind, id) => changes.add(`${account} ${kind} ${id}`),
      onInterest: (_, isWanted) => interest.push(isWanted),
    },
  });
  exchange.addAccount(A);
  exchange.addAccount(B);
  let lastId = 0;

  const submit: TestExchange["submit"] = (order = {}, account = A) => {
    lastId += 1;
    return exchange.submitOrder(account, {
      clOrdId: clOrdId(`C${lastId}`),
      contract: ES,
      side: "BUY",
      orderQty: 1,
      ordType: "MARKET",
      timeInForce: "GTC",
      ...order,
    });
  };
  const place: TestExchange["place"] = (order, account) => {
    const outcome = submit(order, account);
    assert(outcome.kind === "accepted", JSON.stringify(outcome));
    return outcome;
  };
  const quote: TestExchange["quote"] = (bid, ask, qty = 1_000) =>
    exchange.setQuote(ES, { bid: ticks(bid), ask: ticks(ask), bidQty: qty, askQty: qty });
  if (isQuoted) quote(999, 1_000);

  return {
    exchange,
    reports,
    interest,
    changes,
    clock,
    quote,
    submit,
    place,
    limit: (side, price, order) => place({ side, ordType: "LIMIT", price: ticks(price), ...order }),
    order(id, account = A) {
      const order = exchange.account(account)?.order(id as ExchangeOrder["orderId"]);
      assert(order !== undefined, `order ${id} is known`);
      return order;
    },
    netQty: (account = A) => exchange.account(account)?.positions.get(ES)?.netQty ?? 0,
  };
}
