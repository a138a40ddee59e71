import { beforeEach, expect, test } from "vitest";
import { Charts } from "../../../../src/brokers/tradovate/charts.ts";

const SHAPE = { minutes: 1, elements: 3 };
const HISTORY = 100;

let charts: Charts;

beforeEach(() => {
  charts = new Charts({
    link: { request: async () => ({ historicalId: HISTORY, realtimeId: HISTORY + 1 }) },
    withinMs: 200,
  });
});

const bar = (minute: number) => ({
  timestamp: new Date(minute * 60_000).toISOString(),
  open: 10,
  high: 12,
  low: 9,
  close: 10,
});
const tell = (id: number, ...minutes: readonly number[]) =>
  charts.take({ charts: [{ id, bars: minutes.map((minute) => bar(minute)) }] });
const end = () => charts.take({ charts: [{ id: HISTORY, eoh: true }] });
const minutesOf = (elements: readonly { readonly at: number }[]) =>
  elements.map(({ at }) => at / 60_000);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a history is not lost among charts that go on being told", async () => {
  const asked = charts.ask("ESZ6", SHAPE);
  await turn();
  for (let id = 200; id < 260; id += 1) tell(id, 1);
  tell(HISTORY, 1, 2, 3);
  end();
  expect(minutesOf(await asked)).toEqual([1, 2, 3]);
});

test("bars that are told twice make no history whole", async () => {
  const asked = charts.ask("ESZ6", SHAPE);
  await turn();
  tell(HISTORY, 1, 2);
  tell(HISTORY, 2);
  await turn();
  tell(HISTORY, 3);
  end();
  expect(new Set(minutesOf(await asked))).toEqual(new Set([1, 2, 3]));
});

test("more bars than were asked for are all told", async () => {
  const asked = charts.ask("ESZ6", SHAPE);
  await turn();
  tell(HISTORY, 1, 2, 3);
  await turn();
  tell(HISTORY, 4, 5);
  end();
  expect(minutesOf(await asked)).toEqual([1, 2, 3, 4, 5]);
});
