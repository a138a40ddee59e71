import { beforeEach, describe, expect, test } from "vitest";
import { BarHistory } from "../../../../../src/brokers/projectx/prices/bar-history.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";

const NOW = Date.UTC(2026, 10, 27, 15, 0, 30);
const ID = "CON.F.US.EP.Z26";
const bar = (t: string, price: number) => ({ t, o: price, h: price, l: price, c: price, v: 7 });

let asked: Readonly<Record<string, unknown>>[];
let bars: unknown;
let history: BarHistory;

beforeEach(() => {
  [asked, bars] = [[], []];
  history = new BarHistory({
    now: () => NOW,
    requests: {
      readBars: async (path, body, purpose) => {
        asked.push({ path, purpose, ...body });
        return { success: true, errorCode: 0, body: { bars } };
      },
    },
  });
});

describe("bars by REST", () => {
  test("are asked for from before a weekend and a holiday until now", async () => {
    await history.ask(ID, { minutes: 5, elements: 12 });
    const [question] = asked;
    expect(question).toMatchObject({
      path: "History/retrieveBars",
      purpose: "read",
      contractId: ID,
      live: false,
      unit: 2,
      unitNumber: 5,
      limit: 12,
    });
    const hours = (NOW - Date.parse(String(question?.["startTime"]))) / 3_600_000;
    expect(hours).toBe(4 * 24 + 1);
    expect(Date.parse(String(question?.["endTime"]))).toBeGreaterThanOrEqual(NOW);
  });

  test("are told by the instant at which they begin, in whatever order", async () => {
    bars = [bar("2026-11-27T15:00:00+00:00", 6_336), bar("2026-11-27T14:59:00Z", 6_335)];
    expect(await history.ask(ID, { minutes: 1, elements: 2 })).toEqual([
      {
        at: Date.UTC(2026, 10, 27, 15),
        open: 6_336,
        high: 6_336,
        low: 6_336,
        close: 6_336,
        volume: 7,
      },
      {
        at: Date.UTC(2026, 10, 27, 14, 59),
        open: 6_335,
        high: 6_335,
        low: 6_335,
        close: 6_335,
        volume: 7,
      },
    ]);
  });

  test.each([[null], [undefined]])("of a contract without any there are none: %s", async (none) => {
    bars = none;
    expect(await history.ask(ID, { minutes: 1, elements: 2 })).toEqual([]);
  });

  test.each([
    ["no time", { ...bar("", 1) }],
    ["no time at all", { ...bar("2026-11-27T14:59:00Z", 1), t: 7 }],
    ["a price that is text", { ...bar("2026-11-27T14:59:00Z", 1), c: "6335" }],
    ["no volume", { ...bar("2026-11-27T14:59:00Z", 1), v: undefined }],
    ["nothing in it", null],
  ])("one with %s breaks the whole: none may be missing among the others", async (_, broken) => {
    bars = [bar("2026-11-27T15:00:00Z", 6_336), broken];
    const reading = history.ask(ID, { minutes: 1, elements: 2 });
    await expect(reading).rejects.toBeInstanceOf(BrokerReadError);
  });

  test("more than the service gives at once are never asked for", async () => {
    await history.ask(ID, { minutes: 30, elements: 30_000 });
    expect(asked).toMatchObject([{ limit: 20_000 }]);
  });
});
