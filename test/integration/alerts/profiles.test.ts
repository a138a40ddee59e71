// The goal: a message written for another service does on the account what that service would do.
// The method: post such messages, one after another, to the whole gateway, and follow the position.
import { beforeAll, describe, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(30);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-30" } });
  return gateway.stop;
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

/** A message, its answer's status, and where ES stands and how many orders rest after it. */
type Step = readonly [message: object | string, status: number, netQty: number, resting: number];

const place = (words: string) =>
  `key=licence;command=PLACE;account=sim101;instrument=ES1!;order_type=MARKET;tif=DAY;${words}`;

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  traderspost: [
    [
      {
        ticker: "ES1!",
        action: "buy",
        quantity: 2,
        price: 6850,
        takeProfit: { limitPrice: 6900 },
        stopLoss: { type: "stop", stopPrice: 6800 },
      },
      200,
      2,
      2,
    ],
    [{ ticker: "ES1!", action: "buy", quantity: 3 }, 409, 2, 2],
    [{ ticker: "ES1!", action: "add", quantity: 1 }, 200, 3, 2],
    // The other side goes, its exits with it, and no more than that.
    [{ ticker: "ES1!", action: "sell", quantity: 4 }, 200, 0, 0],
    [{ ticker: "ES1!", action: "sell", quantity: 3 }, 200, -3, 0],
    // Less than is held only reduces.
    [{ ticker: "ES1!", action: "buy", quantity: 1 }, 200, -2, 0],
    [{ ticker: "ES1!", action: "exit" }, 200, 0, 0],
    [{ ticker: "ES1!", action: "buy", stopLoss: { type: "stop", percent: 5 } }, 200, 1, 1],
    [{ ticker: "ES1!", action: "exit" }, 200, 0, 0],
    [{ ticker: "ES1!", action: "buy", stopLoss: { type: "stop", pnlAmount: 100 } }, 400, 0, 0],
    [{ ticker: "ES1!", action: "buy", quantity: 1, delay: 5 }, 400, 0, 0],
  ],
  crosstrade: [
    [place("action=BUY;qty=2;take_profit=6900;stop_loss=6800;"), 200, 2, 2],
    [place("action=BUY;qty=1;require_market_position=flat;"), 409, 2, 2],
    [place("action=SELL;qty=1;flatten_first=true;"), 200, -1, 0],
    [place("action=SELL;qty=1;"), 200, -2, 0],
    ["key=licence;command=FLATTENEVERYTHING;", 200, 0, 0],
    [place("action=SELL;qty=1;take_profit=-2%;stop_loss=+1%;"), 200, -1, 2],
    ["key=licence;command=FLATTEN;instrument=ES1!;", 200, 0, 0],
  ],
  pickmytrade: [
    [
      { symbol: "ES1!", data: "buy", quantity: 2, tp: 6900, sl: 6800, token: "t-0123456789" },
      200,
      2,
      2,
    ],
    [{ symbol: "ES1!", data: "sell", quantity: 1, reverse_order_close: true }, 200, -1, 0],
    [{ symbol: "ES1!", data: "buy", quantity: 1, dollar_sl: 100 }, 400, -1, 0],
    [{ symbol: "ES1!", data: "close", quantity: 0 }, 200, 0, 0],
    [{ symbol: "ES1!", data: "buy", quantity: 1, percentage_sl: 2, breakeven: 1 }, 200, 1, 1],
    [{ symbol: "ES1!", data: "flat" }, 200, 0, 0],
  ],
  position: [
    [
      {
        ticker: "ES1!",
        action: "buy",
        contracts: "9",
        market_position: "long",
        market_position_size: "2",
      },
      200,
      2,
      0,
    ],
    // The alert for the way back was lost: the next one makes up for it.
    [{ symbol: "ES1!", market_position: "short", market_position_size: "1" }, 200, -1, 0],
    [{ symbol: "ES1!", market_position: "short", market_position_size: "1", time: 2 }, 200, -1, 0],
    [{ symbol: "ES1!", market_position: "flat", market_position_size: "0" }, 200, 0, 0],
    [
      { symbol: "ES1!", market_position: "{{strategy.market_position}}", market_position_size: 1 },
      400,
      0,
      0,
    ],
  ],
  native: [
    [{ action: "buy", symbol: "ES1!", qty: 1 }, 200, 1, 0],
    [{ action: "buy", symbol: "ES1!", qty: 1, time: 2 }, 200, 2, 0],
    [{ ticker: "ES1!", action: "buy", quantity: 1 }, 400, 2, 0],
    ["action=sell;symbol=ES1!;qty=3", 200, -1, 0],
    ["ACTION=buy\nSymbol=ES1!\nQTY=1", 200, 0, 0],
  ],
};

test.each(Object.keys(STORIES))("%s", async (profile) => {
  const desk = await openDesk({ profile });
  const steps = STORIES[profile] ?? [];
  for (const [message, status, netQty, resting] of steps) {
    const reply = await desk.send(message);
    const shown = [(await desk.positions())[ES.code] ?? 0, (await desk.working()).length];
    expect([message, reply.status, ...shown]).toEqual([message, status, netQty, resting]);
  }
  const lines = await desk.log();
  expect(lines).toHaveLength(steps.length);
  const whole = await desk.find(lines[0].alertId);
  expect(whole.profile).toBe(profile);
});

describe("the comma form is read in every profile", () => {
  test.each(Object.keys(STORIES))("%s", async (profile) => {
    const { done, positions, working } = await openDesk({ profile });
    await done("60123456789,buy,ES1!,vol_lots=2,sl_price=6800");
    expect([await positions(), (await working()).length]).toEqual([{ [ES.code]: 2 }, 1]);
    await done("60123456789,closelong,ES1!");
    expect([await positions(), await working()]).toEqual([{}, []]);
  });
});

describe("a webhook's profile", () => {
  test("holds from the next alert on, also as null", async () => {
    const { send, done, change, positions } = await openDesk();
    const theirs = { ticker: "ES1!", action: "buy", quantity: 1 };
    expect((await send(theirs)).status).toBe(400);
    await change({ profile: "traderspost" });
    await done(theirs);
    expect(await positions()).toEqual({ [ES.code]: 1 });
    await change({ profile: null });
    expect((await send({ ...theirs, time: 2 })).status).toBe(400);
    await done({ action: "sell", symbol: "ES1!", qty: 1 });
    expect(await positions()).toEqual({});
  });

  test.each([
    ["off", {}],
    ["on", { [ES.code]: -5 }],
    ["subtract", { [ES.code]: -3 }],
  ])("a signal against the position with sideSwap %s", async (sideSwap, after) => {
    const { done, positions } = await openDesk({ profile: "traderspost", sideSwap });
    await done({ ticker: "ES1!", action: "buy", quantity: 2 });
    await done({ ticker: "ES1!", action: "sell", quantity: 5 });
    expect(await positions()).toEqual(after);
  });

  test("what is no profile is refused", async () => {
    const { webhookId } = await openDesk();
    const { status } = await gateway.api.patch(`/v1/webhooks/${webhookId}`, { profile: "other" });
    expect(status).toBe(400);
  });
});
