import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConnectionSupervisor } from "../../../src/brokers/connection-supervisor.ts";
import type { ConnectionStatus, ConnectionWhy } from "../../../src/domain/connection-status.ts";
import { connectionId } from "../../../src/domain/ids.ts";
import {
  CredentialsRefusedError,
  SessionImpossibleError,
} from "../../../src/brokers/session-errors.ts";
import { ScriptedAdapter } from "./connection-kit.ts";
import { StopTable } from "./memory-stops.ts";
import { watchSleeps } from "./watch-sleeps.ts";
import { eventually } from "../../support/wait.ts";

/** Every wait of the supervisor, over at once. */
let delays: number[];
let adapter: ScriptedAdapter;
let statuses: ConnectionStatus[];
let errors: unknown[];
let whys: (ConnectionWhy | undefined)[];
let supervisor: ConnectionSupervisor;
let onSession: () => Promise<void>;
let jitter: number;
let mayRun: boolean;
let stops: StopTable;
let retries: number;
let now: number;

const PAPER = connectionId("paper");

beforeEach(() => {
  delays = watchSleeps();
  adapter = new ScriptedAdapter();
  [statuses, errors, jitter, mayRun, retries, now] = [[], [], 0, true, 0, 0];
  whys = [];
  stops = new StopTable();
  onSession = async () => undefined;
  supervisor = new ConnectionSupervisor({
    mayRun: () => mayRun,
    connectionId: PAPER,
    adapter,
    onSession: async () => await onSession(),
    onStatus: (status) => statuses.push(status),
    onRetry: () => (retries += 1),
    loginStop: stops.of(PAPER),
    onError: (error) => errors.push(error),
    random: () => jitter,
    elapsed: () => now,
    now: () => 1_000_000,
    onState: () => whys.push(supervisor.why),
  });
});
afterEach(() => supervisor.stop());

const settled = async (isTrue: () => boolean) =>
  await eventually(() => expect(isTrue()).toBe(true));
const connected = () => supervisor.status === "CONNECTED";
const session = (nth: number) => {
  const found = adapter.sessions[nth];
  if (found === undefined) throw new Error(`There was no session ${nth}`);
  return found;
};

