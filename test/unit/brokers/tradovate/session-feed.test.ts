import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { FeedTrust, SessionFeed } from "../../../../src/brokers/tradovate/session-feed.ts";

const POSITION = { id: 900, accountId: 5, contractId: 1, netPos: 0 };
const LISTED = { ...POSITION, netPos: 2 };

let store: EntityStore;
let trust: FeedTrust;
let told: string[];

beforeEach(() => {
  [store, trust, told] = [new EntityStore(), new FeedTrust(), []];
  store.load({ positions: [POSITION] });
});

function newFeed(listed: object = LISTED, orders: readonly object[] = []): SessionFeed {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return new SessionFeed({
    store,
    trust,
    list: async (path) => (path.startsWith("position") ? [listed] : orders),
    read: async () => undefined,
    onRead: async () => undefined,
    onTrouble: () => undefined,
    onFeedTrouble: (reason) => told.push(reason),
    end: () => undefined,
    budget: { isAmple: true },
    elapsed: () => 0,
    signal: stop.signal,
  });
}

describe("a snapshot that is not what the broker lists", () => {
  test("holds entries back, and is told by the next session", async () => {
    const order = { id: 7, accountId: 5, contractId: 1, action: "Buy", admin: false };
    const working = { ...order, ordStatus: "Working", timestamp: "2026-11-22T15:00:00Z" };
    store.load({ positions: [POSITION], orders: [working] });
    const feed = newFeed(POSITION, [{ ...working, ordStatus: "Filled" }]);
    await feed.begin(true);
    expect(feed.isBelieved).toBe(true);
    expect(feed.held).toMatch(/lists other positions/);
    expect(store.get("order", 7)?.ordStatus).toBe("Working");
  });

  test("is not believed any more where it was so time and again: what is listed counts", async () => {
    for (let n = 0; n < 2; n += 1) trust.noteApart();
    const feed = newFeed();
    await feed.begin(true);
    expect(feed.isBelieved).toBe(false);
    expect(feed.held).toMatch(/time and again/);
    expect(store.get("position", 900)?.netPos).toBe(2);
    await feed.watch();
    expect(told).toEqual([feed.held]);
  });

  test("and is believed again once it is", async () => {
    for (let n = 0; n < 2; n += 1) trust.noteApart();
    const feed = newFeed(POSITION);
    await feed.begin(true);
    expect(feed.isBelieved).toBe(true);
    expect(feed.held).toBeUndefined();
    trust.noteAgreement();
    expect(trust.isLost).toBe(false);
  });
});

describe("what no session could read", () => {
  const ORDER = { id: 901, accountId: 5, contractId: 1, ordStatus: "Working" };
  const ended = { ...ORDER, accountId: null, ordStatus: "Filled" };
  test.each<[string, object, readonly object[], RegExp]>([
    [
      "a position that names no contract",
      { ...LISTED, id: 902, contractId: null },
      [],
      /^nothing$/,
    ],
    ["a flat one of no account", { id: 902, netPos: 0 }, [], /^nothing$/],
    ["an order whose status is no word", POSITION, [{ ...ORDER, ordStatus: 7 }], /^nothing$/],
    ["an order that names no account", POSITION, [{ ...ORDER, accountId: null }], /an order that/],
    ["one that has ended", POSITION, [ended], /^nothing$/],
  ])("is no difference, and ends no session: %s", async (_, position, orders, held) => {
    const feed = newFeed(position, orders);
    await feed.begin(true);
    expect(feed.held ?? "nothing").toMatch(held);
    const isKnown = !("netPos" in position) || position.netPos === 0;
    expect(store.holdingsOf(5).unread).toHaveLength(isKnown ? 0 : 1);
  });

  test("is forgotten once it can be read", async () => {
    const feed = newFeed(POSITION, [{ ...ORDER, accountId: null }]);
    await feed.begin(true);
    store.merge("order", [ORDER]);
    expect(feed.held).toBeUndefined();
  });
});

test("a position of nobody holds entries back", async () => {
  store.load({ positions: [{ id: 901, contractId: 1, netPos: 3 }] });
  const feed = newFeed(POSITION);
  await feed.begin(true);
  expect(feed.held).toMatch(/not even the account/);
});
