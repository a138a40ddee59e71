import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, type IntentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { ACCOUNT, ES, KEY, type Lane, openLane, place, position, UNKNOWN } from "../lane-kit.ts";
import type { NewIntent } from "../../../../src/trading/orders/ports.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

describe("an intent that never got its job", () => {
  test("expires, visibly, once it is too old for anything", async () => {
    const id = await lane.accept(place());
    lane.intents.clock += 600_000;
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("EXPIRED");
    expect(lane.observed).toEqual(["EXPIRED"]);
    expect(lane.broker.commands).toEqual([]);
  });

  test("is left alone before that: its job may still come", async () => {
    const id = await lane.accept(place());
    lane.intents.clock += 599_999;
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.observed).toEqual([]);
  });
});

describe("an unknown outcome", () => {
  test("is looked up again, and told once it is settled", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(place());
    await lane.settlePending(ACCOUNT);
    expect(lane.observed).toEqual(["UNKNOWN"]);

    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${id}-1`) });
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.observed).toEqual(["UNKNOWN", "DONE"]);
  });

  test.each([undefined, { status: "RECONNECTING" } as const])(
    "stays as it is with the connection %j",
    async (connection) => {
      lane.broker.next.submit.push(UNKNOWN);
      const { intentId: id } = await lane.run(place());
      lane.setConnection(connection);
      lane.intents.clock += 3_600_000;
      await lane.settlePending(ACCOUNT);
      expect(lane.record(id).state).toBe("UNKNOWN");
    },
  );

  test("stays as it is while the account is not in step", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(place());
    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${id}-1`) });
    lane.setSession(undefined);
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(lane.record(id).state).toBe("UNKNOWN");
  });

  test("that the broker cannot tell now stays, and the rest is tended", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(place());
    const orphan = await lane.accept(place());
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    lane.intents.clock += 600_000;
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(lane.record(id).state).toBe("UNKNOWN");
    expect(lane.record(orphan).state).toBe("EXPIRED");
  });

  test("is left alone by who may not be the owner any more", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(place());
    lane.loseLanes();
    await expect(lane.settlePending(ACCOUNT)).rejects.toBeInstanceOf(StoreError);
    expect(lane.record(id).state).toBe("UNKNOWN");
  });
});

