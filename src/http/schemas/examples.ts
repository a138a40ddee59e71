import { NO_PRICES } from "./order.ts";
import { NO_WEBHOOK_OPTIONS } from "./webhook.ts";

/** One consistent story for the API document: a long position in one contract, with its bracket. */

const ACCOUNT = "paper-1";
const SYMBOL = "ESZ6";
const INTENT = "01J8ZK3V7M";
const TIME = "2026-09-21T14:30:00.000Z";

export const MARKET_ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

export const ORDER_BODIES = {
  market: MARKET_ORDER,
  limitWithBracket: {
    symbol: SYMBOL,
    action: "buy",
    qty: 2,
    type: "limit",
    limitPrice: 5000.25,
    timeInForce: "gtc",
    bracket: { takeProfit: { ticks: 40 }, stopLoss: { price: 4995 } },
  },
  sizedByRisk: {
    symbol: SYMBOL,
    action: "buy",
    size: { risk: 500 },
    bracket: { stopLoss: { ticks: 24 } },
  },
  plannedByName: { symbol: "ES1!", action: "buy", qty: 4, exitPlan: "runner" },
  planned: {
    symbol: "ES1!",
    action: "sell",
    qty: 2,
    exitPlan: {
      targets: [{ ticks: 20, share: 50 }, {}],
      stop: { ticks: 16 },
      breakeven: { after: { target: 1 } },
    },
  },
};

export const ORDER = {
  orderId: "4000001",
  accountId: ACCOUNT,
  symbol: SYMBOL,
  status: "filled",
  filledQty: 1,
  averagePrice: 5000.25,
  bracket: { takeProfitOrderId: "4000002", stopLossOrderId: "4000003" },
  intentId: INTENT,
};

export const CANCELLATION = {
  orderId: "4000002",
  accountId: ACCOUNT,
  status: "canceled",
  replacedLeg: { role: "stopLoss", orderId: "4000004" },
  intentId: INTENT,
};

export const ACCOUNTS = {
  accounts: [
    {
      id: ACCOUNT,
      name: "Practice",
      connectionId: "paper",
      broker: "paper",
      environment: "demo",
      currency: "USD",
      active: true,
      cannotCancel: null,
      connectionStatus: "CONNECTED",
    },
  ],
};

export const MODIFY_BODIES = {
  price: { limitPrice: 4998.5 },
  qtyAndPrice: { qty: 3, limitPrice: 4998.5 },
  stop: { stopPrice: 4996.75 },
};

export const MODIFICATION = {
  orderId: "4000008",
  accountId: ACCOUNT,
  symbol: SYMBOL,
  status: "partiallyFilled",
  qty: 3,
  filledQty: 1,
  remainingQty: 2,
  ...NO_PRICES,
  limitPrice: 4998.5,
  intentId: INTENT,
};

export const PROTECTION = {
  accountId: ACCOUNT,
  symbol: SYMBOL,
  qty: 1,
  takeProfitOrderId: "4000005",
  stopLossOrderId: "4000006",
  intentId: INTENT,
};

export const FLATTENED = {
  accountId: ACCOUNT,
  closed: [{ symbol: SYMBOL, qty: 1, side: "long", orderId: "4000007" }],
  canceledOrders: ["4000005", "4000006"],
  remaining: [],
  remainingOrders: [],
  problems: [],
  intentId: INTENT,
};

export const FLATTEN_GOES_ON = {
  ...FLATTENED,
  outcome: "unfinished",
  reason: "The broker refused the close: trading is halted",
  opensAt: null,
  closed: [],
  canceledOrders: [],
  remaining: [{ symbol: SYMBOL, qty: 1, side: "long" }],
  problems: ["The broker refused the close: trading is halted"],
};

export const INTENT_RECORD = {
  intentId: INTENT,
  accountId: ACCOUNT,
  kind: "place",
  source: "api",
  state: "done",
  code: null,
  reason: null,
  acceptedAt: TIME,
  sentAt: TIME,
  settledAt: TIME,
  test: false,
  aim: null,
  order: {
    symbol: SYMBOL,
    action: "buy",
    qty: 1,
    type: "market",
    ...NO_PRICES,
    timeInForce: "day",
    bracket: { takeProfit: { ticks: 40 }, stopLoss: { price: 4995 } },
  },
  orderId: null,
  result: ORDER,
};

export const LIMITS = {
  maxOrderQty: 10,
  maxPositionQty: 20,
  maxOrdersPerMinute: 60,
  entriesWithoutCancel: false,
};

export const KILL_SWITCH = {
  active: false,
  reason: null,
  changedAt: null,
  accounts: [{ accountId: ACCOUNT, active: true, reason: "done for today", changedAt: TIME }],
};

export const WEBHOOK = {
  id: "wh_5Q2m",
  accountId: ACCOUNT,
  groupId: null,
  name: "Breakout on ES",
  paused: false,
  ...NO_WEBHOOK_OPTIONS,
  multiplier: "0.5",
  symbolMap: { ES: "MES" },
  allowedSymbols: ["MES"],
  allowedSenders: ["tradingview"],
  createdAt: TIME,
  lastUsedAt: null,
};

export const USER = { id: "u_1", name: "Owner", createdAt: TIME };

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
      markedAt: TIME,
      markStale: false,
      unrealizedPnl: 162.5,
      unrealizedTicks: 13,
      realizedPnl: 0,
      realizedTicks: 0,
      currency: "USD",
      tickSize: 0.25,
      tickValue: 12.5,
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
      takenBack: false,
    },
  ],
  nextCursor: null,
  keptSince: null,
};
