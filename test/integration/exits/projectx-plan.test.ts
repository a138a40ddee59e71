// The goal: an exit plan is carried out at a broker that attaches exits to an entry alone, whose prices come
// by a feed of its own, and that may end a whole group of exits unasked.
// The method: the whole gateway on the simulator of ProjectX, over a connection that a user added.
import { expect, test } from "vitest";
import { BID, ProjectXSite } from "../connections/projectx-site.ts";
import { waitUntil } from "../../support/wait.ts";

const ENTRY = BID + 1;
const price = (ticks: number) => ticks / 4;
const stops = (count: number, at: number) =>
  Array.from({ length: count }, () => `stopLoss 1 at ${price(ENTRY + at)}`);
const targets = (...at: readonly number[]) =>
  at.map((ticks) => `takeProfit 1 at ${price(ENTRY + ticks)}`);

const PLAN = {
  targets: [{ ticks: 20 }, { ticks: 40 }, { ticks: 80 }],
  stop: { ticks: 60 },
  breakeven: { after: { target: 1 }, plus: 1 },
  trailing: { from: { ticks: 30 }, distance: { ticks: 16 } },
};

test.each(["keepsChildren", "endsChildren"] as const)(
  "stops go to the entry at a target and follow the price, also after a restart: %s",
  async (partialExit) => {
    const one = await ProjectXSite.open({ partialExit });
    await one.connect();
    const reply = await one.order({ qty: 3, exitPlan: PLAN });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    await one.untilWorking([...targets(20, 40, 80), ...stops(3, -60)]);

    await one.quote(ENTRY + 20);
    await one.untilWorking([...targets(40, 80), ...stops(2, 1)]);
    await one.app.stop();
    one.app = await one.site.start();
    await one.untilConnected();

    await one.quote(ENTRY + 36);
    await one.untilWorking([...targets(40, 80), ...stops(2, 20)]);
    // Never back.
    await one.quote(ENTRY + 25);
    await one.quote(ENTRY + 37);
    await one.untilWorking([...targets(40, 80), ...stops(2, 21)]);
    await one.quote(ENTRY + 21);
    await waitUntil("it is flat", async () => (await one.held()) === 0);
    await one.untilWorking([]);
    // What it asks in a busy minute leaves its exits their requests.
    const refused = (await one.simulator.wire()).filter(({ status }) => status === 429);
    expect(refused).toEqual([]);
  },
);
