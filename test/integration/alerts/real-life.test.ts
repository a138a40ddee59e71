// The goal: bodies as users' platforms send them lead to the one right order at the broker.
// The method: raw bytes with their content types through HTTP, then a look into the account at the broker.
import { beforeAll, expect, test } from "vitest";
import type { AlertProfile } from "../../../src/domain/declared/webhook-options.ts";
import type { OrderReport } from "../../../src/domain/order.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { untilTaken } from "../../support/wait.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-20" } });
  return gateway.stop;
});

interface Sent {
  readonly from: string;
  readonly profile?: AlertProfile;
  readonly type: string;
  readonly body: string;
  /** ES that the account holds before. */
  readonly held?: number;
  readonly status: number;
  /** ES held afterwards, and the orders that work then. */
  readonly netQty: number;
  readonly working?: readonly string[];
}

const JSON_TYPE = "application/json; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

const SENT: readonly Sent[] = [
  {
    from: "a chart, its JSON sent as text for a newline at its end",
    type: TEXT,
    body: '{"action":"sell","symbol":"ES1!","qty":"2","takeProfit":{"ticks":40},"stopLoss":{"ticks":20}}\n',
    status: 200,
    netQty: -2,
    working: ["BUY 2 STOP_LOSS +20", "BUY 2 TAKE_PROFIT -40"],
  },
  {
    from: "an editor on Windows, with a byte order mark",
    type: JSON_TYPE,
    body: '\ufeff{\r\n  “action”: "buy",\r\n  "symbol": "CME_MINI:ES1!",\r\n  "qty": 1\r\n}\r\n',
    status: 200,
    netQty: 1,
  },
  {
    from: "a web form",
    type: "application/x-www-form-urlencoded",
    body: "action=buy&symbol=CME_MINI%3AES1%21&qty=3",
    held: -1,
    status: 200,
    netQty: 2,
  },
  {
    from: "pairs by lines",
    type: "application/octet-stream",
    body: "action=reduce\r\nsymbol=ES1!\r\nqty=1\r\n",
    held: 3,
    status: 200,
    netQty: 2,
  },
  {
    from: "a close with an unfilled comment and a bare NaN",
    type: TEXT,
    body: '{"action":"close","comment":"{{strategy.order.comment}}","price":NaN,"stopLoss":null}',
    held: 2,
    status: 200,
    netQty: 0,
  },
  {
    from: "a share's alert",
    type: JSON_TYPE,
    body: '{"action":"buy","symbol":"ES","exchange":"NYSE","qty":100}',
    held: 1,
    status: 400,
    netQty: 1,
  },
  {
    from: "TradersPost: a strategy leaves its short",
    profile: "traderspost",
    type: JSON_TYPE,
    body: '{"ticker":"ES1!","action":"buy","sentiment":"flat","quantity":"2","price":"6500.25","interval":"5"}',
    held: -2,
    status: 200,
    netQty: 0,
  },
  {
    from: "CrossTrade: an entry with exits in ticks",
    profile: "crosstrade",
    type: TEXT,
    body: "key=abc;\r\ncommand=PLACE;\r\naccount=Sim101;\r\ninstrument=ES1!;\r\naction=BUY;\r\nqty=1;\r\norder_type=MARKET;\r\ntif=DAY;\r\ntake_profit=40 ticks;\r\nstop_loss=-20 ticks;\r\n",
    status: 200,
    netQty: 1,
    working: ["SELL 1 STOP_LOSS -20", "SELL 1 TAKE_PROFIT +40"],
  },
  {
    from: "PickMyTrade: a close with the generator's blanks",
    profile: "pickmytrade",
    type: JSON_TYPE,
    body: '{"symbol":"ES1!","data":"close","quantity":0,"price":"{{close}}","tp":"","sl":0,"dollar_sl":0,"token":"t"}',
    held: 2,
    status: 200,
    netQty: 0,
  },
  {
    from: "the comma form",
    type: TEXT,
    body: "60123456789,buy,ES1!,vol_lots=2\n",
    status: 200,
    netQty: 2,
  },
  {
    from: "3Commas: a strategy turns from long to short",
    profile: "position",
    type: JSON_TYPE,
    body: '{"secret":"s","max_lag":"300","trigger_price":"6500.25","tv_exchange":"CME_MINI","tv_instrument":"ES1!","action":"sell","bot_uuid":"u-1","strategy_info":{"market_position":"short","market_position_size":"1","prev_market_position":"long","prev_market_position_size":"2"},"order":{"amount":"3","currency_type":"base"}}',
    held: 2,
    status: 200,
    netQty: -1,
  },
];

/** An exit by its distance from the price that the account was filled at. */
const exitText = ({ side, leavesQty, role, price, stopPx }: OrderReport, filledAt: number) => {
  const away = (stopPx ?? price ?? 0) - filledAt;
  return `${side} ${leavesQty} ${role} ${away > 0 ? "+" : ""}${away}`;
};

test.each(SENT)("$from", async ({ profile, type, body, held = 0, ...right }) => {
  const desk = await openPaperDesk(gateway, nextAccount(), profile && { profile });
  if (held !== 0) await desk.order({ action: held > 0 ? "buy" : "sell", qty: Math.abs(held) });
  const send = async () => {
    const headers = { "content-type": type };
    const response = await fetch(desk.url, { method: "POST", headers, body });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text), headers: response.headers };
  };
  const { status, text } = await untilTaken(send);
  expect([status, text]).toEqual([right.status, expect.anything()]);
  expect((await desk.positions())[ES.code] ?? 0).toBe(right.netQty);
  // A buy fills at the ask, which is one tick above the bid.
  const filledAt = right.netQty > 0 ? 27_401 : 27_400;
  const working = (await desk.working()).map((order) => exitText(order, filledAt));
  expect(working.toSorted()).toEqual(right.working ?? []);
});
