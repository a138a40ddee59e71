// The goal: no kind of silence passes for a broker that is there, and an exit that waits goes out. The method:
// the adapter, before a look-alike that stops answering in each of the ways that were seen.
import { describe, expect, test } from "vitest";
import { waitUntil } from "../support/wait.ts";
import { accepted } from "./broker-under-test.ts";
import { tradovateCases } from "./tradovate-case.ts";

const { connected } = tradovateCases();

/** Short for questions that are not answered, long enough for a busy machine. */
const timing = { answerWithinMs: 2_000 };

describe.concurrent("a socket that only sends heartbeats", () => {
  test("ends with the question of an exit, which goes out in the next session", async () => {
    const { trader, turn, broker } = await connected({ timing });
    await trader.place();
    await trader.waitForPosition(1);
    await turn({ knob: "halfOpen", user: broker.user, beats: true });
    expect(await trader.closeOut()).toEqual({ kind: "notSent", reason: "No answer in time" });
    expect(String(await trader.broken())).toMatch(/did not answer account\/list in time/);
    await trader.connect();
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
  });

  test("ends though no one asks anything", async () => {
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const { trader, turn, broker } = await connected({ timing, elapsed });
    await turn({ knob: "halfOpen", user: broker.user, beats: true });
    offset = 15_000;
    expect(String(await trader.broken())).toMatch(/did not answer account\/list in time/);
  });

  test("is not believed when the budget for questions is used up", async () => {
    const limits = { perHour: 10_000, perMinute: 300 };
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const { trader, turn, broker } = await connected({ timing, limits, elapsed });
    for (let n = 0; n < 60; n += 1) await trader.working();
    await turn({ knob: "halfOpen", user: broker.user, beats: true });
    offset = 6_000;
    await expect(trader.netQty()).rejects.toThrow("No answer in time");
    await trader.broken();
  });
});

describe.concurrent("a command that is not answered", () => {
  test("is unknown, and the session goes on where the broker still says something", async () => {
    const { trader, broker, fault } = await connected({ timing });
    await fault({ kind: "silence", isCarriedOut: true }, "order/placeorder");
    const clOrdId = trader.newId();
    expect((await trader.submit({ clOrdId })).kind).toBe("unknown");
    const found = await trader.adapter.findOrder(broker.account, clOrdId);
    expect(found?.ordStatus).toBe("FILLED");
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("is unknown, and ends the session where nothing else is said either", async () => {
    const { trader, broker, fault } = await connected({ timing });
    await fault({ kind: "silence", isCarriedOut: false }, "order/placeorder");
    const clOrdId = trader.newId();
    expect((await trader.submit({ clOrdId })).kind).toBe("unknown");
    expect(String(await trader.broken())).toMatch(/did not answer order\/placeorder in time/);
    await trader.connect();
    expect(await trader.adapter.findOrder(broker.account, clOrdId)).toBeUndefined();
  });
});

describe.concurrent("questions that others are not answered beside", () => {
  test("about positions and orders end the session", async () => {
    const { trader, set } = await connected({ timing });
    await set({ silence: { via: "socket", endpoints: ["account/list"] } });
    await expect(trader.netQty()).rejects.toThrow("No answer in time");
    await trader.broken();
    await set({ silence: { via: "none" } });
    await trader.connect();
    expect(await trader.netQty()).toBe(0);
  });

  test("about a contract end none: exits of other contracts go on", async () => {
    const { trader, broker, set } = await connected({ timing });
    await trader.place();
    await trader.waitForPosition(1);
    await set({ silence: { via: "socket", endpoints: ["contract/find"] } });
    const doubt = trader.adapter
      .contractDoubt(broker.otherContract)
      .catch((error: unknown) => String(error));
    await waitUntil("the broker answers meanwhile", async () => (await trader.netQty()) === 1);
    expect(await doubt).toMatch(/No answer in time/);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
  });
});

test.concurrent("a broker that is silent by HTTP keeps no exit back", async () => {
  const { trader, set } = await connected({ timing });
  await trader.place();
  await trader.waitForPosition(1);
  await set({ silence: { via: "rest" } });
  expect((await trader.closeOut()).kind).toBe("accepted");
  await trader.waitForPosition(0);
});
