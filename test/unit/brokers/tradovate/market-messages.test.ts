import { describe, expect, test } from "vitest";
import { parseFrame } from "../../../../src/brokers/tradovate/frames.ts";
import { parseCharts, parseQuotes } from "../../../../src/brokers/tradovate/market-messages.ts";

/** The data of the only event of a frame, as the documents and issues show them. */
function dataOf(frame: string): unknown {
  const parsed = parseFrame(frame);
  const [message] = parsed?.kind === "messages" ? parsed.messages : [];
  return message?.kind === "market" ? message.event.data : undefined;
}

describe("quotes", () => {
  test("are read as the documents have them", () => {
    const data = dataOf(
      'a[{"e":"md","d":{"quotes":[{"timestamp":"2017-04-13T04:59:06.588Z","contractId":123456,' +
        '"entries":{"Bid":{"price":18405,"size":7},"TotalTradeVolume":{"size":4118},' +
        '"Offer":{"price":18410,"size":12},"LowPrice":{"price":18355},' +
        '"Trade":{"price":18405,"size":2},"OpenInterest":{"size":40702}}}]}}]',
    );
    expect(parseQuotes(data)).toEqual([
      {
        contractId: 123_456,
        at: Date.UTC(2017, 3, 13, 4, 59, 6, 588),
        bid: { price: 18_405, size: 7 },
        offer: { price: 18_410, size: 12 },
        trade: { price: 18_405, size: 2 },
        isBookEmpty: false,
      },
    ]);
  });

  test("of which the contract cannot be read say nothing", () => {
    expect(parseQuotes({ quotes: [{ entries: {} }, { contractId: 1 }, "?"] })).toEqual([]);
    expect(parseQuotes({ quotes: 1 })).toEqual([]);
    expect(parseQuotes(undefined)).toEqual([]);
    const odd = { Bid: { price: "18405" }, EmptyBook: {} };
    expect(parseQuotes({ quotes: [{ contractId: 1, timestamp: "?", entries: odd }] })).toEqual([
      { contractId: 1, bid: {}, isBookEmpty: true },
    ]);
  });
});

describe("charts", () => {
  const BAR = {
    timestamp: "2017-04-13T11:00:00.000Z",
    open: 2334.25,
    high: 2334.5,
    low: 2333,
    close: 2333.75,
    upVolume: 4712,
    downVolume: 201,
    upTicks: 1333,
    downTicks: 82,
    bidVolume: 2857,
    offerVolume: 2056,
  };

  test("are read as the documents have them", () => {
    const chart = JSON.stringify({ id: 9, td: 20_170_413, bars: [BAR] });
    expect(parseCharts(dataOf(`a[{"e":"chart","d":{"charts":[${chart}]}}]`))).toEqual([
      {
        id: 9,
        isEnd: false,
        bars: [
          {
            at: Date.UTC(2017, 3, 13, 11),
            open: 2334.25,
            high: 2334.5,
            low: 2333,
            close: 2333.75,
            volume: 4_913,
          },
        ],
      },
    ]);
  });

  test("end with a packet that has no bars", () => {
    // As in tradovate/api#21.
    const data = dataOf('a[{"e":"chart","d":{"charts":[{"id":54101,"eoh":true}]}}]');
    expect(parseCharts(data)).toEqual([{ id: 54_101, bars: [], isEnd: true }]);
  });

  test.each([{ high: "2334.5" }, { timestamp: "soon" }, { close: null }])(
    "with a bar of which %j cannot be read, none is",
    (odd) => {
      const charts = [{ id: 9, bars: [BAR, { ...BAR, ...odd }] }];
      expect(parseCharts({ charts })).toEqual([{ id: 9, bars: undefined, isEnd: false }]);
    },
  );
});
