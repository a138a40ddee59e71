import { beforeEach, describe, expect, test } from "vitest";
import type { ConnectionStatus } from "../../../../src/domain/connection-status.ts";
import {
  type AccountId,
  accountId,
  type ConnectionId,
  connectionId,
  userId,
} from "../../../../src/domain/ids.ts";
import type { ConnectionRecord } from "../../../../src/trading/connections/connection-records.ts";
import type {
  BrokerCatalog,
  ConnectionTrial,
} from "../../../../src/trading/connections/connection-setups.ts";
import type { ConnectionUses } from "../../../../src/trading/connections/connection-uses.ts";
import { createConnectionUses } from "../../../../src/trading/connections/manage-connections.ts";
import { createRequireConnection } from "../../../../src/trading/connections/require-connection.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { SetupTable } from "./memory-setups.ts";

const OURS = { userId: userId("u_1") };
const THEM = { userId: userId("u_2") };
const RECORD = {
  ...OURS,
  connectionId: connectionId("own-1"),
  broker: "simulator",
  environment: "demo",
  status: "AUTH_EXPIRED",
  since: 1_000,
  stop: { status: "AUTH_EXPIRED", reason: "Wrong password" },
} as const satisfies ConnectionRecord;
const THEIRS = { ...RECORD, ...THEM, connectionId: connectionId("own-2") };

/** One broker, whose connections need a name and a password. */
const brokers: BrokerCatalog = {
  names: () => ["sim", "live-only"],
  offers: () => [],
  environmentsOf: (broker) => (broker === "sim" ? ["demo", "live"] : ["live"]),
  secretsOf: () => ["password"],
  placesOf: () => ["restUrl", "firm"],
  loginOf: (_, { name }) => (name === "anyone" ? [] : [String(name)]),
  check: (_, settings, kept) =>
    ["name", "password"]
      .filter((field) => !(field in settings) && !kept.includes(field))
      .map((field) => ({ path: `settings.${field}`, message: "is needed" })),
};

let records: Map<ConnectionId, ConnectionRecord>;
let setups: SetupTable;
let resumed: ConnectionId[];
let inactive: ConnectionId[];
let reactivated: AccountId[];
let trials: number;
let trial: () => Promise<ConnectionTrial>;
let uses: ConnectionUses;

beforeEach(() => {
  records = new Map([RECORD, THEIRS].map((record) => [record.connectionId, record]));
  setups = new SetupTable();
  [resumed, inactive, reactivated, trials] = [[], [], [], 0];
  trial = async () => ({ result: "ok", accounts: [] });
  uses = createConnectionUses({
    brokers,
    setups,
    records: {
      list: async () => [...records.values()],
      find: async (id) => records.get(id),
      resume: async (id) => void resumed.push(id),
      describe: async (id, facts) => {
        records.set(id, { ...facts, connectionId: id, status: "DISCONNECTED", since: 0 });
      },
    },
    seals: { seal: async (id, field, text) => `sealed ${id} ${field} ${text.length}` },
    accounts: {
      load: async () => undefined,
      of: () => [],
      on: (id) => [{ accountId: accountId(`${id}-1`), active: false } as StoredAccount],
      report: async (id, accounts) => {
        const active = accounts.filter((account) => account.active);
        if (active.length === 0) inactive.push(id);
        else reactivated.push(...active.map((account) => account.accountId));
      },
    },
    tryConnection: async () => {
      trials += 1;
      return await trial();
    },
    newDeviceId: () => "device-1",
    now: () => 5_000,
  });
});

const SETTINGS = { name: "joe", password: "hunter2" };
const ADD = { broker: "sim", environment: "demo", name: "Mine", settings: SETTINGS } as const;

async function add(name = SETTINGS.name): Promise<ConnectionId> {
  const settings = { ...SETTINGS, name };
  return (await uses.addConnection(OURS, { ...ADD, settings })).connectionId;
}

const stand = (id: ConnectionId, status: ConnectionStatus) =>
  records.set(id, { ...OURS, ...RECORD, connectionId: id, status });

/** As it is once nothing stops it. */
function connect(id: ConnectionId): void {
  const { stop: _, ...free } = RECORD;
  records.set(id, { ...OURS, ...free, connectionId: id, status: "CONNECTED" });
}

const VIEW = {
  connectionId: "own-1",
  broker: "simulator",
  environment: "demo",
  status: "AUTH_EXPIRED",
  since: 1_000,
  reason: "Wrong password",
};

