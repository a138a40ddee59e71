// The goal: what fired too long ago opens nothing, in every dialect that says when; a way out still goes.
// The method: alerts that fired days ago, to paper accounts; then a look into the accounts at the broker.
import { beforeAll, describe, expect, test } from "vitest";
import { ALERT_PROFILES, type AlertProfile } from "../../../src/domain/declared/webhook-options.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(40);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-40" } });
  return gateway.stop;
});

/** An account that holds so many ES. */
async function openDesk(options: object, held: number) {
  const desk = await openPaperDesk(gateway, nextAccount(), options);
  if (held > 0) await desk.order({ qty: held });
  const netQty = async () => (await desk.positions())[ES.code] ?? 0;
  return { ...desk, netQty };
}

const agoSeconds = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const THREE_DAYS = 3 * 86_400;

interface Dialect {
  readonly buy: object;
  readonly sell: object;
  /** The field in which it says when it fired. */
  readonly time: string;
}

const IN_WORDS: Readonly<Record<AlertProfile, Dialect>> = {
  native: {
    buy: { action: "buy", symbol: "ES1!", qty: 1 },
    sell: { action: "sell", symbol: "ES1!", qty: 1 },
    time: "firedAt",
  },
  traderspost: {
    buy: { ticker: "ES1!", action: "buy", quantity: 1 },
    sell: { ticker: "ES1!", action: "sell", sentiment: "flat" },
    time: "time",
  },
  crosstrade: {
    buy: { command: "PLACE", instrument: "ES1!", action: "BUY", qty: 1, order_type: "MARKET" },
    sell: { command: "PLACE", instrument: "ES1!", action: "SELL", qty: 1, order_type: "MARKET" },
    time: "timenow",
  },
  pickmytrade: {
    buy: { symbol: "ES1!", data: "buy", quantity: 1 },
    sell: { symbol: "ES1!", data: "sell", quantity: 1 },
    time: "date",
  },
  position: {
    buy: { symbol: "ES1!", market_position: "long", market_position_size: 1 },
    sell: { symbol: "ES1!", market_position: "flat" },
    time: "timestamp",
  },
};

describe.each(ALERT_PROFILES)("in the words of %s, three days old", (profile) => {
  const { buy, sell, time } = IN_WORDS[profile];

  test.each([{}, { entryMaxAgeSeconds: 10 }])("an entry is refused by %j", async (options) => {
    const { send, netQty, log } = await openDesk({ profile, ...options }, 0);
    const { status, body } = await send({ ...buy, [time]: agoSeconds(THREE_DAYS) });
    expect([status, body.error.code, body.error.retry]).toEqual([422, "ALERT_TOO_OLD", "never"]);
    expect(body.error.message).toMatch(/3 days .* exits pass/);
    expect([await netQty(), (await log())[0].code]).toEqual([0, "ALERT_TOO_OLD"]);
  });

  test("a way out is carried out", async () => {
    const { done, netQty } = await openDesk({ profile, entryMaxAgeSeconds: 10 }, 1);
    await done({ ...sell, [time]: agoSeconds(THREE_DAYS), maxAgeSeconds: 30 });
    expect(await netQty()).toBe(0);
  });

  test("one that was as long on its way as is usual is filled", async () => {
    const { done, netQty } = await openDesk({ profile }, 0);
    await done({ ...buy, [time]: agoSeconds(45) });
    expect(await netQty()).toBe(1);
  });
});

test("a clock that is ahead of ours refuses nothing", async () => {
  const { done, netQty } = await openDesk({ entryMaxAgeSeconds: 5 }, 0);
  await done({ ...IN_WORDS.native.buy, firedAt: agoSeconds(-THREE_DAYS) });
  expect(await netQty()).toBe(1);
});

test("of a target through zero the close is carried out, and no entry after it", async () => {
  const { done, netQty } = await openDesk({}, 1);
  const { problems } = await done({ position: -1, symbol: "ES1!", firedAt: agoSeconds(600) });
  expect(problems).toEqual([expect.stringMatching(/not placed.*fired 10 minutes before it came/)]);
  expect(await netQty()).toBe(0);
});

test("a repeat that is too old by now gets the answer of the first one", async () => {
  const { send, netQty, outcomes } = await openDesk({}, 0);
  const alert = { ...IN_WORDS.native.buy, alertId: "Long" };
  const first = await send({ ...alert, firedAt: agoSeconds(0) });
  const again = await send({ ...alert, firedAt: agoSeconds(THREE_DAYS) });
  expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }]);
  expect([await netQty(), await outcomes()]).toEqual([1, ["done", "duplicate"]]);
});
