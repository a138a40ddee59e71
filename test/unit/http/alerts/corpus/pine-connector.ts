import type { AlertExample } from "./alert-example.ts";

const SYNTAX = "docs.pineconnector.com/syntax";
const PUBLIC = "public senders of PineConnector's form";
const RISK = { path: "risk", contains: "vol_lots" };

/** Licences are neutral ones. What a symbol is, is asked only after the body was read. */
export const PINE_CONNECTOR_EXAMPLES: readonly AlertExample[] = [
  {
    name: "a size whose unit is set elsewhere",
    source: SYNTAX,
    body: "60123456789,buy,AUDUSD,risk=0.1",
    refused: [{ path: "vol_lots", contains: "is needed" }, RISK],
  },
  {
    name: "a blank before the secret",
    source: SYNTAX,
    body: "60123456789,sell,EURUSD,vol_lots=1, secret=HappyTrader501",
    reads: {
      kind: "order",
      ticket: { symbol: "EURUSD", side: "SELL", orderQty: 1, ordType: "MARKET" },
    },
  },
  {
    name: "blanks around the command",
    source: SYNTAX,
    body: "60123456789, closelong , GBPUSD",
    reads: {
      kind: "adjust",
      symbol: "GBPUSD",
      aim: { to: "close", percent: 100, holding: "LONG" },
      terms: { ordType: "MARKET" },
    },
  },
  {
    name: "levels in units that are set elsewhere",
    source: PUBLIC,
    body: "60123456789,buy,NAS100,risk=1,sl=20,tp=32",
    refused: [
      { path: "vol_lots", contains: "is needed" },
      RISK,
      { path: "sl", contains: "sl_price" },
      { path: "tp", contains: "tp_price" },
    ],
  },
  {
    name: "half of the longs",
    source: PUBLIC,
    body: "60123456789,closelongpct,NAS100,partial_close_pct=50",
    reads: {
      kind: "adjust",
      symbol: "NAS100",
      aim: { to: "close", percent: 50, holding: "LONG" },
      terms: { ordType: "MARKET" },
    },
  },
  {
    name: "new levels in pips",
    source: PUBLIC,
    body: "60123456789,newsltplong,NAS100,sl_pips=25,tp_pips=50",
    refused: [
      { path: "sl_price", contains: "or tp_price is needed" },
      { path: "sl_pips", contains: "sl_price" },
      { path: "tp_pips", contains: "tp_price" },
    ],
  },
  {
    name: "breakeven, and a symbol with a dot",
    source: PUBLIC,
    body: "60123456789,buy,US100.cash,vol_lots=2,sl_pips=150,tp_pips=300,betrigger=150,beoffset=0",
    refused: [
      { path: "sl_pips", contains: "sl_price" },
      { path: "tp_pips", contains: "tp_price" },
      { path: "betrigger", contains: "in pips" },
    ],
  },
  {
    name: "a short name of a turn, in capitals",
    source: PUBLIC,
    body: "60123456789,CS+OS,EURUSD,vol_lots=1",
    reads: {
      kind: "adjust",
      symbol: "EURUSD",
      aim: { to: "enter", side: "SELL", qty: 1, whenHeld: "replace", whenOpposite: "close" },
      terms: { ordType: "MARKET" },
    },
  },
  {
    name: "pausing",
    source: "pineconnector.com/pages/syntax",
    body: "60123456789,eaoff,eaoff",
    refused: [{ path: "command", contains: "PUT /v1/kill-switch" }],
  },
  {
    name: "lots that are no whole contracts, beside a comment with signs in it",
    source: PUBLIC,
    body: "60123456789,buy,XAUUSD,vol_lots=1.04,sl_price=4655.12,tp_price=4660.00,comment=UHV@4659.09_16:25:37_#42",
    refused: [{ path: "vol_lots", contains: "whole number" }],
  },
  {
    name: "the same with a whole lot",
    source: PUBLIC,
    body: "60123456789,buy,XAUUSD,vol_lots=1,sl_price=4655.12,tp_price=4660.00,comment=UHV@4659.09_16:25:37_#42",
    reads: {
      kind: "order",
      ticket: {
        symbol: "XAUUSD",
        side: "BUY",
        orderQty: 1,
        ordType: "MARKET",
        bracket: { takeProfit: { price: "4660.00" }, stopLoss: { price: "4655.12" } },
      },
    },
  },
  {
    name: "cancelling one side and resting anew",
    source: PUBLIC,
    body: "60123456789,cancellongbuystop,GBPUSDb,price=1.2710,risk=1",
    refused: [{ path: "command", contains: "one side only" }, RISK],
  },
  {
    name: "two sizes",
    source: PUBLIC,
    body: "60123456789,buy,EURUSD,vol_lots=1,risk=1",
    refused: [RISK],
  },
  {
    name: "a size by what may be lost, and levels in percent",
    source: SYNTAX,
    body: "60123456789,buy,MNQ1!,vol_pct_eq_loss=1,sl_pct=0.5,tp_pct=1",
    reads: {
      kind: "order",
      ticket: {
        symbol: "MNQ1!",
        side: "BUY",
        orderQty: 1,
        ordType: "MARKET",
        exitPlan: { targets: [{ percent: "1" }], stop: { percent: "0.5" } },
        size: { riskPercent: "1" },
      },
    },
  },
  {
    name: "another service's order of fields",
    source: "docs.tradesgnl.com/signals",
    body: "60123456789,MNQ1!,buy,risk=1,sl=50,tp1=50,tp2=100",
    refused: [
      { path: "command", contains: "then the symbol" },
      RISK,
      { path: "sl", contains: "sl_price" },
      { path: "tp1", contains: "one take-profit" },
      { path: "tp2", contains: "one take-profit" },
    ],
  },
];