describe("entries held behind an unknown outcome", () => {
  let unknown: IntentId;
  beforeEach(async () => {
    lane.broker.next.submit.push(UNKNOWN);
    unknown = (await lane.run(place())).intentId;
  });

  /** An entry whose turn came; it is held. */
  async function hold(change: Partial<NewIntent> = {}): Promise<IntentId> {
    const id = await lane.accept(place(), change);
    expect(await lane.work(id)).toBe("unsettled");
    return id;
  }
  const settleUnknown = () =>
    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${unknown}-1`) });
  const sent = () => lane.broker.commands.slice(1).map(([, id]) => id);

  test("wait while it is, and are sent in their order once it is known", async () => {
    const [first, second] = [await hold(), await hold()];
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(sent()).toEqual([]);

    settleUnknown();
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(sent()).toEqual([`${first}-1`, `${second}-1`]);
    expect(lane.announced.slice(1)).toEqual([
      { state: "DONE", replyTo: "process-1" },
      { state: "DONE", replyTo: "process-1" },
    ]);
    expect((await lane.run(place())).state).toBe("DONE");
  });

  test("are sent once it is proven lost, too", async () => {
    const id = await hold();
    await lane.settlePending(ACCOUNT);
    lane.intents.clock += 5_000;
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(lane.record(unknown).state).toBe("LOST");
    expect(lane.record(id).state).toBe("DONE");
  });

  test("an entry that comes after it is known is not sent before them", async () => {
    const held = await hold();
    await lane.intents.settle(lane.record(unknown), { kind: "lost", reason: "Never there" });
    const next = await hold();
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(sent()).toEqual([`${held}-1`, `${next}-1`]);
  });

  const half = { to: "close", percent: 50 } as const;
  const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
  const part = (change: object = {}): Intent => ({
    kind: "ADJUST",
    contract: ES,
    aim: half,
    terms,
    ...change,
  });

  test.each<Intent>([
    part(),
    part({ aim: { to: "close", qty: 1 } }),
    part({ aim: { to: "close", percent: 100 }, onlyWhen: ["LONG"] }),
  ])("what closes a part of what they open comes after them: %j", async (exit) => {
    await hold();
    const id = await lane.accept(exit);
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("PREPARED");
    settleUnknown();
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(2)];
      return undefined;
    });
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { closed: [expect.anything()] } },
    });
  });

  test("the first whose own outcome is unknown holds the others", async () => {
    const [first, second] = [await hold(), await hold()];
    settleUnknown();
    lane.broker.next.submit.push(UNKNOWN);
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(sent()).toEqual([`${first}-1`]);
    expect(lane.record(second).state).toBe("PREPARED");
  });

  test("expire at their entry age, said to their caller, once the broker can be asked", async () => {
    const source = { kind: "webhook", credentialId: KEY } as const;
    const [old, fresh] = [await hold({ source }), await hold({ source, entryMaxAgeMs: 60_000 })];
    lane.setConnection(undefined);
    lane.intents.clock += 30_000;
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(lane.record(old).state).toBe("PREPARED");
    lane.setConnection({});
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(lane.record(old)).toMatchObject({
      state: "EXPIRED",
      outcome: { reason: expect.stringContaining("30 s, longer than an entry may") },
    });
    expect(lane.record(fresh).state).toBe("PREPARED");
    expect(lane.announced.slice(1)).toEqual([{ state: "EXPIRED", replyTo: "process-1" }]);
    expect(lane.observed).toEqual(["UNKNOWN", "EXPIRED"]);
  });

  describe("that may close what that opens", () => {
    const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
    const exits: [string, Intent][] = [
      ["an order of the other side", place({ side: "SELL" })],
      [
        "a signal of the other side",
        {
          kind: "ADJUST",
          contract: ES,
          aim: { to: "enter", side: "SELL", qty: 1, whenHeld: "add", whenOpposite: "close" },
          terms,
        },
      ],
    ];
    const accept = async (intent: Intent) => {
      const id = await lane.accept(intent);
      expect(await lane.work(id)).toBe("unsettled");
      return id;
    };
    const fills = () => {
      settleUnknown();
      lane.broker.held = [position(1)];
    };

    test.each(exits)("are no entries yet, however old: %s", async (_, intent) => {
      const id = await accept(intent);
      lane.intents.clock += 31_000;
      await lane.settlePending(ACCOUNT);
      expect(lane.record(id).state).toBe("PREPARED");
      fills();
      expect(await lane.settlePending(ACCOUNT)).toBe(false);
      expect([lane.record(id).state, lane.broker.commands.length]).toEqual(["DONE", 2]);
    });

    test.each(exits)(
      "are refused by no kill switch before that is known: %s",
      async (_, intent) => {
        lane.intents.accountKillSwitch = { active: true };
        const id = await accept(intent);
        fills();
        await lane.settlePending(ACCOUNT);
        expect(lane.record(id).state).toBe("DONE");
      },
    );

    test.each(exits)("expire as entries where it opened nothing: %s", async (_, intent) => {
      const id = await accept(intent);
      lane.intents.clock += 31_000;
      await lane.settlePending(ACCOUNT);
      lane.intents.clock += 5_000;
      expect(await lane.settlePending(ACCOUNT)).toBe(false);
      expect(lane.record(id).state).toBe("EXPIRED");
    });

    test("expire with an exit's age", async () => {
      const id = await accept(place({ side: "SELL" }));
      lane.broker.failingRead = "find";
      lane.intents.clock += 600_000;
      await lane.settlePending(ACCOUNT);
      expect(lane.record(id).state).toBe("EXPIRED");
    });
  });

  test.each([
    [-2, 1, "longer than an entry may"],
    [2, -1, "earlier order is not known"],
  ])("of an adjustment what it closes goes all the same: %i to %i", async (held, netQty, why) => {
    lane.broker.held = [position(held)];
    const aim = { to: "position", netQty } as const;
    const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
    const id = await lane.accept({ kind: "ADJUST", contract: ES, aim, terms });
    expect(await lane.work(id)).toBe("unsettled");
    lane.intents.clock += 30_000;

    await lane.settlePending(ACCOUNT);

    expect(lane.broker.commands.map(([name]) => name)).toEqual(["submit", "close"]);
    // The order before it may still lead beyond its target.
    expect(lane.record(id).outcome).toMatchObject({
      kind: "unknown",
      soFar: { problems: [expect.stringMatching(`not placed.*${why}`)] },
    });
  });

  test("expire once, however late", async () => {
    await hold();
    lane.intents.clock += 600_000;
    await lane.settlePending(ACCOUNT);
    await lane.settlePending(ACCOUNT);
    expect(lane.observed.filter((state) => state === "EXPIRED")).toHaveLength(1);
  });

  test("that were withdrawn or flattened behind are not sent", async () => {
    const [withdrawn, flattened] = [await hold(), await hold()];
    await lane.intents.withdraw(ACCOUNT, withdrawn, { kind: "withdrawn", reason: "Nobody waits" });
    await lane.run({ kind: "FLATTEN", cancelResting: true });
    settleUnknown();
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(lane.broker.commands.slice(1)).toEqual([["cancel", "7"]]);
    expect(lane.record(flattened).state).toBe("OVERTAKEN");
    expect(lane.observed).toEqual(["UNKNOWN", "UNKNOWN", "DONE", "DONE", "OVERTAKEN"]);
  });

  test("wait for a connection that is down again, as alerts do", async () => {
    const id = await hold({ source: { kind: "webhook", credentialId: KEY } });
    await lane.intents.settle(lane.record(unknown), { kind: "lost", reason: "Never there" });
    lane.setConnection({ status: "RECONNECTING" });
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    lane.setConnection({});
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(lane.record(id).state).toBe("DONE");
  });

  test("that were sending when their owner died are looked up, never sent again", async () => {
    const id = await hold();
    lane.intents.put({ ...lane.record(id), state: "SENDING", clOrdIds: [clOrdId(`${id}-1`)] });
    settleUnknown();
    expect(await lane.settlePending(ACCOUNT)).toBe(true);
    expect(lane.record(id).state).toBe("UNKNOWN");
    expect(sent()).toEqual([]);
  });
});
