// The goal: two messages of one bar that arrive swapped end where the strategy ended, or in an alarm.
// The method: every pair of moves between a few positions, sent the wrong way round to paper accounts.
import { beforeAll, describe, expect, test } from "vitest";
import { ALARMS } from "../../../src/trading/alarms/declared-alarms.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { waitUntil } from "../../support/wait.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(130);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-130" } });
  return gateway.stop;
});

const sideOf = (qty: number) => (qty === 0 ? "flat" : qty > 0 ? "long" : "short");

/** A strategy's message in the words of 3Commas. */
const message = (from: number, to: number) => ({
  tv_instrument: "ES1!",
  tv_exchange: "CME_MINI",
  action: to > from ? "buy" : "sell",
  strategy_info: {
    market_position: sideOf(to),
    market_position_size: String(Math.abs(to)),
    prev_market_position: sideOf(from),
    prev_market_position_size: String(Math.abs(from)),
  },
  order: { amount: String(Math.abs(to - from)) },
});

async function openDesk(held: number, options: object = {}) {
  const desk = await openPaperDesk(gateway, nextAccount(), {
    profile: "position",
    duplicateWindowSeconds: 0,
    ...options,
  });
  if (held !== 0) await desk.order({ action: held > 0 ? "buy" : "sell", qty: Math.abs(held) });
  const netQty = async () => (await desk.positions())[ES.code] ?? 0;
  const alarms = () =>
    gateway.log.filter(
      (line) =>
        line.includes(ALARMS.strategyContradicted.message) && line.includes(`"${desk.account}"`),
    ).length;
  return { ...desk, netQty, alarms };
}

const PLACES = [-1, 0, 1, 2];
const PAIRS = PLACES.flatMap((a) =>
  PLACES.flatMap((b) => PLACES.map((c) => [a, b, c] as const)),
).filter(([a, b, c]) => a !== b && b !== c);

describe("the moves of one bar, swapped", () => {
  test.each(PAIRS)("from %i over %i to %i", async (a, b, c) => {
    const { send, netQty, alarms } = await openDesk(a);
    for (const [from, to] of [
      [b, c],
      [a, b],
    ] as const) {
      const { status } = await send(message(from, to));
      expect([200, 409]).toContain(status);
    }
    const held = await netQty();
    if (held !== c) await waitUntil("the alarm is there", async () => alarms() > 0);
    // Nothing is ever on a side on which the strategy was not, or larger than it was.
    const reached = [a, b, c];
    expect(held).toBeGreaterThanOrEqual(Math.min(0, ...reached));
    expect(held).toBeLessThanOrEqual(Math.max(0, ...reached));
  });
});

describe("the moves of one bar, swapped within milliseconds", () => {
  test.each(PAIRS)("from %i over %i to %i", async (a, b, c) => {
    const { send, netQty, alarms } = await openDesk(a);
    const replies = await Promise.all([send(message(b, c)), send(message(a, b))]);
    for (const { status } of replies) expect([200, 409]).toContain(status);
    if ((await netQty()) !== c) await waitUntil("the alarm is there", async () => alarms() > 0);
  });
});

test("the same moves in their order are followed, and raise no alarm", async () => {
  const { done, netQty, alarms } = await openDesk(0);
  const path = [0, 1, 2, 1, 0, -1, 1, -1, 0, 1, 0];
  for (const [n, to] of path.slice(1).entries()) {
    await done(message(path[n] ?? 0, to));
    expect(await netQty()).toBe(to);
  }
  expect(alarms()).toBe(0);
});

test("an entry that was stopped out in its bar is not opened when it comes after its exit", async () => {
  const { send, netQty } = await openDesk(0);
  expect((await send(message(1, 0))).status).toBe(200);
  const { status, body } = await send(message(0, 1));
  expect([status, await netQty()]).toEqual([200, 0]);
  expect(body.problems).toEqual([expect.stringContaining("later message of the strategy")]);
});

test("a re-entry at a full minute is opened, after an exit that found the account stopped out", async () => {
  const { done, netQty } = await openDesk(0, { entryMaxAgeSeconds: 600 });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  await done({ ...message(1, 0), firedAt: new Date(minute - 20_000) });
  await done({ ...message(0, 1), firedAt: new Date(minute) });
  expect(await netQty()).toBe(1);
});

test("a sell never buys back", async () => {
  const { send, netQty, find } = await openDesk(2);
  await send(message(1, 0));
  const { body } = await send({
    ...message(2, 1),
    strategy_info: undefined,
    market_position: "long",
    market_position_size: 1,
  });
  expect(body.error.code).toBe("POSITION_MISMATCH");
  expect((await find(body.error.alertId)).outcome).toBe("denied");
  expect(await netQty()).toBe(0);
});