describe("a connection of the gateway's own settings", () => {
  test("is listed to its user, with the broker's words", async () => {
    expect(await uses.listConnections(OURS)).toEqual([VIEW]);
  });

  test("may log in again", async () => {
    expect(await uses.reconnectConnection(OURS, RECORD.connectionId)).toEqual({
      ...VIEW,
      next: "It logs in now",
    });
    expect(resumed).toEqual(["own-1"]);
  });

  test("that is connected has no session to begin anew, and says so", async () => {
    connect(RECORD.connectionId);
    const { next } = await uses.reconnectConnection(OURS, RECORD.connectionId);
    expect(next).toMatch(/^It is part of the gateway/);
  });

  test("is not changed, removed or tested", async () => {
    const refused = { name: "CONNECTION_FIXED" };
    const id = RECORD.connectionId;
    await expect(uses.changeConnection(OURS, id, { paused: true })).rejects.toMatchObject(refused);
    await expect(uses.removeConnection(OURS, id)).rejects.toMatchObject(refused);
    await expect(uses.testConnection(OURS, id)).rejects.toMatchObject(refused);
    expect([inactive, trials]).toEqual([[], 0]);
  });
});

test.each([
  ["another user's", THEIRS.connectionId],
  ["an unknown", connectionId("own-3")],
])("%s connection is not found, and stays as it is", async (_, id) => {
  const notFound = { name: "NOT_FOUND" };
  await expect(uses.findConnection(OURS, id)).rejects.toMatchObject(notFound);
  await expect(uses.reconnectConnection(OURS, id)).rejects.toMatchObject(notFound);
  await expect(uses.changeConnection(OURS, id, { name: "x" })).rejects.toMatchObject(notFound);
  await expect(uses.removeConnection(OURS, id)).rejects.toMatchObject(notFound);
  await expect(uses.testConnection(OURS, id)).rejects.toMatchObject(notFound);
  expect(resumed).toEqual([]);
});

describe("adding", () => {
  test("keeps settings, seals secrets, and shows only that they are set", async () => {
    const view = await uses.addConnection(OURS, ADD);
    expect(view.setup).toEqual({
      name: "Mine",
      paused: false,
      settings: { name: "joe" },
      secrets: { password: true },
    });
    expect(await setups.list()).toMatchObject([
      {
        ...OURS,
        settings: { name: "joe" },
        sealed: { password: `sealed ${view.connectionId} password 7` },
        deviceId: "device-1",
        untried: true,
      },
    ]);
    expect(JSON.stringify([view, await setups.list()])).not.toContain("hunter2");
  });

  test.each([
    ["an unknown broker", { ...ADD, broker: "acme" }, "broker"],
    ["an environment that it lacks", { ...ADD, broker: "live-only" }, "environment"],
    ["a missing secret", { ...ADD, settings: { name: "joe" } }, "settings.password"],
  ])("%s is refused at its place", async (_, request, path) => {
    await expect(uses.addConnection(OURS, request)).rejects.toMatchObject({
      name: "VALIDATION_FAILED",
      details: [{ path }],
    });
    expect(await setups.list()).toEqual([]);
  });

  test("has an end, and each user has one of their own", async () => {
    for (let count = 0; count < 100; count += 1) await add(`joe-${count}`);
    await expect(add()).rejects.toMatchObject({ name: "TOO_MANY_CONNECTIONS" });
    expect((await uses.addConnection(THEM, ADD)).setup?.name).toBe("Mine");
  });
});

describe("a login", () => {
  const inUse = (words: string) => ({
    name: "LOGIN_IN_USE",
    message: expect.stringContaining(words) as string,
  });

  test("belongs in one connection, however it is written", async () => {
    const id = await add();
    await expect(add("JOE")).rejects.toMatchObject(inUse(`"${id}"`));
    expect((await setups.list()).map((setup) => setup.connectionId)).toEqual([id]);
  });

  test("of somebody else is not told whose it is", async () => {
    const id = await add();
    const refused = inUse("Another user's connection");
    const asked = uses.addConnection(THEM, ADD);
    await expect(asked).rejects.toMatchObject(refused);
    await expect(asked).rejects.not.toThrow(id);
  });

  test("of the other environment is another one", async () => {
    await add();
    await uses.addConnection(OURS, { ...ADD, environment: "live" });
    expect(setups.kept.size).toBe(2);
  });

  test("is not taken over by a change either, and its own is kept", async () => {
    const [joe, jane] = [await add(), await add("jane")];
    const change = (name: string) => uses.changeConnection(OURS, jane, { settings: { name } });
    await expect(change("joe")).rejects.toMatchObject(inUse(`"${joe}"`));
    expect((await change("Jane")).setup?.settings).toEqual({ name: "Jane" });
  });

  test("is free again once its connection is removed or has another", async () => {
    const id = await add();
    await uses.changeConnection(OURS, id, { settings: { name: "jane" } });
    await uses.removeConnection(OURS, await add());
    expect(await add()).toBeDefined();
  });

  test("that is given twice at once is given once", async () => {
    const done = await Promise.allSettled([add(), add(), add()]);
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(setups.kept.size).toBe(1);
  });

  test("that none can be told from another may be used twice", async () => {
    await add("anyone");
    await add("anyone");
    expect(setups.kept.size).toBe(2);
  });
});

