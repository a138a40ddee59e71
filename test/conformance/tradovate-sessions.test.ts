import { describe, expect, test } from "vitest";
import { ConnectionSupervisor } from "../../src/brokers/connection-supervisor.ts";
import { CredentialsRefusedError, stopFor } from "../../src/brokers/session-errors.ts";
import { connectionId } from "../../src/domain/ids.ts";
import { endWithTest } from "../support/side-by-side.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted, atPrice } from "./broker-under-test.ts";
import { tradovateCases } from "./tradovate-case.ts";
import { namesInMemory } from "./tradovate-kit.ts";

const { prepared, connected, logins, wire } = tradovateCases();

describe.concurrent("sessions that break", () => {
  test("one without an open frame begins all the same", async () => {
    const { trader, set } = await prepared();
    await set({ sendsOpen: false });
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("the next session uses the token that is there: a bad link opens no logins", async () => {
    const { trader, broker } = await connected();
    const before = await logins(broker.user);
    for (let n = 0; n < 3; n += 1) {
      await broker.breakSession();
      await trader.broken();
      await trader.connect();
    }
    expect((await trader.submit()).kind).toBe("accepted");
    expect(await logins(broker.user)).toBe(before);
  });

  test("a token that is refused in mid-session is renewed once, and the command goes through", async () => {
    const { trader, broker, fault } = await connected();
    await trader.place();
    const before = await logins(broker.user);
    await fault({ kind: "status", status: 401, body: "Expired Access Token" }, "order/placeorder");
    expect((await trader.submit()).kind).toBe("accepted");
    await trader.waitForPosition(2);
    expect(await logins(broker.user)).toBe(before);
  });

  test("a token that is over and cannot be renewed breaks the session, and nothing was sent", async () => {
    const { trader, broker, turn } = await connected();
    await trader.place();
    await turn({ knob: "expireTokens", user: broker.user });
    expect((await trader.submit()).kind).toBe("notSent");
    expect(String(await trader.broken())).toMatch(/renewal failed/);
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
    await trader.waitForPosition(2);
  });

  test.each(["ConnectionQuotaReached", "IPQuotaReached"] as const)(
    "a login elsewhere that ends ours: wait, and the second time for longer: %s",
    async (reasonCode) => {
      let now = performance.now();
      const { trader, broker, turn } = await prepared({ elapsed: () => now });
      const { user } = broker;
      await trader.connect();
      await turn({ knob: "shutdown", user, reasonCode, reason: "another login" });
      expect(await trader.broken()).toMatchObject({ reasonCode });
      const waiting = trader.connect();
      await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() === now);
      now += 60_000;
      await waiting;
      await turn({ knob: "shutdown", user, reasonCode, reason: "another login" });
      const again = await trader.broken();
      expect(again).toMatchObject({ reasonCode });
      expect(String(again)).toMatch(/another program logs in/);
      const longer = trader.connect();
      await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() === now);
      now += 5 * 60_000;
      await longer;
    },
  );

  test.each([401, 502] as const)(
    "the token of a session that was taken away breaks the session, and one login follows: %i",
    async (killedSessionStatus) => {
      const { trader, broker, set, turn } = await connected();
      await set({ killedSessionStatus, killedSockets: "keep" });
      await turn({ knob: "killSessions", user: broker.user });
      expect((await trader.submit()).kind).not.toBe("accepted");
      await expect(trader.working()).rejects.toThrow(/./);
      await trader.broken();
      const before = await logins(broker.user);
      await trader.connect();
      expect(await logins(broker.user)).toBe(before + 1);
      expect((await trader.submit()).kind).toBe("accepted");
    },
  );

  test("a session that was ended over the session limit waits before it logs in", async () => {
    let now = performance.now();
    const { trader, broker, set, turn } = await prepared({ elapsed: () => now });
    await trader.connect();
    await set({ killedSessionStatus: 408, killedSockets: "keep" });
    await turn({ knob: "killSessions", user: broker.user });
    expect((await trader.submit()).kind).not.toBe("accepted");
    await expect(trader.working()).rejects.toThrow(/./);
    await trader.broken();
    const before = await logins(broker.user);
    const again = trader.connect();
    await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() === now);
    expect(await logins(broker.user)).toBe(before);
    now += 60_000;
    await again;
    expect(await logins(broker.user)).toBe(before + 1);
  });

  test("maintenance ends the session, and it is tried again", async () => {
    const { trader, broker, turn } = await connected();
    await turn({ knob: "shutdown", user: broker.user, reasonCode: "Maintenance", reason: "soon" });
    expect(await trader.broken()).toMatchObject({ reasonCode: "Maintenance" });
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("during maintenance no session begins, and after it one does without a login", async () => {
    const { trader, broker, set } = await connected();
    const before = await logins(broker.user);
    await set({ maintenance: true });
    expect(await trader.broken()).toMatchObject({ reasonCode: "Maintenance" });
    await expect(trader.connect()).rejects.toThrow(/\w/);
    await set({ maintenance: false });
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
    expect(await logins(broker.user)).toBe(before);
  });

  test("during a lock-out no session begins, and no login is tried", async () => {
    const { trader, broker, turn } = await connected();
    const before = await logins(broker.user);
    await turn({ knob: "lockOut", user: broker.user, ms: 3_600_000 });
    await broker.breakSession();
    await trader.broken();
    await expect(trader.connect()).rejects.toThrow(/\w/);
    expect(await logins(broker.user)).toBe(before);
  });

  test("a token of another environment begins no session, and is not asked for again and again", async () => {
    const { trader, broker, set } = await prepared();
    await set({ wrongEnvironment: true });
    await expect(trader.connect()).rejects.toThrow("refuses a new token");
    // One of the kit, and two of the adapter.
    expect(await logins(broker.user)).toBe(3);
  });

  test("refused credentials are a last word, and are not sent again", async () => {
    const { trader, broker, set } = await prepared();
    await set({ loginError: "Incorrect username or password. Please try again." });
    const error: unknown = await trader.connect().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(CredentialsRefusedError);
    expect((error as Error).message).toContain("Incorrect username");
    // One of the kit, which asks for the accounts, and one of the adapter.
    expect(await logins(broker.user)).toBe(2);
  });

  test("a login that asks for a captcha is tried again after an hour", async () => {
    let now = performance.now();
    const { trader, fault } = await prepared({ elapsed: () => now });
    await fault({ kind: "ticket", seconds: 5, captcha: true }, "auth/accesstokenrequest");
    const error: unknown = await trader.connect().catch((cause: unknown) => cause);
    expect(String(error)).toMatch(/captcha/);
    expect(stopFor(error)).toBeUndefined();
    const again = trader.connect();
    await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() === now);
    now += 3_600_000;
    await again;
  });

  test("a lockout of renewals is not made longer, and no exit waits for it", async () => {
    let ahead = 0;
    // The token is to be renewed after 15 of its 20 s, 14 of which have passed once it is kept.
    const memory = { load: async () => undefined, save: async () => void (ahead = 14_000) };
    const elapsed = () => performance.now() + ahead;
    const { trader, set } = await prepared({ elapsed, memory, random: () => 0 });
    const renewals = async () =>
      (await wire()).filter(({ dir, path = "" }) => dir === "in" && path.includes("renewaccess"))
        .length;
    const before = await renewals();
    const endpointLimits = { "auth/renewaccesstoken": { perHour: 0 } };
    await set({ tokenLifeMs: 20_000, endpointLimits, warnsBeforeLockout: false });
    await trader.connect();
    await trader.market(999, 1_000);
    await trader.place();
    await waitUntil("it was to be renewed", async () => (await renewals()) > before);
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.broken();
    await trader.connect();
    expect(await renewals()).toBe(before + 1);
    await trader.waitForPosition(0);
  });

  test("where snapshots are locked out, exits go on without one", async () => {
    const { trader, set } = await connected();
    await trader.place();
    await trader.disconnect();
    const endpointLimits = { "user/syncrequest": { perHour: 0 } };
    await set({ endpointLimits, warnsBeforeLockout: false });
    await trader.connect();
    expect(await trader.netQty()).toBe(1);
    expect((await trader.submit()).kind).toBe("notSent");
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
  });

  describe("reads of a session without a feed", () => {
    /** Holds one, is told of nothing, and has been read until what is left is kept for exits. */
    const readOut = async () => {
      const given = await connected({ limits: { perHour: 10_000, perMinute: 300 } });
      const { trader, set } = given;
      await trader.place();
      await trader.disconnect();
      const endpointLimits = { "user/syncrequest": { perHour: 0 } };
      await set({ endpointLimits, warnsBeforeLockout: false });
      await trader.connect();
      for (let n = 0; n < 20; n += 1) await trader.working();
      return given;
    };

    test("leave exits what is kept for them", async () => {
      const { trader } = await readOut();
      expect((await trader.closeOut()).kind).toBe("accepted");
      await trader.waitForPosition(0);
    });

    test("never let what closed by an older answer open anything", async () => {
      const { trader, broker, turn } = await readOut();
      const { user: name, contract, account } = broker;
      const symbol = `${contract.slice(0, -4)}${contract.slice(-1)}`;
      const of = { accountSpec: `${name}-1`, accountId: Number(account.split("-").at(-1)) };
      const market = { action: "Sell", symbol, orderQty: 1, orderType: "Market" };
      await turn({ knob: "placeOrder", user: name, order: { ...of, ...market } });
      expect((await trader.submit({ side: "SELL" })).kind).toBe("notSent");
      expect(await trader.closeOut()).toEqual({ kind: "rejected", reason: "No open position" });
    });
  });

  test("a login's penalty without a captcha is sat out", async () => {
    const { trader, fault } = await prepared();
    await fault({ kind: "ticket", seconds: 1 }, "auth/accesstokenrequest");
    await trader.connect();
    const accounts = await trader.adapter.accounts();
    expect(accounts).toHaveLength(2);
    // The broker's own number is the same by every login.
    expect(accounts.filter((one) => !one.accountId.endsWith(`-${one.number}`))).toEqual([]);
  });

  test("logins that fail are farther apart than the supervisor would have them", async () => {
    let now = performance.now();
    const { trader, set } = await prepared({ elapsed: () => now });
    await set({ loginError: "Service temporarily unavailable" });
    await expect(trader.connect()).rejects.toThrow(/temporarily/);
    await set({ loginError: null });
    const again = trader.connect();
    await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() === now);
    now += 15_000;
    await again;
  });

  test("a broker that falls silent is given up by the supervisor", async () => {
    const { trader, broker, turn } = await prepared();
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const errors: string[] = [];
    const supervisor = new ConnectionSupervisor({
      connectionId: connectionId("tv"),
      adapter: trader.adapter,
      onSession: async () => undefined,
      onStatus: () => undefined,
      onRetry: () => undefined,
      mayRun: () => true,
      loginStop: { find: async () => undefined, keep: async () => true },
      onError: (error) => errors.push(String(error)),
      elapsed,
    });
    supervisor.start();
    endWithTest(() => supervisor.stop());
    await waitUntil("it is connected", () => supervisor.status === "CONNECTED");
    await turn({ knob: "halfOpen", user: broker.user });
    offset = 15_000;
    await waitUntil("silence is found", () => errors.some((text) => /said nothing/.test(text)));
    await waitUntil("it is connected again", () => supervisor.status === "CONNECTED");
    expect(errors).toHaveLength(1);
  });
});

