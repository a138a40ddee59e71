import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { TestClient, type TestSocket } from "./test-client.ts";

interface QuoteMessage {
  readonly quotes?: readonly { readonly entries: Readonly<Record<string, unknown>> }[];
}

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

test("the snapshot of the cash counts what is open at the last price", async () => {
  const snapshot = () =>
    client.post("cashBalance/getcashbalancesnapshot", { accountId: client.accountId });
  await client.place({ orderQty: 2 });
  await client.place({ action: "Sell" });
  await client.quote(6_860);
  // Two bought at 6,850.25, one of them sold at 6,850; a point of ES is 50 dollars.
  const [realizedPnL, openPnL] = [-12.5, 487.5];
  const totalCashValue = 50_000 + realizedPnL;
  expect(await snapshot()).toMatchObject({
    totalCashValue,
    realizedPnL,
    openPnL,
    totalPnL: realizedPnL + openPnL,
    netLiq: totalCashValue + openPnL,
  });
});

describe("a market data socket", () => {
  let socket: TestSocket;
  beforeEach(async () => {
    socket = await client.connect(client.mdUrl);
    socket.send(`authorize\n0\n\n${client.mdToken}`);
    await socket.answerOf(0);
  });

  const feed = () => socket.messages.filter(({ e }) => e === "md").map(({ d }) => d as object);
  const seen = (what: object) =>
    waitUntil("it is seen", () => feed().some((each) => covers(each, what)));
  /** Each once, however often it was repeated. */
  const trades = () => {
    const quotes = feed().flatMap((message) => (message as QuoteMessage).quotes ?? []);
    const told = quotes.map(({ entries }) => JSON.stringify(entries["Trade"]));
    return [...new Set(told)].map((trade) => JSON.parse(trade) as object);
  };
  const contractId = async () => (await client.get("contract/find?name=ESZ6"))["id"];

  test("tells the quote, then each new one", async () => {
    const { d } = await socket.ask("md/subscribeQuote", { symbol: "ESZ6" });
    const id = await contractId();
    expect(d).toEqual({ subscriptionId: id });
    await seen({ Bid: { price: 6_850, size: 1_000 }, Offer: { price: 6_850.25, size: 1_000 } });
    await client.quote(6_860, 6_860.5, 7);
    await seen({ Bid: { price: 6_860, size: 7 }, Offer: { price: 6_860.5, size: 7 } });
    expect(feed()[0]).toMatchObject({ quotes: [{ contractId: id, id }] });
  });

  test("repeats the quote, for clients that were not ready for the first one", async () => {
    await socket.ask("md/subscribequote", { symbol: "ESZ6" });
    await waitUntil("it came again", () => feed().length > 1);
    expect(feed()[1]).toMatchObject({ quotes: [{ entries: { Bid: { price: 6_850 } } }] });
  });

  test("tells the last trade, or the quote's side where the street must have traded since", async () => {
    await socket.ask("md/subscribequote", { symbol: await contractId() });
    await client.place({ orderQty: 2 });
    await client.place();
    await client.quote(6_860);
    await client.quote(6_840);
    await seen({ Trade: { price: 6_840.25, size: 0 }, TotalTradeVolume: { size: 3 } });
    expect(trades()).toEqual([
      { price: 6_850, size: 0 },
      { price: 6_850.25, size: 2 },
      { price: 6_850.25, size: 1 },
      { price: 6_860, size: 0 },
      { price: 6_840.25, size: 0 },
    ]);
  });

  test("tells the top of the book", async () => {
    await socket.ask("md/subscribeDOM", { symbol: "ESZ6" });
    const id = await contractId();
    await waitUntil("the book is there", () => feed().length > 0);
    expect(feed()[0]).toMatchObject({
      doms: [
        {
          contractId: id,
          bids: [{ price: 6_850, size: 1_000 }],
          offers: [{ price: 6_850.25, size: 1_000 }],
        },
      ],
    });
  });

  test("is silent about what was unsubscribed", async () => {
    await socket.ask("md/subscribequote", { symbol: "ESZ6" });
    await socket.ask("md/subscribedom", { symbol: "ESZ6" });
    expect((await socket.ask("md/unsubscribequote", { symbol: "ESZ6" })).s).toBe(200);
    const before = feed().length;
    await client.quote(6_900);
    await waitUntil("the book has moved", () => feed().length > before);
    expect(
      feed()
        .slice(before)
        .every((each) => "doms" in each),
    ).toBe(true);
  });

  test("says of a symbol that there is none", async () => {
    const { d } = await socket.ask("md/subscribequote", { symbol: "XXZ6" });
    expect(d).toMatchObject({ errorCode: "UnknownSymbol" });
    expect((await socket.ask("md/subscribequote", {})).s).toBe(400);
  });

  test("takes all that was sent before it was authorised, in its order", async () => {
    const early = await client.connect(client.mdUrl);
    early.send(`authorize\n1\n\n${client.mdToken}`);
    early.send('md/subscribeQuote\n2\n\n{"symbol":"ESZ6"}');
    expect((await early.answerOf(2)).s).toBe(200);
  });

  test("is the only one with quotes", async () => {
    const trading = await client.sync();
    expect((await trading.ask("md/subscribequote", { symbol: "ESZ6" })).s).toBe(404);
    expect((await client.request("POST", "md/subscribequote", { symbol: "ESZ6" })).status).toBe(
      404,
    );
  });
});

/** Whether the quote in a message has at least these entries. */
function covers(message: object, entries: object): boolean {
  const { quotes = [] } = message as QuoteMessage;
  return quotes.some((quote) =>
    Object.entries(entries).every(
      ([name, value]) => JSON.stringify(quote.entries[name]) === JSON.stringify(value),
    ),
  );
}
