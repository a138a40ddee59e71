import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "../../../simulators/tradovate/faults.ts";
import { HANGS_AFTER_MS, waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

let client: TestClient;
let socket: TestSocket;

beforeEach(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
  await client.logIn();
  socket = await client.sync();
});
afterEach(() => client.close());

const fault = (what: Fault, endpoint?: string) =>
  client.control({ knob: "fault", fault: what, ...(endpoint !== undefined && { endpoint }) });
const orders = () => client.list("order");
const request = (body: object = client.order()) => client.request("POST", "order/placeorder", body);

describe("a fault", () => {
  test.each([true, false])("drops the link, the order carried out: %s", async (isCarriedOut) => {
    await fault({ kind: "drop", isCarriedOut });
    await expect(request()).rejects.toThrow("fetch failed");
    expect(await orders()).toHaveLength(isCarriedOut ? 1 : 0);
    expect(socket.isClosed).toBe(false);
  });

  test.each([true, false])(
    "drops the socket that asked, the order carried out: %s",
    async (isCarriedOut) => {
      await fault({ kind: "drop", isCarriedOut });
      socket.send(`order/placeorder\n5\n\n${JSON.stringify(client.order())}`);
      await socket.waitForClose();
      expect(socket.props).toEqual([]);
      expect(await orders()).toHaveLength(isCarriedOut ? 1 : 0);
    },
  );

  test.each([true, false])("loses the answer and the sockets: %s", async (isCarriedOut) => {
    await client.control({ knob: "loseNextAnswer", user: "joe", isCarriedOut });
    await expect(request()).rejects.toThrow("fetch failed");
    await socket.waitForClose();
    expect(socket.props).toEqual([]);
    expect(await orders()).toHaveLength(isCarriedOut ? 1 : 0);
  });

  test.each([
    ["empty", {}],
    ["successWithoutId", { failureReason: "Success" }],
  ] as const)("answers without sense: %s", async (kind, body) => {
    await fault({ kind, isCarriedOut: true });
    expect(await client.place()).toEqual(body);
    await fault({ kind, isCarriedOut: false });
    expect(await client.place()).toEqual(body);
    expect(await orders()).toHaveLength(1);
  });

  test("leaves an entity out of one list", async () => {
    const ids = (await client.list("account")).map(({ id }) => id);
    await fault({ kind: "omits", ids: [client.accountId] }, "account/list");
    const listed = async () => (await client.list("account")).map(({ id }) => id);
    expect(await listed()).toEqual(ids.filter((id) => id !== client.accountId));
    expect(await listed()).toEqual(ids);
  });

  test("answers with a penalty by any status", async () => {
    await fault({ kind: "ticket", seconds: 5, status: 429 });
    const { status, text } = await request();
    expect(status).toBe(429);
    expect(JSON.parse(text)).toMatchObject({ "p-time": 5, "p-captcha": false });
  });

  test("answers with any status and text", async () => {
    await fault({ kind: "status", status: 500, body: "Oops", isCarriedOut: true });
    expect(await request()).toEqual({ status: 500, text: "Oops" });
    await fault({ kind: "status", status: 429 });
    expect((await request()).status).toBe(429);
    expect(await orders()).toHaveLength(1);
  });

  test("answers late what is done at once", async () => {
    await fault({ kind: "delay", ms: HANGS_AFTER_MS });
    let isAnswered = false;
    void request()
      .catch(() => undefined)
      .finally(() => (isAnswered = true));
    await waitUntil("the order is there", async () => (await orders()).length === 1);
    expect(isAnswered).toBe(false);
    await fault({ kind: "delay", ms: 50 });
    expect((await request()).status).toBe(200);
  });

  test("is any failure reason inside 200", async () => {
    await fault({ kind: "failure", failureReason: "BackMonthProhibited", failureText: "No" });
    expect(await client.place()).toEqual({
      failureReason: "BackMonthProhibited",
      failureText: "No",
    });
    await fault({ kind: "errorText", errorText: "No" });
    expect(await client.place()).toEqual({ errorText: "No" });
    await fault({ kind: "violations", constraint: "max", value: 1 });
    expect(await client.place()).toHaveProperty("violations");
    expect(await orders()).toEqual([]);
  });

  test("leaves out a leg that was answered with a number", async () => {
    await fault({ kind: "legMissing", leg: 2 });
    const { oso1Id, oso2Id } = await client.placeOso();
    expect(await client.statusOf(oso1Id)).toBe("Suspended");
    expect((await client.request("GET", `order/item?id=${String(oso2Id)}`)).status).toBe(404);
  });

  test("lets a cancel come too late", async () => {
    const { orderId } = await client.placeOso();
    await fault({ kind: "tooLate" });
    expect(await client.post("order/cancelorder", { orderId })).toMatchObject({
      failureReason: "TooLate",
    });
  });

  test("strikes one endpoint of one user so many times", async () => {
    const failing = { kind: "failure", failureReason: "NoQuote" } as const;
    const plan = { fault: failing, endpoint: "order/cancelorder", user: "joe", times: 2 };
    await client.control({ knob: "fault", ...plan });
    const { orderId } = await client.placeOso();
    const cancel = () => client.post("order/cancelorder", { orderId });
    expect(await cancel()).toHaveProperty("failureReason");
    expect(await cancel()).toHaveProperty("failureReason");
    expect(await cancel()).toHaveProperty("commandId");
  });
});