describe("why it is not connected", () => {
  test("is said with each status, and with when the next login is tried", async () => {
    expect(supervisor.why).toEqual({ reason: "It is not begun yet" });
    supervisor.start();
    expect(supervisor.why).toEqual({ reason: "The gateway is logging in" });
    await settled(connected);
    expect(supervisor.why).toBeUndefined();
    session(0).break(
      new Error("Another session took over, token abcdefghijabcdefghijabcdefghijabcdefghij"),
    );
    await settled(() => adapter.sessions.length === 2 && connected());
    expect(whys.at(-2)).toEqual({
      reason: "Another session took over, token [removed]",
      retryAt: 1_000_250,
    });
    await supervisor.stop();
    expect(supervisor.why).toEqual({ reason: "The gateway has let go of the connection" });
  });

  test("goes on while the broker's rules put the next login off, with its time", async () => {
    supervisor.start();
    await settled(connected);
    adapter.readiness = "by hand";
    session(0).break(new Error("Another session took over"));
    await settled(() => adapter.sessions.length === 2);
    session(1).onWait?.(60_000);
    expect([supervisor.status, supervisor.why]).toEqual([
      "RECONNECTING",
      { reason: "Another session took over", retryAt: 1_060_000 },
    ]);
  });

  test("is said of a login that is put off before any session", async () => {
    adapter.readiness = "by hand";
    supervisor.start();
    await settled(() => adapter.sessions.length === 1);
    session(0).onWait?.(20_000);
    expect(supervisor.why).toMatchObject({
      reason: expect.stringContaining("spaced out") as unknown,
      retryAt: 1_020_000,
    });
  });
});

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
    await settled(() => adapter.sessions.length === 1);
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

  /** Three that fail, one that is connected for so long, and the one after it. */
  async function delayAfter(stoodMs: number): Promise<number | undefined> {
    adapter.failure = new Error("ECONNREFUSED");
    supervisor.start();
    await settled(() => delays.length >= 3);
    adapter.failure = undefined;
    await settled(connected);
    delays.length = 0;
    now += stoodMs;
    session(adapter.sessions.length - 1).break(new Error("The link was cut"));
    await settled(() => delays.length > 0 && connected());
    return delays[0];
  }

  test("is the shortest again after a session that stood for a while", async () => {
    expect(await delayAfter(10_000)).toBe(125);
  });

  test("goes on growing when a broker lets in and drops at once", async () => {
    expect(await delayAfter(9_999)).toBeGreaterThanOrEqual(2_000);
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
    await settled(() => adapter.sessions.length === 1);
    await supervisor.stop();
    expect(session(0).signal.aborted).toBe(true);
    expect(adapter.sessions).toHaveLength(1);
    expect(statuses).toEqual(["CONNECTING", "DISCONNECTED"]);
  });

  test("while a session is taken over never becomes connected", async () => {
    let takenOver: () => void = () => undefined;
    onSession = () => new Promise((resolve) => (takenOver = resolve));
    supervisor.start();
    await settled(() => adapter.sessions.length === 1);
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

describe.each([
  ["credentials that are refused", "AUTH_EXPIRED", new CredentialsRefusedError("Wrong password")],
  ["a session that cannot be", "FATAL_ERROR", new SessionImpossibleError("Account closed")],
] as const)("%s", (_, status, failure) => {
  const stopped = () => supervisor.status === status;

  test("stop the logins at once, and are kept for other owners", async () => {
    adapter.failure = failure;
    supervisor.start();
    await settled(() => delays.length > 2);
    expect(adapter.sessions).toHaveLength(1);
    expect(statuses).toEqual(["CONNECTING", status]);
    expect(await stops.stopOf(PAPER)).toEqual({ status, reason: failure.message });
    expect(retries).toBe(0);
  });

  test("of an earlier owner keep from the first login", async () => {
    await stops.stop(PAPER, 1, { status, reason: "As before" });
    supervisor.start();
    await settled(() => delays.length > 2);
    expect([adapter.sessions.length, supervisor.status]).toEqual([0, status]);
  });

  test("that break a session which stood stop it too", async () => {
    supervisor.start();
    await settled(connected);
    session(0).break(failure);
    await settled(stopped);
    expect(adapter.sessions).toHaveLength(1);
  });

  test("that come up while a session is taken over stop it too", async () => {
    onSession = async () => await Promise.reject(failure);
    supervisor.start();
    await settled(stopped);
    await settled(() => delays.length > 2);
    expect(adapter.sessions).toHaveLength(1);
  });

  test("are tried again once a person has asked, also when no word of it comes", async () => {
    adapter.failure = failure;
    supervisor.start();
    await settled(stopped);
    adapter.failure = undefined;
    stops.resume(PAPER);
    await settled(connected);
    expect(statuses).toEqual(["CONNECTING", status, "CONNECTING", "CONNECTED"]);
    expect(adapter.sessions).toHaveLength(2);
  });

  test("stay stopped while the store cannot keep it, and are kept when it can", async () => {
    adapter.failure = failure;
    supervisor.start();
    stops.failure = new Error("The store is away");
    await settled(() => errors.length > 2);
    stops.failure = undefined;
    await settled(() => adapter.sessions.length === 1 && stopped());
    await eventually(async () => expect(await stops.stopOf(PAPER)).toMatchObject({ status }));
    expect(adapter.sessions).toHaveLength(1);
  });

  test("are left to a later owner, and not tried again here", async () => {
    stops.isOurs = false;
    adapter.failure = failure;
    supervisor.start();
    await settled(() => delays.length > 3);
    expect([adapter.sessions.length, supervisor.status]).toEqual([1, status]);
  });
});

describe("a broker that is silent", () => {
  test("loses its session after the time its adapter allows, and is connected anew", async () => {
    let heardAt: number | undefined;
    let looks = 0;
    const lastMessageAt = () => {
      looks += 1;
      return heardAt;
    };
    Object.assign(adapter, { silentAfterMs: 100, lastMessageAt });
    supervisor.start();
    await settled(connected);
    heardAt = now += 99;
    now += 99;
    looks = 0;
    await settled(() => looks > 2);
    expect(adapter.sessions).toHaveLength(1);
    now += 1;
    await settled(() => adapter.sessions.length === 2 && connected());
    expect(session(0).signal.aborted).toBe(true);
    expect(errors).toMatchObject([{ message: "The broker has said nothing for 0.1 s" }]);
    expect(retries).toBe(1);
  });

  test("is given up before its first word too: the session's begin counts as one", async () => {
    Object.assign(adapter, { silentAfterMs: 100, lastMessageAt: () => undefined });
    adapter.readiness = "by hand";
    supervisor.start();
    await settled(() => adapter.sessions.length === 1);
    now += 100;
    await settled(() => adapter.sessions.length === 2);
    expect(session(0).signal.aborted).toBe(true);
  });
});
