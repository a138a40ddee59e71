// The goal: a lane that works off its queue asks its store once between two intents.
// The method: intents that come while one is in hand, and a list of what the dispatcher asks for.
import { afterEach, beforeEach, expect, test } from "vitest";
import { LaneDispatcher } from "../../queues/lane-dispatcher.ts";
import type { LaneStore } from "../../src/trading/lane/ports.ts";
import { ACCOUNT, IntentKit } from "../support/intent-kit.ts";
import { openLaneStore } from "../support/intent-store.ts";
import { waitUntil } from "../support/wait.ts";

let kit: IntentKit;

beforeEach(async () => {
  kit = await IntentKit.open();
});
afterEach(() => kit.corner.close());

test("one command for each intent, however often the lane is rung meanwhile", async () => {
  const { redis, corner } = kit;
  const asked: string[] = [];
  const store = openLaneStore({ redis, keys: corner.keys });
  const lanes: LaneStore = {
    take: async (...of) => (asked.push("take"), await store.take(...of)),
    finish: async (...of) => (asked.push("finish"), await store.finish(...of)),
    giveBack: async (...of) => (asked.push("giveBack"), await store.giveBack(...of)),
    putBack: async (...of) => (asked.push("putBack"), await store.putBack(...of)),
  };
  let goOn: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const worked: string[] = [];
  const dispatcher = new LaneDispatcher({
    redis,
    prefix: corner.keys.lanes,
    lanes,
    work: async (_account, id) => {
      worked.push(id);
      await opened;
      return { kind: "done", announce: async () => undefined };
    },
    openKeyOf: corner.keys.open,
    settlePending: async () => false,
    accounts: () => [],
    mayWork: () => true,
    onError: (error) => {
      throw error;
    },
    onDropped: () => undefined,
  });
  dispatcher.start();

  const expected: string[] = [];
  for (let n = 1; n <= 3; n += 1) {
    expected.push(await kit.accept());
    dispatcher.ring(ACCOUNT);
    await waitUntil("one is in hand", () => worked.length === 1);
  }
  goOn();
  await dispatcher.finished([ACCOUNT]);
  await dispatcher.stop();
  expect(worked).toEqual(expected);
  expect(asked).toEqual(["take", "finish", "finish", "finish"]);
});