describe("events", () => {
  const types = () => socket.props.map(({ entityType }) => entityType);

  test("come before the answer or after it", async () => {
    const order = JSON.stringify(client.order());
    const firstOf = async (id: number) => {
      const before = socket.messages.length;
      socket.send(`order/placeorder\n${id}\n\n${order}`);
      await socket.answerOf(id);
      return socket.messages.at(before);
    };
    expect(await firstOf(5)).toMatchObject({ e: "props" });
    await socket.settle();
    await client.control({ knob: "set", events: { order: "afterAnswer", delayMs: 0 } });
    expect(await firstOf(6)).toMatchObject({ i: 6 });
    await waitUntil("the rest has come", () => types().filter((t) => t === "fill").length === 2);
  });

  test("may be late", async () => {
    await client.control({ knob: "set", events: { order: "beforeAnswer", delayMs: 200 } });
    const from = performance.now();
    await client.place();
    await waitUntil("the order is told", () => types().length > 0);
    // A lower bound: a busy machine may only see it later.
    expect(performance.now() - from).toBeGreaterThan(195);
    await waitUntil("the fill is told", () => types().includes("fill"));
  });

  test("may leave a new order Unknown for a while", async () => {
    const events = { order: "beforeAnswer", delayMs: 0, riskCheckMs: 200 } as const;
    await client.control({ knob: "set", events, maxOrderQty: 1 });
    const from = performance.now();
    await client.place({ orderQty: 2 });
    const statuses = () => socket.props.map(({ entity }) => entity["ordStatus"]);
    await waitUntil("it is rejected", () => statuses().includes("Rejected"));
    // A lower bound: a busy machine may only see it later.
    expect(performance.now() - from).toBeGreaterThan(195);
    expect(types().slice(0, 3)).toEqual(["order", "command", "orderVersion"]);
    expect(statuses()[0]).toBe("Unknown");
    await client.placeOso();
    await waitUntil(
      "the legs wait",
      () => statuses().filter((s) => s === "Suspended").length === 2,
    );
    expect(statuses().indexOf("Rejected")).toBeLessThan(statuses().indexOf("Working"));
  });

  test("may repeat what was created", async () => {
    await client.control({ knob: "set", repeatsCreated: true });
    await client.place();
    await socket.settle();
    expect(types().filter((type) => type === "fill")).toHaveLength(2);
    expect(types().slice(0, 2)).toEqual(["order", "order"]);
  });

  test("may tell fills before their order", async () => {
    await client.control({ knob: "set", fillsFirst: true });
    await client.place();
    await socket.settle();
    expect(types()[0]).toBe("fill");
  });

  test("may be lists, and may be lost", async () => {
    await client.control({ knob: "set", entityArrays: true, losesEvents: ["fill"] });
    await client.place();
    await socket.settle();
    expect(types()).not.toContain("fill");
    expect(socket.props.every(({ entity }) => Array.isArray(entity))).toBe(true);
    const before = socket.props.length;
    await client.control({ knob: "loseEvents", user: "joe", count: 1_000 });
    await client.place();
    await socket.settle();
    expect(socket.props).toHaveLength(before);
  });
});

