import type * as timersPromises from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ConnectionSupervisor } from "../../../src/brokers/connection-supervisor.ts";
import type { ConnectionStatus } from "../../../src/domain/connection-status.ts";
import { connectionId } from "../../../src/domain/ids.ts";
import { ScriptedAdapter } from "./connection-kit.ts";

/** Every wait of the supervisor, over at once. */
const delays = vi.hoisted(() => [] as number[]);

vi.mock("node:timers/promises", async (original) => {
  const timers = await original<typeof timersPromises>();
  return {
    ...timers,
    setTimeout: async (ms: number, value: unknown, options: object) => {
      delays.push(ms);
      return await timers.setTimeout(1, value, options);
    },
  };
});

let adapter: ScriptedAdapter;
let statuses: ConnectionStatus[];
let errors: unknown[];
let supervisor: ConnectionSupervisor;
let onSession: () => Promise<void>;
let jitter: number;
let mayRun: boolean;

beforeEach(() => {
  delays.length = 0;
  adapter = new ScriptedAdapter();
  [statuses, errors, jitter, mayRun] = [[], [], 0, true];
  onSession = async () => undefined;
  supervisor = new ConnectionSupervisor({
    mayRun: () => mayRun,
    connectionId: connectionId("paper"),
    adapter,
    onSession: async () => await onSession(),
    onStatus: (status) => statuses.push(status),
    onError: (error) => errors.push(error),
    random: () => jitter,
  });
});
afterEach(() => supervisor.stop());

const settled = async (isTrue: () => boolean) =>
  await vi.waitFor(() => expect(isTrue()).toBe(true));
const connected = () => supervisor.status === "CONNECTED";
const session = (nth: number) => {
  const found = adapter.sessions[nth];
  if (found === undefined) throw new Error(`There was no session ${nth}`);
  return found;
};

describe("the status", () => {
  test("goes from connecting to connected, and to disconnected in the end", async () => {
    expect(supervisor.status).toBe("DISCONNECTED");
    supervisor.start();
    expect(supervisor.status).toBe("CONNECTING");
    await settled(connected);
    await supervisor.stop();
    expect(statuses).toEqual(["CONNECTING", "CONNECTED", "DISCONNECTED"]);
    expect(errors).toEqual([]);
  });

  test("a session that breaks is followed by another one", async () => {
    supervisor.start();
    await settled(connected);
    session(0).break(new Error("The link was cut"));
    await settled(() => adapter.sessions.length === 2 && connected());
    expect(statuses).toEqual(["CONNECTING", "CONNECTED", "RECONNECTING", "CONNECTED"]);
    expect(errors).toMatchObject([{ message: "The link was cut" }]);
  });

  test("is connected only after the session was taken over", async () => {
    let takenOver: () => void = () => undefined;
    onSession = () => new Promise((resolve) => (takenOver = resolve));
    supervisor.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(supervisor.status).toBe("CONNECTING");
    takenOver();
    await settled(connected);
  });

  test("sessions that cannot begin say so once, and go on", async () => {
    adapter.failure = new Error("ECONNREFUSED");
    supervisor.start();
    await settled(() => adapter.sessions.length >= 4);
    expect(statuses).toEqual(["CONNECTING", "RECONNECTING"]);
    adapter.failure = undefined;
    await settled(connected);
  });
});

describe("the delay before another try", () => {
  test.each([
    [0, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]],
    [0.5, [375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]],
    [1, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  ])("doubles with each failure up to its bound, jittered by %f", async (random, expected) => {
    jitter = random;
    adapter.failure = new Error("ECONNREFUSED");
    supervisor.start();
    await settled(() => delays.length >= expected.length);
    expect(delays.slice(0, expected.length)).toEqual(expected);
  });

  test("is the shortest again after a session that stood", async () => {
    adapter.failure = new Error("ECONNREFUSED");
    supervisor.start();
    await settled(() => delays.length >= 3);
    adapter.failure = undefined;
    await settled(connected);
    delays.length = 0;
    session(adapter.sessions.length - 1).break(new Error("The link was cut"));
    await settled(() => delays.length > 0 && connected());
    expect(delays).toEqual([125]);
  });
});

describe("a session that cannot be taken over", () => {
  test("is ended and tried again, and never counts as connected", async () => {
    let failures = 2;
    onSession = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("The accounts cannot be read");
    };
    supervisor.start();
    await settled(connected);
    expect(adapter.sessions).toHaveLength(3);
    expect(adapter.sessions.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(statuses).toEqual(["CONNECTING", "RECONNECTING", "CONNECTED"]);
    expect(errors).toHaveLength(2);
    expect(delays).toEqual([250, 500]);
  });

  test("a take-over that ends after its session broke connects nothing", async () => {
    const takeOvers: (() => void)[] = [];
    onSession = () => new Promise((resolve) => takeOvers.push(resolve));
    supervisor.start();
    await settled(() => takeOvers.length === 1);
    session(0).break(new Error("The link was cut"));
    await settled(() => takeOvers.length === 2);
    takeOvers[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(supervisor.status).toBe("RECONNECTING");
    takeOvers[1]?.();
    await settled(connected);
  });
});

describe("stopping", () => {
  test("while it connects ends the session and tries no other", async () => {
    adapter.readiness = "by hand";
    supervisor.start();
    await supervisor.stop();
    expect(session(0).signal.aborted).toBe(true);
    expect(adapter.sessions).toHaveLength(1);
    expect(statuses).toEqual(["CONNECTING", "DISCONNECTED"]);
  });

  test("while a session is taken over never becomes connected", async () => {
    let takenOver: () => void = () => undefined;
    onSession = () => new Promise((resolve) => (takenOver = resolve));
    supervisor.start();
    await supervisor.stop();
    takenOver();
    await new Promise((resolve) => setImmediate(resolve));
    expect(supervisor.status).toBe("DISCONNECTED");
    expect(statuses).toEqual(["CONNECTING", "DISCONNECTED"]);
  });

  test("while it waits for the next try ends at once", async () => {
    adapter.failure = new Error("ECONNREFUSED");
    supervisor.start();
    await settled(() => supervisor.status === "RECONNECTING");
    await supervisor.stop();
    const tried = adapter.sessions.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(adapter.sessions).toHaveLength(tried);
    expect(supervisor.status).toBe("DISCONNECTED");
  });

  test("before it started, and twice, does no harm", async () => {
    await supervisor.stop();
    await supervisor.stop();
    expect(statuses).toEqual([]);
  });
});

test("starting twice is a mistake of ours", () => {
  supervisor.start();
  expect(() => supervisor.start()).toThrow("a supervisor starts once");
});

describe("a connection that another process may own", () => {
  test("begins no session until it is ours for sure: its login would end the owner's", async () => {
    mayRun = false;
    supervisor.start();
    await settled(() => delays.length > 3);
    expect(adapter.sessions).toEqual([]);
    mayRun = true;
    await settled(connected);
  });
});

describe("a resync", () => {
  test("halts, reads the broker again, and goes on in the same session", async () => {
    let reads = 0;
    onSession = async () => void (reads += 1);
    supervisor.start();
    await settled(connected);
    supervisor.resync();
    expect(supervisor.status).toBe("RECONNECTING");
    await settled(connected);
    expect([reads, adapter.sessions.length]).toEqual([2, 1]);
  });

  test("that is asked for while the broker is being read is not forgotten", async () => {
    let reads = 0;
    onSession = async () => {
      reads += 1;
      if (reads === 1) supervisor.resync();
    };
    supervisor.start();
    await settled(connected);
    expect(reads).toBe(2);
  });
});
