import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "../../../simulators/tradovate/faults.ts";
import { HANGS_AFTER_MS, waitUntil } from "../../../support/wait.ts";
import { TestClient, type TestSocket } from "./test-client.ts";

let client: TestClient;
let orders: TestSocket;
let md: TestSocket;

beforeEach(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
  await client.logIn();
  orders = await client.sync();
  md = await client.connectMd();
});
afterEach(() => client.close());

const subscribe = () => md.ask("md/subscribequote", { symbol: "ESZ6" });

describe("market data sockets alone", () => {
  test("are cut", async () => {
    await client.control({ knob: "closeSockets", user: "joe", socket: "md" });
    await md.waitForClose();
    await orders.settle();
    expect(orders.isClosed).toBe(false);
  });

  test("are shut down, while those of orders may be spared", async () => {
    await client.control({ knob: "shutdown", socket: "md", reasonCode: "ConnectionQuotaReached" });
    await md.waitForClose();
    expect(md.messages.at(-1)).toMatchObject({
      e: "shutdown",
      d: { reasonCode: "ConnectionQuotaReached" },
    });
    await orders.settle();
  });

  test("live on where those of orders are cut", async () => {
    await client.control({ knob: "closeSockets", socket: "orders" });
    await orders.waitForClose();
    expect((await subscribe()).s).toBe(200);
  });

  test("fall silent while TCP stays up", async () => {
    await client.control({ knob: "halfOpen", user: "joe", socket: "md" });
    const before = md.frames.length;
    md.send('md/subscribequote\n7\n\n{"symbol":"ESZ6"}');
    await client.quote(6_860);
    await orders.settle();
    expect(md.frames.length).toBe(before);
    expect(md.isClosed).toBe(false);
  });

  test("have settings of their own: no heartbeat, late answers, maintenance", async () => {
    await client.control({ knob: "set", heartbeatMs: 50, onMd: { heartbeatMs: 0 } });
    const before = md.frames.filter((frame) => frame === "h").length;
    await waitUntil("the heart beats", () => orders.frames.filter((f) => f === "h").length > 2);
    expect(md.frames.filter((frame) => frame === "h").length).toBe(before);

    await client.control({ knob: "set", onMd: { answerDelay: { ms: HANGS_AFTER_MS } } });
    md.send('md/subscribequote\n7\n\n{"symbol":"ESZ6"}');
    await orders.settle();
    expect(md.messages.some(({ i }) => i === 7)).toBe(false);
    await client.control({ knob: "set", onMd: { answerDelay: { ms: 50 } } });
    await subscribe();

    await client.control({ knob: "set", onMd: { maintenance: true } });
    await md.waitForClose();
    await orders.settle();
    await expect(client.connectMd()).rejects.toThrow("503");
    await expect(client.control({ knob: "set", onMd: { x: 1 } as object })).rejects.toThrow(
      "no such setting",
    );
  });

  test("are dropped where their clients are silent", async () => {
    await client.control({ knob: "set", onMd: { dropsSilentAfterMs: 200 } });
    await md.waitForClose();
    expect(orders.isClosed).toBe(false);
  });
});

describe("a request for market data", () => {
  test.each([401, 408, 423, 429])("is answered %d", async (status) => {
    await client.control({ knob: "fault", endpoint: "md/", fault: { kind: "status", status } });
    expect((await subscribe()).s).toBe(status);
    expect((await subscribe()).s).toBe(200);
  });

  test.each([true, false])("is never answered, and carried out: %s", async (isCarriedOut) => {
    const fault = { kind: "silence", isCarriedOut } as const;
    await client.control({ knob: "fault", endpoint: "md/", fault });
    md.send('md/subscribequote\n7\n\n{"symbol":"ESZ6"}');
    await md.settle();
    await client.quote(6_860);
    await md.settle();
    expect(md.messages.some(({ i }) => i === 7)).toBe(false);
    expect(md.messages.some(({ e }) => e === "md")).toBe(isCarriedOut);
  });

  test("loses its answer with its socket", async () => {
    const fault = { kind: "drop", isCarriedOut: true } as const;
    await client.control({ knob: "fault", endpoint: "md/getchart", fault });
    md.send("md/getchart\n7\n\n{}");
    await md.waitForClose();
    expect(orders.isClosed).toBe(false);
  });

  test("counts among the requests of its user", async () => {
    await client.control({ knob: "lockOut", user: "joe", ms: 60_000 });
    expect(await subscribe()).toEqual({ s: 429, i: expect.any(Number) });
  });
});

test("a fault strikes what comes by one kind of socket", async () => {
  const fault = { kind: "status", status: 401 } as const;
  await client.control({ knob: "fault", endpoint: "account/list", socket: "md", fault });
  expect((await orders.ask("account/list")).s).toBe(200);
  expect((await client.request("GET", "account/list")).status).toBe(200);
  expect((await md.ask("account/list")).s).toBe(401);
});

test("a fault strikes the authorisation of market data alone", async () => {
  const strike = (fault: Fault) =>
    client.control({ knob: "fault", endpoint: "authorize", socket: "md", fault });
  await strike({ kind: "status", status: 429 });
  await client.sync();
  expect(await (await client.connectMd()).answerOf(1)).toEqual({ s: 429, i: 1 });
  await strike({ kind: "silence", isCarriedOut: false });
  const silent = await client.connect(client.mdUrl);
  silent.send(`authorize\n1\n\n${client.mdToken}`);
  expect((await silent.ask("account/list")).s).toBe(401);
  expect(silent.messages.some(({ i }) => i === 1)).toBe(false);
  await strike({ kind: "drop", isCarriedOut: false });
  const dropped = await client.connect(client.mdUrl);
  dropped.send(`authorize\n1\n\n${client.mdToken}`);
  await dropped.waitForClose();
  await strike({ kind: "delay", ms: 100 });
  expect((await (await client.connectMd()).answerOf(1)).s).toBe(200);
});

describe("one socket too many of a user", () => {
  test("closes the oldest, those of market data among them", async () => {
    await client.control({ knob: "set", socketLimit: 2 });
    const third = await client.connectMd();
    await orders.waitForClose();
    expect(orders.messages.at(-1)).toMatchObject({ d: { reasonCode: "ConnectionQuotaReached" } });
    expect((await client.request("GET", "account/list")).status).toBe(401);
    expect(md.isClosed || third.isClosed).toBe(false);
  });

  test("may leave those of market data out of the count", async () => {
    await client.control({ knob: "set", socketLimit: 1, mdSocketsCount: false });
    await client.connectMd();
    await orders.settle();
    // The token of the one that is closed is over, so that the next one needs another.
    await client.logIn();
    await client.sync();
    await orders.waitForClose();
    expect(md.isClosed).toBe(false);
  });
});
