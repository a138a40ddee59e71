// The goal: senders repeat themselves and two alerts may look alike: each alert is placed once.
// The method: post to the whole gateway as TradingView resends, and count orders at the paper broker.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { laneScripts } from "../../../src/app/lane-scripts.ts";
import { startFaultProxy } from "../../faults/proxy.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { postAlert } from "../../support/http-client.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startTestRedis } from "../../support/test-redis.ts";
import { untilBrokerIsThere, waitUntil } from "../../support/wait.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

describe("an equal body within the window", () => {
  test("four sends, some time apart, are one order with one answer", async () => {
    const { send, orders, outcomes } = await openDesk();
    const first = await send(BUY);
    expect([first.status, first.body.duplicate]).toEqual([200, undefined]);
    for (let resend = 1; resend <= 3; resend += 1) {
      // Senders leave time between; what is compared must not depend on it.
      await sleep(300);
      const { status, body } = await send(BUY);
      expect([status, body]).toEqual([200, { ...first.body, duplicate: true }]);
    }
    expect(await orders()).toBe(1);
    expect(await outcomes()).toEqual(["done", "duplicate", "duplicate", "duplicate"]);
  });

  test("fifty at once are one order", async () => {
    const { send, orders, log } = await openDesk();
    const replies = await Promise.all(Array.from({ length: 50 }, async () => await send(BUY)));
    expect(replies.filter(({ status }) => ![200, 202].includes(status))).toEqual([]);
    expect(replies.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.alertId)).size).toBe(1);
    expect(await orders()).toBe(1);

    const lines = await log();
    const firsts = lines.filter(({ outcome }) => outcome !== "duplicate");
    expect(firsts.map(({ outcome }) => outcome)).toEqual(["done"]);
    const others = lines.filter(({ outcome }) => outcome === "duplicate");
    expect(others).toHaveLength(49);
    expect(new Set(others.map(({ duplicateOf }) => duplicateOf))).toEqual(
      new Set([firsts[0].alertId]),
    );
  });

  test("a newline at its end does not make it another one", async () => {
    const { send, orders } = await openDesk();
    await send(JSON.stringify(BUY));
    expect((await send(`${JSON.stringify(BUY)}\n`)).body.duplicate).toBe(true);
    expect(await orders()).toBe(1);
  });

  test("one between two equal ones makes three orders", async () => {
    const { done, positions, orders } = await openDesk();
    await done(BUY);
    await done({ ...BUY, action: "sell", qty: 2 });
    const again = await done(BUY);
    expect(again.duplicate).toBeUndefined();
    expect([await orders(), await positions()]).toEqual([3, {}]);
  });

  test("two different alerts at the same instant are both placed", async () => {
    const { send, orders, positions } = await openDesk();
    const at = new Date().toISOString();
    const replies = await Promise.all([
      send({ ...BUY, time: at }),
      send({ ...BUY, symbol: "NQ1!", time: at }),
      send({ ...BUY, qty: 2, time: at }),
    ]);
    expect(replies.map(({ body }) => [body.outcome, body.duplicate])).toEqual(
      Array.from({ length: 3 }, () => ["done", undefined]),
    );
    expect(await orders()).toBe(3);
    expect(await positions()).toEqual({ [ES.code]: 3, [frontMonth("NQ").code]: 1 });
  });

  test("another webhook of the same account is asked for something of its own", async () => {
    const { account, done, orders } = await openDesk();
    const other = await openPaperDesk(gateway, account);
    await done(BUY);
    expect((await other.done(BUY)).duplicate).toBeUndefined();
    expect(await orders()).toBe(2);
  });

  test("an exit is done again once anybody opened something, and so is a target", async () => {
    const { account, done, order, positions } = await openDesk();
    const other = await openPaperDesk(gateway, account);
    for (const out of [{ action: "close" }, { position: 0, symbol: "ES1!" }]) {
      await done(out);
      await other.done({ ...BUY, comment: JSON.stringify(out) });
      expect((await done(out)).duplicate).toBeUndefined();
      expect(await positions()).toEqual({});
    }
    const target = { position: 2, symbol: "ES1!" };
    await done(target);
    expect((await done(target)).duplicate).toBe(true);
    await order({ action: "sell", qty: 2 });
    expect((await done(target)).duplicate).toBeUndefined();
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test("a part is taken out once, though what the gateway derives comes in between", async () => {
    const { done, positions, working } = await openDesk();
    await done({ ...BUY, qty: 3 });
    await done({ ...BUY, type: "limit", limitPrice: 4_000, cancelAfter: 2 });
    const first = await done({ action: "reduce", symbol: "ES1!", qty: 1 });
    // The gateway cancels it by itself once its time is over.
    await waitUntil("the order timed out", async () => (await working()).length === 0);
    const again = await done({ action: "reduce", symbol: "ES1!", qty: 1 });
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test("without a window equal bodies are different alerts, with an alertId they are one", async () => {
    const { send, done, orders } = await openDesk({ duplicateWindowSeconds: 0 });
    await done(BUY);
    expect((await done(BUY)).duplicate).toBeUndefined();
    await done({ ...BUY, alertId: "entry 1" });
    expect((await send({ ...BUY, alertId: "entry 1" })).body.duplicate).toBe(true);
    expect(await orders()).toBe(3);
  });

  test("after the webhook's own window it is another alert", async () => {
    const { done, orders } = await openDesk({ duplicateWindowSeconds: 1 });
    await done(BUY);
    await sleep(1_500);
    expect((await done(BUY)).duplicate).toBeUndefined();
    expect(await orders()).toBe(2);
  });
});

describe("with an alertId", () => {
  test("the same id with another comment or time is the same alert", async () => {
    const { done, orders } = await openDesk();
    const alertId = "Long 2026-11-22T14:30:00Z";
    const first = await done({ ...BUY, alertId, comment: "first", time: "14:30:00" });
    // Something else in between does not end what an alertId stands for.
    await done({ ...BUY, alertId: "another" });
    const second = await done({ ...BUY, alertId, comment: "again", time: "14:30:05" });
    expect(second).toEqual({ ...first, duplicate: true });
    expect(await orders()).toBe(2);
  });

  test("the same id asking for something else is another alert", async () => {
    const { done, orders, positions } = await openDesk();
    await done({ ...BUY, alertId: "Long" });
    expect((await done({ ...BUY, qty: 2, alertId: "Long" })).duplicate).toBeUndefined();
    expect((await done({ ...BUY, action: "sell", alertId: "Long" })).duplicate).toBeUndefined();
    expect([await orders(), await positions()]).toEqual([3, { [ES.code]: 2 }]);
  });

  test("another id with an equal rest is another alert", async () => {
    const { done, orders } = await openDesk();
    await done({ ...BUY, alertId: "1" });
    expect((await done({ ...BUY, alertId: "2" })).duplicate).toBeUndefined();
    expect(await orders()).toBe(2);
  });
});

describe("what was certainly not sent is not remembered", () => {
  test("a body that cannot be read is refused each time", async () => {
    const { send, outcomes } = await openDesk();
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await send({ ...BUY, qty: "many" });
      expect([status, body.error.duplicate]).toEqual([400, undefined]);
    }
    expect(await outcomes()).toEqual(["refused", "refused"]);
  });

  test("a 409 to an exit is not: what is held then decides", async () => {
    const { send, order, positions } = await openDesk();
    const { orderId } = await order({ symbol: "NQ1!" });
    expect(orderId).toBeDefined();
    const exit = { action: "flatten", symbol: "ES1!" };
    expect((await send(exit)).status).toBe(409);
    await order({ symbol: "NQ1!", action: "sell" });
    await order({});
    expect((await send(exit)).body.outcome).toBe("done");
    expect(await positions()).toEqual({});
  });

  test("a resend after a 503 is placed once", async () => {
    const { url, send, orders } = await openDesk();
    const pid = await gateway.redisPid();
    process.kill(pid, "SIGSTOP");
    onTestFinished(async () => {
      process.kill(pid, "SIGCONT");
      await untilBrokerIsThere(gateway.url);
    });
    const refused = await postAlert(url, BUY);
    process.kill(pid, "SIGCONT");
    expect([refused.status, refused.body.error.retry]).toEqual([503, "safe"]);

    await expect.poll(async () => (await send(BUY)).status).toBe(200);
    expect((await send(BUY)).body.duplicate).toBe(true);
    expect(await orders()).toBe(1);
  });
});

describe("what an entry was denied for is remembered", () => {
  test("by the kill switch: a repeat after it is off is not placed", async () => {
    const { send, done, kill, orders, outcomes } = await openDesk();
    await kill(true);
    const first = await send(BUY);
    expect([first.status, first.body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
    await kill(false);
    const again = await send(BUY);
    expect([again.status, again.body.error]).toEqual([
      422,
      { ...first.body.error, duplicate: true },
    ]);
    expect(await orders()).toBe(0);
    await done({ ...BUY, alertId: "anew" });
    expect(await outcomes()).toEqual(["denied", "duplicate", "done"]);
  });

  const openDenied = async (options: object = {}) => {
    const desk = await openDesk({ allowedSide: "short", ...options });
    expect((await desk.send(BUY)).body.error.code).toBe("SIDE_NOT_ALLOWED");
    await desk.change({ allowedSide: null });
    return desk;
  };

  test("by the webhook's options", async () => {
    const { send, orders } = await openDenied();
    expect((await send(BUY)).body.error.duplicate).toBe(true);
    expect(await orders()).toBe(0);
  });

  test("until the window is over", async () => {
    const { done, orders } = await openDenied({ duplicateWindowSeconds: 1 });
    await sleep(1_500);
    expect((await done(BUY)).duplicate).toBeUndefined();
    expect(await orders()).toBe(1);
  });
});

test("a resend after an acceptance that was not confirmed is never a second order", async () => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const socket = path.join(folder, "proxy.sock");
  const proxy = await startFaultProxy({ target: { path: server.path }, listen: { path: socket } });
  onTestFinished(() => proxy.stop());
  const own = await startGateway({ settings: { REDIS_URL: `unix:${socket}` } });
  onTestFinished(own.stop);
  const { url, send, positions } = await openPaperDesk(own, accountId("paper-1"));
  expect((await send({ ...BUY, symbol: "NQ1!" })).status).toBe(200);

  const { sha1 } = laneScripts.alertAndBegin;
  const cut = proxy.add({ kind: "resetAfter", matches: (bytes) => bytes.includes(sha1) });
  // Whether it is there is read back once the store can be reached.
  expect([200, 504]).toContain((await postAlert(url, BUY)).status);
  expect(cut.hits).toBe(1);
  await expect.poll(async () => (await postAlert(url, BUY)).body.outcome).toBe("done");
  expect(await positions()).toMatchObject({ [ES.code]: 1 });
});

// The last one, since the gateway has another address then.
test("the window is the store's, not a process's: after a restart it goes on", async () => {
  const [plain, named] = [await openDesk(), await openDesk()];
  const alert = { ...BUY, alertId: "before" };
  const body = await plain.done(BUY);
  const first = await named.done(alert);
  // Something else in between does not end what an alertId stands for.
  await named.done({ ...BUY, qty: 2 });
  await gateway.restart();
  const again = async ({ url }: { readonly url: string }, sent: object) =>
    (await postAlert(`${gateway.url}${new URL(url).pathname}`, sent)).body;
  expect(await again(plain, BUY)).toEqual({ ...body, duplicate: true });
  expect(await again(named, alert)).toEqual({ ...first, duplicate: true });
  expect([await plain.orders(), await named.orders()]).toEqual([1, 2]);
});