describe("reads", () => {
  test("may be behind", async () => {
    await client.control({ knob: "set", listLagMs: 60_000 });
    const { orderId } = await client.place();
    expect(await orders()).toEqual([]);
    expect((await client.request("GET", `order/item?id=${String(orderId)}`)).status).toBe(404);
    const { d } = await socket.ask("user/syncrequest", { users: [client.userId] });
    expect(d).toMatchObject({ orders: [], commands: [] });
    await client.control({ knob: "advance", ms: 60_000 });
    expect(await orders()).toHaveLength(1);
  });

  test("are capped", async () => {
    await client.control({ knob: "set", listCap: 3 });
    for (let n = 0; n < 5; n += 1) await client.place();
    expect(await orders()).toHaveLength(3);
  });

  test("may be answered late, each or some", async () => {
    await client.control({ knob: "set", answerDelay: { ms: 60_000, endpoints: ["order/list"] } });
    await client.list("account");
    let isAnswered = false;
    void orders()
      .catch(() => undefined)
      .finally(() => (isAnswered = true));
    await client.list("account");
    expect(isAnswered).toBe(false);
  });
});

describe("a bracket", () => {
  const fillEntry = (qty = 10) => client.quote(6_839.75, 6_840, qty);

  test("may have legs that know nothing of each other", async () => {
    await client.control({ knob: "set", osoLegsLinked: false });
    const { oso1Id, oso2Id } = await client.placeOso();
    await fillEntry();
    await client.quote(6_860);
    expect(await client.entity("order", oso1Id)).not.toHaveProperty("ocoId");
    expect([await client.statusOf(oso1Id), await client.statusOf(oso2Id)]).toEqual([
      "Filled",
      "Working",
    ]);
  });

  test("may live on with one leg when the other is canceled", async () => {
    await client.control({ knob: "set", cancelEndsSibling: false });
    const { oso1Id, oso2Id } = await client.placeOso();
    await fillEntry();
    await client.post("order/cancelorder", { orderId: oso1Id });
    expect(await client.statusOf(oso2Id)).toBe("Working");
    await client.control({ knob: "reset" });
    const next = await client.placeOso();
    await fillEntry();
    await client.post("order/cancelorder", { orderId: next["oso1Id"] });
    expect(await client.statusOf(next["oso2Id"])).toBe("Canceled");
  });

  const qtyOf = async (id: unknown) => {
    const versions = (await client.get(`orderversion/deps?masterid=${String(id)}`)) as unknown;
    return (versions as readonly Json[]).at(-1)?.["orderQty"];
  };

  test("has legs that grow with each fill", async () => {
    const { oso1Id, oso2Id } = await client.placeOso({ orderQty: 3 });
    for (const filled of [1, 2, 3]) {
      await fillEntry(1);
      expect([await client.statusOf(oso1Id), await qtyOf(oso1Id)]).toEqual(["Working", filled]);
      expect([await client.statusOf(oso2Id), await qtyOf(oso2Id)]).toEqual(["Working", filled]);
    }
  });

  test("has legs that wait again when they are used up while the entry still fills", async () => {
    const { oso1Id, oso2Id } = await client.placeOso({ orderQty: 3 });
    await fillEntry(2);
    await client.quote(6_860);
    expect([await client.statusOf(oso1Id), await qtyOf(oso1Id)]).toEqual(["Suspended", 2]);
    expect([await client.statusOf(oso2Id), await qtyOf(oso2Id)]).toEqual(["Suspended", 0]);
    await fillEntry(1);
    expect([await client.statusOf(oso1Id), await qtyOf(oso1Id)]).toEqual(["Working", 3]);
    expect([await client.statusOf(oso2Id), await qtyOf(oso2Id)]).toEqual(["Working", 1]);
  });

  test("may have legs that wait for the whole fill", async () => {
    await client.control({ knob: "set", activateOnFullFillOnly: true });
    const { orderId, oso1Id, oso2Id } = await client.placeOso({ orderQty: 2 });
    const statuses = async () => [await client.statusOf(oso1Id), await client.statusOf(oso2Id)];
    expect(Number(oso1Id)).toBe(Number(orderId) + 3);
    await fillEntry(1);
    expect(await statuses()).toEqual(["Suspended", "Suspended"]);
    await client.post("order/modifyorder", {
      orderId: oso2Id,
      orderQty: 2,
      orderType: "Stop",
      stopPrice: 6_835,
    });
    await fillEntry(1);
    expect(await statuses()).toEqual(["Working", "Working"]);
    await client.quote(6_835);
    expect(await statuses()).toEqual(["Canceled", "Filled"]);
  });

  test("loses legs that wait when the rest of its entry is canceled", async () => {
    await client.control({ knob: "set", activateOnFullFillOnly: true });
    const { orderId, oso1Id, oso2Id } = await client.placeOso({ orderQty: 2 });
    await fillEntry(1);
    await client.post("order/cancelorder", { orderId });
    expect([await client.statusOf(oso1Id), await client.statusOf(oso2Id)]).toEqual([
      "Canceled",
      "Canceled",
    ]);
    expect(await client.netPos()).toBe(1);
  });

  test("may lose both legs over a change of one", async () => {
    await client.control({ knob: "set", modifyOfLegCancelsBoth: true });
    const { oso1Id, oso2Id } = await client.placeOso();
    await fillEntry();
    const change = { orderId: oso1Id, orderQty: 1, orderType: "Limit", price: 6_861 };
    expect(await client.post("order/modifyorder", change)).toHaveProperty("commandId");
    expect([await client.statusOf(oso1Id), await client.statusOf(oso2Id)]).toEqual([
      "Canceled",
      "Canceled",
    ]);
  });
});

