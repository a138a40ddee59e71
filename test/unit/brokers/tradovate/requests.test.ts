import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import { Requests } from "../../../../src/brokers/tradovate/requests.ts";
import { SOCKET_TIMING, TradovateSocket } from "../../../../src/brokers/tradovate/socket.ts";

const elapsed = () => performance.now();

/** Requests to a socket that refuses every one of them with a status; counts what is done about it. */
async function refusing(status: number, times = Infinity, words: unknown = "Access is denied") {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const seen = { requests: 0, renewals: 0 };
  const refusal = (id: string) => `${status},"i":${id},"d":${JSON.stringify(words)}`;
  server.on("connection", (peer) => {
    peer.send("o");
    peer.on("message", (data) => {
      const [, id = ""] = (data as Buffer).toString("utf8").split("\n");
      seen.requests += 1;
      const answer = seen.requests > times ? `200,"i":${id},"d":{"commandId":1}` : refusal(id);
      peer.send(`a[{"s":${answer}}]`);
    });
  });
  const socket = new TradovateSocket({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timing: SOCKET_TIMING,
    onProps: () => undefined,
    onFrame: () => undefined,
    elapsed,
  });
  onTestFinished(async () => {
    await socket.close();
    server.close();
  });
  await socket.opened;
  const reauthorize = async () => {
    seen.renewals += 1;
    return true;
  };
  const budget = new RateBudget(DEFAULT_LIMITS, elapsed);
  return {
    seen,
    requests: new Requests({
      socket,
      budget,
      mayWrite: () => true,
      onCommand: () => undefined,
      reauthorize,
    }),
  };
}

const CANCEL = { endpoint: "order/cancelorder", body: { orderId: 1 }, purpose: "protect" } as const;

test.each([400, 401, 403, 404])(
  "what may need a permission is refused by %i without a renewal, and the socket stays",
  async (status) => {
    const { seen, requests } = await refusing(status, 1);
    const sync = () => requests.postIfAllowed("user/syncrequest", {}, "protect");
    expect(await sync()).toBeUndefined();
    expect(await sync()).toEqual({ commandId: 1 });
    expect(seen).toEqual({ requests: 2, renewals: 0 });
  },
);

test("what is refused for another reason than a permission is an error", async () => {
  const { requests } = await refusing(500);
  const sync = requests.postIfAllowed("user/syncrequest", {}, "protect");
  await expect(sync).rejects.toThrow("Access is denied");
});

test("a 401 is answered by one renewal and one more try, and then nothing was sent", async () => {
  const { seen, requests } = await refusing(401);
  const outcome = await requests.command(CANCEL);
  expect(outcome).toEqual({ kind: "notSent", reason: "Access is denied" });
  expect(seen).toEqual({ requests: 2, renewals: 1 });
});

test("a 401 for an order that ended meanwhile is its refusal: the token is not in question", async () => {
  const { seen, requests } = await refusing(401);
  const outcome = await requests.command({ ...CANCEL, isPointless: () => true });
  expect(outcome).toEqual({ kind: "rejected", reason: "Access is denied" });
  expect(seen).toEqual({ requests: 1, renewals: 0 });
});

const TICKET = { "p-ticket": "t", "p-time": 0.01 };

test.each([200, 423, 429])(
  "a penalty is sat out and locks nothing out, with any status: %i",
  async (status) => {
    const { seen, requests } = await refusing(status, 1, TICKET);
    expect((await requests.command(ENTRY)).kind).toBe("taken");
    expect((await requests.command(ENTRY)).kind).toBe("taken");
    expect(seen.requests).toBe(3);
  },
);

test.each([200, 423, 429])(
  "a question that a penalty puts off is no lockout: %i",
  async (status) => {
    const { seen, requests } = await refusing(status, 1, TICKET);
    await expect(requests.read("account/list")).rejects.toThrow("Tradovate asks for a pause");
    expect(await requests.read("account/list")).toEqual({ commandId: 1 });
    expect(seen.requests).toBe(2);
  },
);

const ENTRY = { endpoint: "order/placeorder", body: {}, purpose: "entry" } as const;

test("after a 429 the endpoint is not asked again, and after one of another endpoint nothing is", async () => {
  const { seen, requests } = await refusing(429);
  expect(await requests.command(ENTRY)).toMatchObject({ kind: "notSent" });
  expect(await requests.command(ENTRY)).toMatchObject({ kind: "notSent" });
  expect(seen.requests).toBe(1);
  const modify = { ...ENTRY, endpoint: "order/modifyorder" };
  expect(await requests.command(modify)).toMatchObject({ kind: "notSent" });
  await expect(requests.read("account/list")).rejects.toThrow(/locked this user/);
  expect(seen.requests).toBe(2);
});

test.each([ENTRY.endpoint, CANCEL.endpoint])(
  "an exit is tried once more after a 429, and opens %s again for all where it is heard",
  async (endpoint) => {
    const { seen, requests } = await refusing(429, 1);
    expect(await requests.command({ ...CANCEL, endpoint })).toMatchObject({ kind: "taken" });
    expect(await requests.command({ ...ENTRY, endpoint })).toMatchObject({ kind: "taken" });
    expect(seen.requests).toBe(3);
  },
);

test("an exit that is refused again is not sent, and the next one does not ask at once", async () => {
  const { seen, requests } = await refusing(429);
  expect(await requests.command(CANCEL)).toMatchObject({ kind: "notSent" });
  expect(await requests.command(CANCEL)).toMatchObject({ kind: "notSent" });
  expect(seen.requests).toBe(2);
});