describe("a change", () => {
  test("of settings keeps the secrets that it leaves out, and is tried anew", async () => {
    const id = await add();
    const before = setups.kept.get(id);
    const view = await uses.changeConnection(OURS, id, { settings: { name: "jane" } });
    expect(view.setup).toMatchObject({ settings: { name: "jane" }, secrets: { password: true } });
    expect(setups.kept.get(id)).toMatchObject({
      sealed: before?.sealed,
      untried: true,
      settingsVersion: 2,
      deviceId: "device-1",
    });
  });

  test.each([
    [{ restUrl: "http://127.0.0.1:2" }],
    [{ restUrl: null }],
    [{ firm: "another" }],
    [{ restUrl: "http://127.0.0.1:2", firm: "another", name: "jane" }],
  ])("to %j needs the secret that would go there", async (moved) => {
    const at = { restUrl: "http://127.0.0.1:1", firm: "one" };
    const settings = { ...SETTINGS, ...at };
    const { connectionId: id } = await uses.addConnection(OURS, { ...ADD, settings });
    const before = setups.kept.get(id);
    const change = { settings: moved };
    await expect(uses.changeConnection(OURS, id, change)).rejects.toMatchObject({
      details: [{ path: "settings.password" }],
    });
    expect(setups.kept.get(id)).toEqual(before);
    // An unchanged address passes, and so does a change with the secret.
    await uses.changeConnection(OURS, id, { settings: at });
    await uses.changeConnection(OURS, id, { settings: { ...moved, password: "hunter3" } });
    expect(setups.kept.get(id)?.sealed).toEqual({ password: `sealed ${id} password 7` });
  });

  test("of the name leaves the session alone", async () => {
    const id = await add();
    await uses.changeConnection(OURS, id, { name: "Yours" });
    expect(setups.kept.get(id)).toMatchObject({ name: "Yours", settingsVersion: 1 });
  });

  test("that clears what is needed is refused", async () => {
    const id = await add();
    const clear = { settings: { password: null } };
    await expect(uses.changeConnection(OURS, id, clear)).rejects.toMatchObject({
      details: [{ path: "settings.password" }],
    });
  });

  test("of something else at the same time is not lost", async () => {
    const id = await add();
    setups.beforeSave = () => {
      setups.beforeSave = () => undefined;
      const now = setups.kept.get(id);
      if (now !== undefined) setups.kept.set(id, { ...now, name: "Theirs", version: 2 });
    };
    await uses.changeConnection(OURS, id, { settings: { name: "jane" } });
    expect(setups.kept.get(id)).toMatchObject({ name: "Theirs", settings: { name: "jane" } });
  });

  test("that is overtaken again and again is refused", async () => {
    const id = await add();
    setups.beforeSave = () => {
      const now = setups.kept.get(id);
      if (now !== undefined) setups.kept.set(id, { ...now, version: now.version + 1 });
    };
    const change = uses.changeConnection(OURS, id, { name: "Yours" });
    await expect(change).rejects.toMatchObject({ name: "CHANGED_MEANWHILE" });
  });

  test.each([
    ["nobody owns", "DISCONNECTED", 1],
    ["has an owner, who does it", "CONNECTED", 0],
  ] as const)("to a pause makes the accounts inactive where it %s", async (_, status, count) => {
    const id = await add();
    stand(id, status);
    await uses.changeConnection(OURS, id, { paused: true });
    expect(inactive).toHaveLength(count);
  });
});

test("a removed connection leaves nothing, and its accounts are inactive", async () => {
  const id = await add();
  await uses.removeConnection(OURS, id);
  expect([setups.kept.size, inactive]).toEqual([0, [id]]);
});

test("accounts of a resumed connection are no longer inactive, before its session is up", async () => {
  const id = await add();
  stand(id, "DISCONNECTED");
  await uses.changeConnection(OURS, id, { paused: true });
  expect([inactive, reactivated]).toEqual([[id], []]);
  await uses.changeConnection(OURS, id, { paused: false });
  expect([inactive, reactivated]).toEqual([[id], [`${id}-1`]]);
});

