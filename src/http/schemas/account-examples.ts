import { NO_PRICES } from "./order-prices.ts";

/** What is shown of the account in the API document's story; `examples.ts` has the rest of it. */

const SYMBOL = "ESZ6";
const TIME = "2026-09-21T14:30:00.000Z";

export const WORKING_ORDERS = {
  orders: [
    {
      orderId: "4000003",
      symbol: SYMBOL,
      action: "sell",
      type: "stop",
      qty: 1,
      filledQty: 0,
      remainingQty: 1,
      ...NO_PRICES,
      stopPrice: 4995,
      timeInForce: "gtc",
      status: "working",
      role: "stopLoss",
      parentOrderId: "4000001",
      linkedOrderId: "4000002",
      bracket: null,
      source: "gateway",
      intentId: "01J8ZK3V7M",
      updatedAt: TIME,
      problem: null,
    },
  ],
};

export const POSITIONS = {
  positions: [
    {
      symbol: SYMBOL,
      side: "long",
      qty: 1,
      averagePrice: 5000.25,
      markPrice: 5003.5,
      unrealizedPnl: 162.5,
      unrealizedTicks: 13,
      realizedPnl: 0,
      realizedTicks: 0,
      currency: "USD",
      tickSize: 0.25,
      protection: { state: "protected", missing: [], openedBy: null, reason: null },
      stopLosses: [{ qty: 1, price: 4995, trailOffset: null }],
      takeProfits: [{ qty: 1, price: 5010.25, trailOffset: null }],
    },
  ],
  asOf: TIME,
  live: true,
};

export const TRADES = {
  trades: [
    {
      id: "9000001",
      orderId: "4000001",
      symbol: SYMBOL,
      side: "buy",
      qty: 1,
      price: 5000.25,
      realizedPnl: null,
      currency: "USD",
      fee: 2.25,
      feeCurrency: "USD",
      time: TIME,
    },
  ],
  nextCursor: null,
  keptSince: null,
};