test.each([
  ["TooLate", { status: 200, text: '{"failureReason":"TooLate","failureText":"Too late"}' }],
  [404, { status: 404, text: expect.stringContaining("Not found") as string }],
  [401, { status: 401, text: "Access is denied" }],
] as const)("a cancel of a dead order answers %s", async (cancelOfDeadOrder, answer) => {
  await client.control({ knob: "set", cancelOfDeadOrder });
  const { orderId } = await client.place();
  expect(await client.request("POST", "order/cancelorder", { orderId })).toEqual(answer);
});

test("a rejection's report may come before the order's status", async () => {
  await client.control({ knob: "set", riskReportFirst: true, maxOrderQty: 1 });
  const { orderId } = await client.place({ orderQty: 2 });
  await socket.settle();
  const last = socket.props.filter(({ entity }) =>
    [entity["ordStatus"], entity["commandStatus"]].some((word) => /Reject/.test(String(word))),
  );
  expect(last.map(({ entityType }) => entityType)).toEqual(["commandReport", "command", "order"]);
  expect(await client.statusOf(orderId)).toBe("Rejected");
});

test.each([
  [{ active: false }, "TradingLocked"],
  [{ closed: true }, "AccountClosed"],
  [{ archived: true }, "AccountClosed"],
  [{ restricted: true }, "LiquidationOnly"],
  [{ readonly: true }, "Unauthorized"],
])("an account with %j takes cancels and no orders", async (flags, failureReason) => {
  const { orderId } = await client.placeOso();
  await client.control({ knob: "account", account: "joe-1", ...flags });
  expect(await client.place()).toMatchObject({ failureReason });
  expect(await client.post("order/cancelorder", { orderId })).toHaveProperty("commandId");
  expect(await client.entity("account", client.accountId)).toMatchObject(flags);
});

