// The goal: what a broker inside the gateway keeps changes all at once, and only by its last writer.
// The method: commit to a real Redis from several writers, in order and out of it.
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import {
  brokerStateScripts,
  createRedisBrokerState,
} from "../../src/store/accounts/redis-broker-state.ts";
import type { BrokerStateStore } from "../../src/trading/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ACCOUNT = accountId("paper-1");

let corner: RedisCorner;
let state: BrokerStateStore;

beforeEach(async () => {
  corner = await openCorner();
  const redis = await corner.open("worker", brokerStateScripts);
  state = createRedisBrokerState({ redis, keys: corner.keys });
});
afterEach(() => corner.close());

/** One numbered write, on top of the one before it. */
const commit = (nth: number, put: Record<string, string> = {}, remove: string[] = []) =>
  state.commit(ACCOUNT, {
    put: new Map(Object.entries({ ...put, writes: String(nth) })),
    remove,
    expect: { key: "writes", value: nth === 1 ? undefined : String(nth - 1) },
  });
const load = async () => Object.fromEntries(await state.load(ACCOUNT));

test("an account that was never written is empty", async () => {
  expect(await load()).toEqual({});
});

test("an account is read however long this process had its hands full meanwhile", async () => {
  const own = await openCorner(undefined, { answersOnTime: true });
  onTestFinished(() => own.close());
  const redis = await own.open("request", brokerStateScripts);
  state = createRedisBrokerState({ redis, keys: own.keys });
  await commit(1, { held: "1" });
  const [loading, asked] = [load(), redis.ping()];
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  expect(await asked).toBe("PONG");
  expect(await loading).toEqual({ writes: "1", held: "1" });
});

test("entries are put and removed together, whatever is in them", async () => {
  await commit(1, { "order:1": "{}", "order:2": "", "a b": "é\n\u0000" });
  await commit(2, { "order:3": "x" }, ["order:1", "never there"]);
  expect(await load()).toEqual({ writes: "2", "order:2": "", "a b": "é\n\u0000", "order:3": "x" });
  expect(Object.fromEntries(await state.load(accountId("paper-2")))).toEqual({});
});

test("a writer that was replaced changes nothing", async () => {
  await commit(1, { held: "1" });
  await commit(2, { held: "2" });
  await expect(commit(2, { held: "late" }, ["held"])).rejects.toThrow("another process");
  await expect(commit(1, { held: "later" })).rejects.toThrow("another process");
  await expect(commit(4, { held: "early" })).rejects.toThrow("another process");
  expect(await load()).toEqual({ writes: "2", held: "2" });
});

test("an empty value is not a missing one", async () => {
  const put = new Map([["mark", ""]]);
  await state.commit(ACCOUNT, { put, remove: [], expect: { key: "mark", value: undefined } });
  const missing = { put, remove: [], expect: { key: "mark", value: undefined } };
  await expect(state.commit(ACCOUNT, missing)).rejects.toThrow("another process");
  await state.commit(ACCOUNT, { ...missing, expect: { key: "mark", value: "" } });
});

test("of twenty writers at once, one wins", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => commit(1, { winner: String(n) })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.findIndex(({ status }) => status === "fulfilled")).toBe(
    Number((await load())["winner"]),
  );
});

test("a thousand entries go in one step", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`order:${n}`, "x"]));
  await commit(1, many);
  await commit(2, {}, Object.keys(many));
  expect(await load()).toEqual({ writes: "2" });
});

test("what was committed is there after Redis was killed", async () => {
  const { server, signal, exits } = await startTestRedis(await temporaryFolder());
  const own = await openCorner(server.path);
  onTestFinished(() => own.close());
  const redis = await own.open("worker", brokerStateScripts);
  const kept = createRedisBrokerState({ redis, keys: own.keys });
  const expected = { key: "writes", value: undefined };
  await kept.commit(ACCOUNT, { put: new Map([["writes", "1"]]), remove: [], expect: expected });
  signal("SIGKILL");
  await waitUntil("the server is gone", () => exits.length === 1);
  expect(await kept.load(ACCOUNT)).toEqual(new Map([["writes", "1"]]));
  // The restarted Redis has forgotten the script; the write goes through all the same.
  const next = { key: "writes", value: "1" };
  await kept.commit(ACCOUNT, { put: new Map([["writes", "2"]]), remove: [], expect: next });
  expect(await kept.load(ACCOUNT)).toEqual(new Map([["writes", "2"]]));
});
