import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { ACCOUNT, type Lane, openLane, place, UNKNOWN } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

describe("an intent that never got its job", () => {
  test("expires, visibly, once it is too old for anything", async () => {
    const id = await lane.accept(place());
    lane.intents.clock += 600_000;
    await lane.tend(ACCOUNT);
    expect(lane.record(id).state).toBe("EXPIRED");
    expect(lane.observed).toEqual(["EXPIRED"]);
    expect(lane.broker.commands).toEqual([]);
  });

  test("is left alone before that: its job may still come", async () => {
    const id = await lane.accept(place());
    lane.intents.clock += 599_999;
    await lane.tend(ACCOUNT);
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.observed).toEqual([]);
  });
});

describe("an unknown outcome", () => {
  test("is looked up again, and told once it is settled", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(place());
    await lane.tend(ACCOUNT);
    expect(lane.observed).toEqual(["UNKNOWN"]);

    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${id}-1`) });
    await lane.tend(ACCOUNT);
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
      await lane.tend(ACCOUNT);
      expect(lane.record(id).state).toBe("UNKNOWN");
    },
  );

  test("opens the lane for entries again", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    await lane.run(place());
    expect((await lane.run(place())).state).toBe("DENIED");
    await lane.tend(ACCOUNT);
    lane.intents.clock += 5_000;
    await lane.tend(ACCOUNT);
    expect((await lane.run(place())).state).toBe("DONE");
  });
});
