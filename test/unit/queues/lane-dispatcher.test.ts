// The goal: a look at an account leaves nothing behind that its lane has to do. The method: the dispatcher with
// a lane in memory, and work that a test can fail or hold.
import { afterEach, expect, test } from "vitest";
import { encodeLaneJob } from "../../../queues/lane.ts";
import { LaneDispatcher } from "../../../queues/lane-dispatcher.ts";
import type { RedisClient } from "../../../queues/redis-client.ts";
import { accountId, type IntentId, intentId } from "../../../src/domain/ids.ts";
import { waitUntil } from "../../support/wait.ts";

const ACCOUNT = accountId("paper-1");
const data = encodeLaneJob({ replyTo: "" });

let dispatcher: LaneDispatcher | undefined;
afterEach(async () => await dispatcher?.stop());

/** One lane, of which everything is asked for by the test. */
function open(work: (id: IntentId) => Promise<void>, settle = async () => false) {
  const lane = { waiting: [] as IntentId[], active: undefined as IntentId | undefined };
  const done: IntentId[] = [];
  const seen = { settled: 0, taken: 0 };
  const take = async () => {
    seen.taken += 1;
    if (lane.active !== undefined) return undefined;
    lane.active = lane.waiting.shift();
    return lane.active && { intentId: lane.active, data };
  };
  const back = () => {
    if (lane.active !== undefined) lane.waiting.unshift(lane.active);
    lane.active = undefined;
  };
  const opened = new LaneDispatcher({
    redis: { exists: async () => 0 } as unknown as RedisClient,
    prefix: "",
    lanes: {
      take,
      putBack: async () => back(),
      giveBack: async () => back(),
      finish: async (_account, id, { takesNext }) => {
        const wasActive = lane.active === id;
        done.push(id);
        lane.active = undefined;
        const next = takesNext ? await take() : undefined;
        return { record: undefined, wasActive, next };
      },
    },
    work: async (_account, id) => {
      await work(id);
      return { kind: "done", announce: async () => undefined };
    },
    openKeyOf: () => "",
    settlePending: async () => {
      seen.settled += 1;
      return await settle();
    },
    accounts: () => [],
    mayWork: () => true,
    onError: () => undefined,
    onDropped: () => undefined,
  });
  dispatcher = opened;
  opened.start();
  return { opened, lane, done, seen };
}

const idle = async (of: LaneDispatcher) =>
  await waitUntil("the lane rests", async () => of.busy === 0);

test("a look settles once, and reads no lane", async () => {
  const { opened, seen } = open(async () => undefined);
  opened.look(ACCOUNT);
  await idle(opened);
  expect(seen).toEqual({ settled: 1, taken: 0 });
});

test("a look that is asked for while another one settles is done after it", async () => {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  const { opened, seen } = open(
    async () => undefined,
    async () => {
      await held;
      return false;
    },
  );
  opened.look(ACCOUNT);
  opened.look(ACCOUNT);
  opened.look(ACCOUNT);
  go();
  await idle(opened);
  expect(seen.settled).toBe(2);
});

test("an intent that is added while a look settles is worked after it", async () => {
  const { opened, lane, done } = open(async () => undefined);
  opened.look(ACCOUNT);
  const id = intentId(`i${"1".repeat(28)}`);
  lane.waiting.push(id);
  opened.ring(ACCOUNT, id);
  await idle(opened);
  expect(done).toEqual([id]);
});

test("a look at a lane whose work has failed has it worked again, and nothing overtakes it", async () => {
  let tries = 0;
  const { opened, lane, done } = open(async () => {
    tries += 1;
    if (tries === 1) throw new Error("not now");
  });
  const id = intentId(`i${"2".repeat(28)}`);
  lane.waiting.push(id);
  opened.settlePending(ACCOUNT);
  await idle(opened);
  expect([tries, lane.active]).toEqual([1, id]);
  opened.look(ACCOUNT);
  await idle(opened);
  expect([tries, done, lane.active]).toEqual([2, [id], undefined]);
});
