import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "../../../simulators/projectx/faults.ts";
import { startProjectXSimulator } from "../../../simulators/projectx/start.ts";
import { waitUntil } from "../../../support/wait.ts";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
});
afterEach(() => client.close());

const order = (more: Json = {}): Json => ({
  accountId: client.account,
  contractId: ESZ6,
  type: 2,
  side: 0,
  size: 1,
  ...more,
});

/** The status and the body of an order's answer, or that the connection was cut. */
async function answerTo(fault: Fault, path = "Order/place"): Promise<unknown> {
  await client.control({ knob: "fault", fault, path });
  try {
    const response = await client.request(path, order());
    return [response.status, await response.text()];
  } catch {
    return "cut";
  }
}

const filled = async (): Promise<number> => (await client.list("Trade/search")).length;

describe("a fault strikes the next request, which is carried out or not", () => {
  test.each([true, false])("%s", async (isCarriedOut) => {
    const faults: readonly (readonly [Fault, unknown])[] = [
      [{ kind: "drop", isCarriedOut }, "cut"],
      [{ kind: "empty", isCarriedOut }, [200, "{}"]],
      [{ kind: "garbage", isCarriedOut }, [200, expect.stringContaining("<html>")]],
      [{ kind: "status", status: 503, body: "Busy", isCarriedOut }, [503, "Busy"]],
      [
        { kind: "code", code: 6, message: "Pending", isCarriedOut },
        [200, '{"success":false,"errorCode":6,"errorMessage":"Pending"}'],
      ],
    ];
    for (const [fault, answer] of faults) expect(await answerTo(fault)).toEqual(answer);
    expect(await filled()).toBe(isCarriedOut ? faults.length : 0);
    expect(await client.place()).toMatchObject({ success: true });
  });

  test("silence has no answer at all", async () => {
    const fault = { kind: "silence", isCarriedOut: true } as const;
    await client.control({ knob: "fault", fault });
    const patience = new AbortController();
    const asked = fetch(`${client.url}/api/Order/place`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.token}` },
      body: JSON.stringify(order()),
      signal: patience.signal,
    }).then(String, String);
    await waitUntil("it is carried out", async () => (await filled()) === 1);
    // A later request has its answer: this one's would have come by now.
    await client.place();
    patience.abort();
    expect(await asked).toContain("AbortError");
  });

  test("an answer is late by the fault's time, and by a setting's", async () => {
    const lasted = async (act: () => Promise<unknown>) => {
      const from = performance.now();
      await act();
      return performance.now() - from;
    };
    expect(await lasted(() => answerTo({ kind: "delay", ms: 120 }))).toBeGreaterThan(115);
    await client.control({ knob: "set", answerDelayMs: 120, delaysCommandsOnly: true });
    expect(await lasted(() => client.place())).toBeGreaterThan(115);
  });
});

test("a fault is of a path, of all below it, or of a user alone", async () => {
  const unauthorised = { kind: "status", status: 401 } as const;
  await client.control({ knob: "fault", fault: unauthorised, path: "Order/", user: "jane" });
  await client.control({ knob: "fault", fault: unauthorised, path: "Position/", times: 2 });
  expect(await client.place()).toMatchObject({ success: true });
  const positions = async () => (await client.request("Position/searchOpen", order())).status;
  expect([await positions(), await positions(), await positions()]).toEqual([401, 401, 200]);
  expect(await client.control({ knob: "faultsLeft", user: "jane" })).toEqual({ left: 1 });
  await client.control({ knob: "forgetFaults", user: "jane" });
  expect(await client.control({ knob: "faultsLeft", user: "jane" })).toEqual({ left: 0 });
});

test("the next answer is lost with the user's hub before it", async () => {
  const hub = await client.listen();
  await client.control({ knob: "loseNextAnswer", user: "joe", isCarriedOut: true });
  const asked = client.request("Order/place", order({ customTag: "lost" }));
  await expect(asked).rejects.toThrow("fetch failed");
  await hub.waitForClose();
  expect(hub.toldOf("GatewayUserOrder")).toEqual([]);
  expect(await client.list("Order/search")).toMatchObject([{ customTag: "lost", status: 2 }]);
});

test("settings are everybody's or a user's, and go back to what they were", async () => {
  await client.control({ knob: "set", user: "joe", cancels: "none" });
  const refused = async () => (await client.refusal("Order/cancel", { orderId }))[0];
  const { orderId } = await client.place({ type: 1, limitPrice: 1 });
  expect(await refused()).toBe(6);
  await client.control({ knob: "reset", user: "joe" });
  expect(await refused()).toBe(0);
});

test.each([
  { knob: "nothing" },
  { knob: "set", nothing: 1 },
  { knob: "set", bracketMode: "positions" },
  { knob: "set", leastTicks: "4" },
  { knob: "quote" },
  { knob: "advance" },
  { knob: "balance", account: "joe-1" },
  { knob: "closeHubs", hub: "orders" },
  { knob: "loseEvents", user: "joe", count: 1, kind: "fills" },
  { knob: "fault", fault: { kind: "nothing" } },
  { knob: "fault", fault: { kind: "drop" } },
  { knob: "expireTokens", name: "joe" },
])("a knob that makes no sense turns nothing: %j", async (knob) => {
  const body = JSON.stringify(knob);
  const answer = await fetch(`${client.url}/control`, { method: "POST", body });
  expect([answer.status, await answer.json()]).toEqual([400, { reason: expect.any(String) }]);
  expect(await client.place()).toMatchObject({ success: true });
});

test("what was done is logged as by the other simulators, with tags as the clients' ids", async () => {
  const { orderId } = await client.place({ customTag: "t" });
  await client.place({ customTag: "t" });
  const { orderId: resting } = await client.place({ type: 1, limitPrice: 1, customTag: "r" });
  await client.refusal("Order/cancel", { orderId: resting });
  const entries = (await client.log()).map(({ op, outcome, clOrdId, orderId: of }) => [
    op,
    outcome,
    clOrdId,
    of,
  ]);
  const [text, rests] = [String(orderId), String(resting)];
  expect(entries).toEqual([
    ["login", "accepted", undefined, undefined],
    ["submitOrder", "accepted", "t", text],
    ["fill", "filled", "t", text],
    ["submitOrder", "rejected", "t", undefined],
    ["submitOrder", "accepted", "r", rests],
    ["cancelOrder", "accepted", undefined, rests],
  ]);
  const wire = await client.wire();
  expect(wire.filter(({ path }) => path === "Order/place")).toHaveLength(6);
  expect(JSON.stringify(wire)).not.toContain(client.token);
});

test("the state is what the core holds", async () => {
  await client.place({ customTag: "t", stopLossBracket: { ticks: -40, type: 4 } });
  const { accounts } = await client.state();
  expect((accounts as Json)[String(client.account)]).toMatchObject({
    isActive: true,
    positions: [{ contract: "ESZ2026", netQty: 1 }],
    workingOrders: [{ clOrdId: "t-SL", ordStatus: "NEW" }],
    fills: [{ clOrdId: "t", lastQty: 1 }],
  });
});

test("the broker is a process of its own", async () => {
  const simulator = await startProjectXSimulator();
  try {
    const { accounts } = await simulator.control({ knob: "user", name: "joe", apiKey: "x" });
    expect(accounts).toMatchObject([{ name: "joe-1" }, { name: "joe-2" }]);
    const answer = await fetch(`${simulator.url}/api/Auth/loginKey`, {
      method: "POST",
      body: JSON.stringify({ userName: "joe", apiKey: "x" }),
    });
    expect(await answer.json()).toHaveProperty("token");
    expect(await simulator.log()).toMatchObject([{ op: "login", connection: "joe" }]);
  } finally {
    await simulator.stop();
  }
});