describe("reconnecting an added connection", () => {
  test("that was stopped opens it anew, and clears nothing before", async () => {
    const id = await add();
    stand(id, "AUTH_EXPIRED");
    await uses.reconnectConnection(OURS, id);
    expect(setups.kept.get(id)).toMatchObject({ untried: true, settingsVersion: 2 });
    expect(resumed).toEqual([]);
  });

  test("that is connected ends its session and begins another, with the settings that it has", async () => {
    const id = await add();
    connect(id);
    const before = setups.kept.get(id);
    if (before !== undefined) setups.kept.set(id, { ...before, untried: false });
    const { next } = await uses.reconnectConnection(OURS, id);
    expect(next).toBe("Its session ends, and the next one begins at once");
    expect(setups.kept.get(id)).toMatchObject({ untried: false, settingsVersion: 2 });
  });

  test("that is to log in by itself does nothing, and says so", async () => {
    const id = await add();
    expect(await uses.reconnectConnection(OURS, id)).toMatchObject({
      reason: "No process of the gateway holds the connection",
      next: "It logs in as soon as a process of the gateway holds it",
    });
    expect(setups.kept.get(id)?.settingsVersion).toBe(1);
  });

  test("that waits for its next login says why, and until when", async () => {
    const id = await add();
    const record = records.get(id);
    if (record === undefined) throw new Error("It is not there");
    const why = { reason: "Another session took over", retryAt: 60_000 };
    records.set(id, { ...record, status: "RECONNECTING", why });
    expect(await uses.findConnection(OURS, id)).toMatchObject(why);
    expect((await uses.reconnectConnection(OURS, id)).next).toMatch(
      /^It logs in by itself at 1970-01-01T00:01:00.000Z, and not before/,
    );
  });
});

describe("a test of a connection", () => {
  test.each([
    ["CONNECTED", "connected"],
    ["CONNECTING", "busy"],
    ["RECONNECTING", "busy"],
  ] as const)("that is %s logs nothing in, and says so", async (status, result) => {
    const id = await add();
    const { stop: _, ...unstopped } = RECORD;
    records.set(id, { ...unstopped, connectionId: id, status });
    expect(await uses.testConnection(OURS, id)).toMatchObject({ result });
    expect(trials).toBe(0);
  });

  test.each(["DISCONNECTED", "AUTH_EXPIRED", "FATAL_ERROR"] as const)(
    "that is %s logs in",
    async (status) => {
      const id = await add();
      stand(id, status);
      expect(await uses.testConnection(OURS, id)).toMatchObject({ result: "ok" });
    },
  );

  test("runs once at a time, and again after it has failed", async () => {
    const id = await add();
    let end: (error: Error) => void = () => undefined;
    trial = () => new Promise((_, reject) => (end = reject));
    const first = uses.testConnection(OURS, id);
    await expect.poll(() => trials).toBe(1);
    expect(await uses.testConnection(OURS, id)).toMatchObject({ result: "busy" });
    end(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    trial = async () => ({ result: "refused", reason: "Wrong password" });
    expect(await uses.testConnection(OURS, id)).toMatchObject({ result: "refused" });
  });
});

describe("a call that needs the broker", () => {
  const requireAt = (status: ConnectionStatus, retryAt?: number) =>
    createRequireConnection(
      {
        status: () => status,
        why: () => ({ reason: "Its words", ...(retryAt !== undefined && { retryAt }) }),
      },
      () => 1_000_000,
    );

  test("passes while the connection stands", () => {
    expect(() => requireAt("CONNECTED")(RECORD.connectionId)).not.toThrow();
  });

  test.each([
    [
      "RECONNECTING",
      /^The broker connection "own-1" is not available \(Its words\); nothing was sent$/,
    ],
    [
      "AUTH_EXPIRED",
      /refused the credentials of connection "own-1" \(Its words\); nothing was sent/,
    ],
    ["FATAL_ERROR", /refuses every session of connection "own-1".*connections\/own-1\/reconnect/],
  ] as const)("is refused while it is %s, with what to do", (status, words) => {
    expect(() => requireAt(status)(RECORD.connectionId)).toThrow(
      expect.objectContaining({
        name: "BROKER_UNAVAILABLE",
        message: expect.stringMatching(words) as unknown,
      }),
    );
  });

  test("says until when, in words and in Retry-After", () => {
    expect(() => requireAt("RECONNECTING", 1_059_500)(RECORD.connectionId)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("tried at 1970-01-01T00:17:39.500Z") as unknown,
        retryAfterSeconds: 60,
      }),
    );
    expect(() => requireAt("RECONNECTING", 999_000)(RECORD.connectionId)).toThrow(
      expect.objectContaining({ retryAfterSeconds: undefined }),
    );
  });
});
