import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { MarketLink } from "../../../../src/brokers/tradovate/market-link.ts";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import { SOCKET_TIMING } from "../../../../src/brokers/tradovate/socket.ts";
import type { HeldToken } from "../../../../src/brokers/tradovate/token-keeper.ts";
import type { TradovateMarketEvent } from "../../../../src/brokers/tradovate/wire.ts";
import { HANGS_AFTER_MS, waitUntil } from "../../../support/wait.ts";

let now: number;
let token: HeldToken | undefined;
let ups: number;
let events: TradovateMarketEvent[];
/** The tokens by which sockets were to be authorised, in order. */
let tried: string[];
let taken: ReadonlySet<string>;
let server: WebSocketServer;
let budget: RateBudget;
/** Instead of what the token is worth. */
let answer: ((id: string | undefined) => string) | undefined;

const held = (accessToken: string, mdAccessToken?: string): HeldToken => ({
  accessToken,
  ...(mdAccessToken !== undefined && { mdAccessToken }),
  userId: 7,
  validForMs: 5_400_000,
  askedAt: 0,
});

beforeEach(async () => {
  [now, token, ups, events, tried] = [0, held("orders", "prices"), 0, [], []];
  taken = new Set(["prices"]);
  answer = undefined;
  budget = new RateBudget(DEFAULT_LIMITS, () => now);
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (peer) => {
    peer.send("o");
    peer.on("message", (data) => {
      const [endpoint, id, , body = ""] = (data as Buffer).toString("utf8").split("\n");
      if (endpoint !== "authorize") return;
      tried.push(body);
      peer.send(answer?.(id) ?? `a[{"s":${taken.has(body) ? 200 : 401},"i":${id}}]`);
    });
  });
});

/** Started, with a clock of its own. */
function open(): MarketLink {
  const link = new MarketLink({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timing: SOCKET_TIMING,
    token: () => token,
    budget,
    mayWrite: () => true,
    onToken: () => undefined,
    onUp: () => (ups += 1),
    onDown: () => undefined,
    onMarket: (event) => events.push(event),
    onTrouble: () => undefined,
    elapsed: () => now,
    random: () => 1,
  });
  onTestFinished(async () => {
    await link.stop();
    server.close();
  });
  link.start();
  return link;
}

const cut = () => {
  for (const peer of server.clients) peer.terminate();
};
const untilUps = (count: number) => waitUntil(`it was up ${count} times`, () => ups === count);

describe("the link for market data", () => {
  test("is authorised by the token for it, and tells what it hears", async () => {
    const link = open();
    expect(await link.untilUp(HANGS_AFTER_MS)).toBe(true);
    expect(tried).toEqual(["prices"]);
    for (const peer of server.clients) peer.send('a[{"e":"md","d":{"quotes":[]}}]');
    await waitUntil("an event is told", () => events.length === 1);
    expect(events).toEqual([{ about: "md", data: { quotes: [] } }]);
    await link.stop();
    expect(link.isUp).toBe(false);
  });

  test("tries the other token once, and without one it waits", async () => {
    taken = new Set(["orders"]);
    await open().untilUp(HANGS_AFTER_MS);
    expect(tried).toEqual(["prices", "orders"]);
    token = undefined;
    const waiting = open();
    expect(await waiting.untilUp(1_500)).toBe(false);
    expect(waiting.trouble).toBeUndefined();
    expect(tried).toHaveLength(2);
  });

  test("is authorised again by a token that was renewed", async () => {
    await open().untilUp(HANGS_AFTER_MS);
    token = held("renewed", "newer");
    taken = new Set(["newer"]);
    await waitUntil("it is authorised again", () => tried.length === 2);
    expect(tried).toEqual(["prices", "newer"]);
    expect(ups).toBe(1);
  });

  test("that takes no second token is opened anew with it", async () => {
    const link = open();
    await link.untilUp(HANGS_AFTER_MS);
    token = held("renewed", "newer");
    await waitUntil("it is refused", () => !link.isUp);
    taken = new Set(["newer"]);
    now += 1_000;
    await untilUps(2);
    expect(tried).toEqual(["prices", "newer", "renewed", "newer"]);
  });

  test("that is cut is up again, ever later", async () => {
    const link = open();
    await untilUps(1);
    cut();
    await waitUntil("it is down", () => !link.isUp);
    expect(link.trouble).toMatch(/down.*tried again by itself/);
    now += 1_000;
    await untilUps(2);
    expect(link.trouble).toBeUndefined();
    cut();
    await waitUntil("it is down", () => !link.isUp);
    now += 1_999;
    expect(await link.untilUp(1_200)).toBe(false);
    now += 1;
    await untilUps(3);
  });

  test("that is refused waits for half an hour or another token, and locks nothing else out", async () => {
    taken = new Set();
    const link = open();
    expect(await link.untilUp(HANGS_AFTER_MS)).toBe(false);
    expect(link.trouble).toMatch(/permission "Market Data: Read"/);
    now += 29 * 60_000;
    expect(await link.untilUp(2_000)).toBe(false);
    expect(tried).toEqual(["prices", "orders"]);
    expect(budget.lockedForMs("authorize")).toBe(0);
    taken = new Set(["newer"]);
    token = held("renewed", "newer");
    await untilUps(1);
    expect(tried).toEqual(["prices", "orders", "newer"]);
  });

  test.each([
    ["is not there for a moment", (id: string | undefined) => `a[{"s":503,"i":${id}}]`],
    [
      "asks for a pause",
      (id: string | undefined) => `a[{"s":200,"i":${id},"d":{"p-ticket":"t","p-time":1}}]`,
    ],
  ])("that %s is tried again soon", async (_, said) => {
    answer = said;
    const link = open();
    await link.untilUp(500);
    await waitUntil("it was tried", () => tried.length > 0 && link.trouble !== undefined);
    expect(ups).toBe(0);
    answer = undefined;
    now += 5_000;
    await untilUps(1);
  });
});
