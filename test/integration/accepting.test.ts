// The goal: what Redis may have accepted is known, whatever it forgets and however late it answers.
// The method: stop, flush and kill a real server under the store's own connection.
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { ACCOUNT, DONE, IntentKit } from "../support/intent-kit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { entryOf } from "../unit/store/alert-kit.ts";
import { openCorner } from "../unit/store/open-redis.ts";

let kit: IntentKit;

beforeEach(async () => {
  kit = await IntentKit.open();
});
afterEach(() => kit.corner.close());

const newIntent: IntentKit["newIntent"] = async (change) => await kit.newIntent(change);

test("a Redis that answers too late is asked what it has accepted", async () => {
  const { server, signal } = await startTestRedis(await temporaryFolder());
  const own = await openCorner(server.path, { answersOnTime: true });
  onTestFinished(() => own.close());
  const client = await own.open("request", intentScripts);
  const store = openIntentStore({ redis: client, keys: own.keys, retentionMs: 60_000 });
  const receivedAt = await store.now();
  const inTime = await newIntent({ receivedAt: receivedAt + 60_000 });
  // In time as it is sent. Redis is away for a second or more, and then it is too late.
  const tooLate = await newIntent({ receivedAt: receivedAt - 1_500 });
  // Of an alert, what opens nothing is never too late.
  const old = await newIntent({ receivedAt: receivedAt - 60_000 });
  const exit = { ...old, alert: { entry: entryOf(old) } };

  signal("SIGSTOP");
  onTestFinished(() => signal("SIGCONT"));
  const answers = [inTime, tooLate, exit].map((intent) => store.accept(intent));
  // Sent after them, so they are given up no later than this one.
  await expect(client.get("any")).rejects.toThrow("Command timed out");
  signal("SIGCONT");
  const [first, second, third] = await Promise.allSettled(answers);
  expect(first).toMatchObject({ value: { kind: "accepted" } });
  expect(second).toMatchObject({ reason: { certainlyNotWritten: true } });
  expect(third).toMatchObject({ value: { kind: "accepted" } });
  expect(await store.unsettled(ACCOUNT)).toHaveLength(2);
  expect(await client.lrange(`${own.keys.lane(ACCOUNT)}:wait`, 0, -1)).toEqual([
    exit.intentId,
    inTime.intentId,
  ]);
});

describe("a Redis that has forgotten the scripts", () => {
  test("is given them again by every step", async () => {
    const { server } = await startTestRedis(await temporaryFolder());
    const own = await openCorner(server.path);
    onTestFinished(() => own.close());
    const client = await own.open("request", intentScripts);
    const store = openIntentStore({ redis: client, keys: own.keys, retentionMs: 60_000 });
    const first = await newIntent();
    await store.accept(first);

    await client.script("FLUSH");
    const { intentId: id } = first;
    const context = await store.loadForLane(ACCOUNT, id);
    if (context === undefined) throw new Error("it was accepted");
    expect(context.record.state).toBe("PREPARED");
    await client.script("FLUSH");
    expect(await store.settle(context.record, DONE)).toMatchObject({ state: "DONE" });
    await client.script("FLUSH");
    const next = await newIntent();
    expect(await store.accept(next)).toEqual({ kind: "accepted" });
    expect(await store.find(ACCOUNT, next.intentId)).toMatchObject({ state: "PREPARED" });
  });

  test("after a restart they are loaded again with the connection", async () => {
    const { server, signal, exits } = await startTestRedis(await temporaryFolder());
    const own = await openCorner(server.path);
    onTestFinished(() => own.close());
    const client = await own.open("request", intentScripts);
    const store = openIntentStore({ redis: client, keys: own.keys, retentionMs: 60_000 });
    const kept = await newIntent();
    await store.accept(kept);

    signal("SIGKILL");
    await waitUntil("the server is gone", () => exits.length === 1);
    await waitUntil("intents are accepted again", () =>
      newIntent()
        .then((intent) => store.accept(intent))
        .then(
          ({ kind }) => kind === "accepted",
          () => false,
        ),
    );
    expect(await store.find(ACCOUNT, kept.intentId)).toMatchObject({ state: "PREPARED" });
  });
});