describe.concurrent("an event that was left out", () => {
  test.each(["orderVersion", "command", "fill", "position"])(
    "breaks the session, and the next one has it: %s",
    async (type) => {
      let offset = 0;
      const given = await connected({ elapsed: () => performance.now() + offset });
      const { trader, broker, set } = given;
      await set({ losesEvents: [type] });
      await trader.submit();
      await set({ losesEvents: [] });
      offset = 5_000;
      expect(String(await trader.broken())).toMatch(/left out/);
      await trader.connect();
      expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
      expect(await trader.netQty()).toBe(1);
    },
  );

  test.each(["fill", "position"])(
    "keeps what is held from being told or closed as it was before: %s",
    async (type) => {
      const { trader, set } = await connected();
      await trader.place();
      await trader.waitForPosition(1);
      await set({ losesEvents: [type] });
      await trader.submit({ orderQty: 2 });
      await expect(trader.netQty()).rejects.toThrow(/do not agree/);
      const reason = expect.stringMatching(/do not agree/) as string;
      expect(await trader.closeOut()).toEqual({ kind: "notSent", reason });
    },
  );
});

describe.concurrent("a sync that brings less than it should", () => {
  test("one that brings only what is named is asked by name", async () => {
    const { trader, set } = await prepared();
    await set({ syncBrings: "named" });
    await trader.connect();
    await trader.market(999, 1_000);
    expect((await trader.submit()).kind).toBe("accepted");
    await trader.waitForPosition(1);
    expect(trader.adapter.entriesHeld?.()).toBeUndefined();
  });

  test.each(["users", "empty"] as const)(
    "nothing is opened where nothing is told, and what is held can be closed: %s",
    async (syncBrings) => {
      const { trader, broker, set } = await connected();
      await trader.place();
      const { orderId } = await trader.limit("SELL", 1_010);
      await trader.disconnect();
      await set({ syncBrings, tellsEvents: false });
      await trader.connect();
      expect(await trader.netQty()).toBe(1);
      const reason = expect.stringMatching(/does not tell/) as string;
      expect(await trader.submit()).toEqual({ kind: "notSent", reason });
      expect(await trader.modify({ orderId, orderQty: 2 })).toEqual({ kind: "notSent", reason });
      expect(trader.adapter.entriesHeld?.()).toEqual(reason);
      expect(broker.told).toContainEqual(reason);

      const outcome = accepted(await trader.closeOut());
      await trader.waitForReport(outcome.orderId, "TRADE");
      expect(await trader.netQty()).toBe(0);
      expect((await trader.cancel(orderId)).kind).toBe("accepted");
      expect(await trader.working()).toEqual([]);
    },
  );

  test("a session without a feed is given up, and the next one has it", async () => {
    let offset = 0;
    const { trader, set } = await prepared({ elapsed: () => performance.now() + offset });
    await set({ syncBrings: "users" });
    await trader.connect();
    await set({ syncBrings: "all" });
    offset = 60_000;
    expect(String(await trader.broken())).toMatch(/does not tell/);
    await trader.connect();
    expect(trader.adapter.entriesHeld?.()).toBeUndefined();
  });

  test("a feed that falls silent buys once: the next session knows what was bought", async () => {
    const { trader, set } = await connected();
    await set({ tellsEvents: false });
    accepted(await trader.submit());
    await trader.broken();
    await trader.connect();
    expect(await trader.netQty()).toBe(1);
  });

  test("an account that the broker lists later begins a session that tells of it", async () => {
    const { trader, broker, turn } = await connected();
    await turn({ knob: "user", name: broker.user, password: "any", accounts: 3 });
    await trader.working().catch(() => undefined);
    expect(String(await trader.broken())).toMatch(/lists an account/);
    await trader.connect();
    expect(await trader.adapter.accounts()).toHaveLength(3);
  });
});