test("the broker's clock can be set: stamps go by it, and orders for the day end with theirs", async () => {
  const resting = { orderType: "Limit", price: 6_840, timeInForce: "Day" };
  const { orderId } = await client.place(resting);
  expect(await client.statusOf(orderId)).toBe("Working");
  // Far enough that the day is over, near enough that the token is not.
  await client.control({ knob: "set", tokenLifeMs: 30 * 86_400_000 });
  await client.logIn();
  const at = Date.now() + 7 * 86_400_000;
  await client.control({ knob: "setClock", at });
  expect(await client.statusOf(orderId)).toBe("Expired");
  const { orderId: later } = await client.place(resting);
  const { timestamp } = await client.entity("order", later);
  expect(String(timestamp).slice(0, 10)).toBe(new Date(at).toISOString().slice(0, 10));
});

test("a contract may expire", async () => {
  await client.control({ knob: "expireContract", contract: "ESZ6" });
  expect(await client.place()).toMatchObject({ failureReason: "InvalidContract" });
  expect(await client.get("contract/find?name=ESZ6")).toMatchObject({ status: "Expired" });
});

test("what the exchange refuses is rejected late, or fails in the answer", async () => {
  const { orderId } = await client.place({ symbol: "RTYZ6", clOrdId: "closed" });
  expect(await client.statusOf(orderId)).toBe("Rejected");
  await socket.settle();
  const report = socket.props.findLast(({ entityType }) => entityType === "commandReport")?.entity;
  expect(report).toMatchObject({
    commandId: orderId,
    commandStatus: "ExecutionRejected",
    rejectReason: "SessionClosed",
    text: "Market is closed",
  });
  await client.control({ knob: "set", exchangeRefusals: "answer" });
  expect(await client.place({ symbol: "RTYZ6" })).toMatchObject({
    failureReason: "SessionClosed",
  });
  expect(await orders()).toHaveLength(1);
});

describe("by hand", () => {
  test("orders are placed and canceled without a session", async () => {
    const order = client.order({ orderType: "Limit", price: 6_840 });
    const placed = await client.control({ knob: "placeOrder", user: "joe", order });
    const orderId = Number(placed["orderId"]);
    expect(await client.statusOf(orderId)).toBe("Working");
    expect(await client.control({ knob: "cancelOrder", user: "joe", orderId })).toHaveProperty(
      "commandId",
    );
  });

  test("a knob that is not there is refused in words", async () => {
    await expect(client.steer("control", { knob: "dance" })).rejects.toThrow("There is no knob");
    await expect(client.steer("control", { knob: "set", dance: 1 })).rejects.toThrow(
      "There is no such setting",
    );
  });
});

test("the log counts orders, and the wire log shows no secrets", async () => {
  await client.place({ clOrdId: "same" });
  await client.place({ clOrdId: "same" });
  const log = await client.lines("log");
  const placed = log.filter(({ op, outcome }) => op === "submitOrder" && outcome === "accepted");
  expect(placed.map(({ clOrdId }) => clOrdId)).toEqual(["same", "same"]);
  expect(log.filter(({ op }) => op === "fill")).toHaveLength(2);
  const wire = JSON.stringify(await client.wire());
  expect(wire).toContain("order/placeorder");
  expect(wire).not.toContain(client.token);
  expect(wire).not.toContain('"secret"');
});