describe.concurrent("a snapshot without what belongs to earlier orders", () => {
  const types = ["command", "commandReport", "executionReport", "orderVersion", "fill"] as const;

  test("asks for it: exits of ours are still ours, with their sizes", async () => {
    const { trader, set } = await connected();
    const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
    const clOrdId = trader.newId();
    await trader.place({ clOrdId, orderQty: 2, bracket });
    const before = await trader.working();
    await trader.disconnect();
    await set({ forgets: { types, isGone: false } });
    await trader.connect();
    expect(await trader.working()).toEqual(before);
    expect(before.map(({ role }) => role).toSorted()).toEqual(["STOP_LOSS", "TAKE_PROFIT"]);
    const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
    expect(found).toMatchObject({ ordStatus: "FILLED", cumQty: 2 });
  });

  test("has their names from our own records where the broker has them no more", async () => {
    const names = namesInMemory();
    const { trader, set } = await connected({ names });
    const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
    await trader.place({ bracket });
    const before = await trader.working();
    await trader.disconnect();
    await set({ forgets: { types: ["command", "commandReport"], isGone: true } });
    await trader.connect();
    expect(await trader.working()).toEqual(before);
    // What has ended is not remembered.
    await Promise.all(before.map(({ orderId }) => trader.cancel(orderId)));
    await waitUntil("no name is kept", () => names.kept.size === 0);
  });

  test("an order that nobody has a name of is shown as a foreign one", async () => {
    const { trader, set } = await connected({ names: undefined });
    const { orderId } = await trader.limit("BUY", 990);
    await trader.disconnect();
    await set({ forgets: { types: ["command", "commandReport"], isGone: true } });
    await trader.connect();
    const [order] = await trader.working();
    expect(order).toMatchObject({ orderId, price: 990 });
    expect(order?.clOrdId).toBeUndefined();
  });

  test("what filled in an earlier session is counted from the order's own figures", async () => {
    const { trader, broker, set } = await connected();
    await trader.market(999, 1_000, 2);
    const { orderId } = await trader.limit("BUY", 1_000, { orderQty: 5, timeInForce: "GTC" });
    await waitUntil("a part is filled", async () => {
      return (await trader.workingOrder(orderId))?.cumQty === 2;
    });
    await trader.disconnect();
    await set({ forgets: { types: ["fill"], isGone: true } });
    await trader.connect();
    expect(await trader.workingOrder(orderId)).toMatchObject({ cumQty: 2, leavesQty: 3 });
    expect(await trader.adapter.fills(broker.account, 0)).toEqual([]);
    await trader.market(999, 1_000, 1);
    await waitUntil("more is filled", async () => {
      return (await trader.workingOrder(orderId))?.cumQty === 3;
    });
    await trader.market(999, 1_000);
    await waitUntil("all is filled", () => trader.lastSeen(orderId)?.ordStatus === "FILLED");
    expect(trader.lastSeen(orderId)).toMatchObject({ cumQty: 5, leavesQty: 0 });
    expect(await trader.netQty()).toBe(5);
  });
});

/** The last one: it moves the broker's clock. */
test("a snapshot that was behind is found out, and the next session has what it missed", async () => {
  const { trader, set, turn } = await connected();
  const lateMs = 60_000;
  await set({ listLagMs: lateMs });
  await trader.place();
  await trader.disconnect();
  await trader.connect();
  expect(await trader.netQty()).toBe(0);
  await turn({ knob: "advance", ms: lateMs });
  await set({ listLagMs: 0 });
  expect(String(await trader.broken())).toMatch(/snapshot was behind/);
  await trader.connect();
  expect(await trader.netQty()).toBe(1);
});
