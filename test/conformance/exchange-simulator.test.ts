import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ConnectionSupervisor } from "../../src/brokers/connection-supervisor.ts";
import {
  CredentialsRefusedError,
  SessionImpossibleError,
} from "../../src/brokers/session-errors.ts";
import { accountId, type ConnectionId, orderId } from "../../src/domain/ids.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import type { ExchangeAdapterDeps } from "../simulators/exchange/adapter.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { openFrame, sealFrame } from "../simulators/exchange/frames.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import type { ExchangeRequest } from "../simulators/exchange/wire.ts";
import { HANGS_AFTER_MS, waitUntil } from "../support/wait.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { type BrokerUnderTest, px, Trader } from "./broker-under-test.ts";
import { ALL_CAPABILITIES, createSimulatedOn, type SimulatedBroker } from "./simulator-kit.ts";

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

const createSimulated = (deps: Partial<ExchangeAdapterDeps> = {}, broker = simulator) =>
  createSimulatedOn(broker, deps);

brokerAdapterConformance("The exchange simulator", ALL_CAPABILITIES, () =>
  createSimulated({ capabilities: ALL_CAPABILITIES }),
);

/** A connected trader, ended after the test. */
async function connected(broker: BrokerUnderTest): Promise<Trader> {
  const trader = new Trader(broker);
  onTestFinished(() => trader.close());
  await trader.connect();
  return trader;
}

/** A session spoken by hand: what the adapter would never send can be sent. */
class RawSession {
  readonly socket: WebSocket;
  readonly frames: Readonly<Record<string, unknown>>[] = [];
  readonly closed: Promise<void>;

  constructor(url: string) {
    this.socket = new WebSocket(url, { perMessageDeflate: false });
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    this.socket.on("error", () => undefined);
    this.socket.on("message", (data) => {
      const frame = openFrame((data as Buffer).toString("utf8"));
      assert(frame !== undefined, "the broker's frames can be read");
      this.frames.push(frame);
    });
    onTestFinished(() => this.socket.terminate());
  }

  static async open(url: string): Promise<RawSession> {
    const session = new RawSession(url);
    await once(session.socket, "open");
    return session;
  }

  static async login(broker: SimulatedBroker): Promise<RawSession> {
    const session = await RawSession.open(broker.url);
    session.send(1, loginOf(broker));
    await session.waitForAnswer(1);
    return session;
  }

  send(id: number, request: ExchangeRequest): void {
    this.socket.send(sealFrame({ id, ...request }));
  }

  answers(id: number) {
    return this.frames.filter((frame) => frame["id"] === id);
  }

  waitForAnswer(id: number): Promise<void> {
    return waitUntil(`request ${id} is answered`, () => this.answers(id).length > 0);
  }
}

function loginOf({ connection }: SimulatedBroker) {
  return { op: "login", connection, accounts: 2 } as const;
}

/** Stands still until the broker has let in so many logins of the connection. */
function blockUntilLogins({ url, connection }: SimulatedBroker, count: number): void {
  const poll = `for (;;) {
    const log = await (await fetch("${url.replace("ws:", "http:")}/log")).text();
    const isLogin = (line) => line.includes('"op":"login"') && line.includes('"${connection}"');
    if (log.split("\\n").filter(isLogin).length >= ${count}) break;
  }`;
  execFileSync(process.execPath, ["--input-type=module", "-e", poll], { timeout: HANGS_AFTER_MS });
}

/** What a link does to a frame: the frames that come out of it instead. */
type Tamper = (text: string) => readonly string[];

/** A link to the broker that passes frames on as the test says. */
class Link {
  toBroker: Tamper = (text) => [text];
  toClient: Tamper = (text) => [text];
  readonly #server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });

  private constructor(broker: string) {
    this.#server.on("connection", (near) => this.#join(near, broker));
    onTestFinished(() => this.#close());
  }

  static async open(broker: string): Promise<Link> {
    const link = new Link(broker);
    await once(link.#server, "listening");
    return link;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #join(near: WebSocket, broker: string): void {
    const far = new WebSocket(broker, { perMessageDeflate: false });
    const opened = once(far, "open");
    near.on("message", (data) => {
      void opened.then(() => {
        for (const text of this.toBroker((data as Buffer).toString("utf8"))) far.send(text);
      });
    });
    far.on("message", (data) => {
      for (const text of this.toClient((data as Buffer).toString("utf8"))) near.send(text);
    });
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      socket.on("close", () => other.terminate());
      socket.on("error", () => undefined);
    }
  }

  async #close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Does this to the next frame that says the words, and lets all others pass. */
function nextWith(words: string, tamper: Tamper): Tamper {
  let isDone = false;
  return (text) => {
    if (isDone || !text.includes(words)) return [text];
    isDone = true;
    return tamper(text);
  };
}

const lost: Tamper = () => [];
const doubled: Tamper = (text) => [text, text];
const damaged: Tamper = (text) => [text.replace('"orderQty":1', '"orderQty":3')];

/** The request of a market order for one contract. */
function buy(trader: Trader, clOrdId = trader.newId()) {
  const { account } = trader.broker;
  return { op: "submitOrder", account, order: trader.order({ clOrdId }) } as const;
}

/** What the broker saw of a connection, sessions left out. */
async function seen(connection: ConnectionId): Promise<readonly LogEntry[]> {
  const log = await simulator.log();
  const isOurs = (entry: LogEntry) => entry.connection === connection;
  return log.filter((entry) => isOurs(entry) && entry.op !== "login" && entry.op !== "end");
}

const short = ({ op, outcome }: LogEntry) => `${op} ${outcome}`;

describe("one live session for each connection", () => {
  test("a second login ends the first, whose late command is never carried out", async () => {
    const broker = await createSimulated();
    const trader = new Trader(broker);
    const [late, own] = [buy(trader), buy(trader)];
    const zombie = await RawSession.login(broker);
    const owner = await RawSession.open(broker.url);
    // Up to the late command all is one turn of the event loop: this process is as good as frozen
    // while the broker lets the second login in, and cannot learn that it was replaced.
    owner.send(1, loginOf(broker));
    blockUntilLogins(broker, 2);
    expect(zombie.socket.readyState).toBe(WebSocket.OPEN);
    zombie.send(2, late);
    owner.send(2, own);
    await owner.waitForAnswer(2);
    await zombie.closed;

    expect(zombie.answers(2)).toEqual([]);
    const accepted = (await seen(broker.connection)).filter(({ op }) => op === "submitOrder");
    expect(accepted.map(({ clOrdId }) => clOrdId)).toEqual([own.order.clOrdId]);
    const { accounts } = await simulator.state();
    expect(accounts[broker.account]?.fills).toHaveLength(1);
  });

  test("an adapter whose connection logs in elsewhere breaks, and the other one works", async () => {
    const broker = await createSimulated();
    const first = await connected(broker);
    const second = await connected({ ...broker, adapter: await broker.restart() });
    expect(await first.broken()).toBeInstanceOf(Error);
    expect((await first.submit()).kind).toBe("notSent");
    expect((await second.submit()).kind).toBe("accepted");
  });

  test("logins are refused for as long as asked", async () => {
    const broker = await createSimulated();
    const { connection } = broker;
    await simulator.control({ knob: "refuseLogins", ms: 3_600_000, connection });
    const trader = new Trader(broker);
    onTestFinished(() => trader.close());
    await expect(trader.connect()).rejects.toThrow("Logins are refused for now");
    await simulator.control({ knob: "refuseLogins", ms: 0, connection });
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });
});

describe("frames that are tampered with on their way", () => {
  test("an order whose frame comes twice is carried out once and answered alike", async () => {
    const broker = await createSimulated();
    const session = await RawSession.login(broker);
    const order = buy(new Trader(broker));
    session.send(2, order);
    session.send(2, order);
    await waitUntil("both frames are answered", () => session.answers(2).length === 2);
    const [first, again] = session.answers(2);
    expect(first).toMatchObject({ ok: true });
    expect(again).toEqual(first);
    const log = await seen(broker.connection);
    expect(log.map(short)).toEqual(["submitOrder accepted", "fill filled", "submitOrder repeated"]);
    expect(log.map(({ clOrdId }) => clOrdId)).toEqual(log.map(() => order.order.clOrdId));
  });

  test("a request that is left out ends the session, and what follows is not carried out", async () => {
    const broker = await createSimulated();
    const session = await RawSession.login(broker);
    const trader = new Trader(broker);
    // Stopped meanwhile, the broker reads both frames at once, so that the second is there already.
    simulator.signal("SIGSTOP");
    session.send(3, buy(trader));
    session.send(2, buy(trader));
    simulator.signal("SIGCONT");
    await session.closed;
    const outcomes = (await seen(broker.connection)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== "ignored")).toEqual([]);
    const { accounts } = await simulator.state();
    expect(accounts[broker.account]?.fills).toEqual([]);
  });

  test("a frame with a flipped bit ends the session, and is not carried out", async () => {
    const broker = await createSimulated();
    const session = await RawSession.login(broker);
    const frame = sealFrame({ id: 2, ...buy(new Trader(broker)) });
    const damaged = frame.replace('"orderQty":1', '"orderQty":3');
    expect(damaged).not.toBe(frame);
    session.socket.send(damaged);
    await session.closed;
    expect(await seen(broker.connection)).toEqual([]);
  });
});

describe("an adapter whose link tampers with frames", () => {
  const REPORT = '"execType":"TRADE"';
  const ORDER = '"op":"submitOrder"';
  const ANSWER = '"result":{"orderId"';
  async function overLink() {
    const timing = {
      pingEveryMs: 100,
      deadAfterMs: HANGS_AFTER_MS,
      answerWithinMs: HANGS_AFTER_MS,
    };
    const link = await Link.open(simulator.url);
    const broker = await createSimulated({ timing, url: link.url });
    return { trader: await connected(broker), link, connection: broker.connection, timing };
  }

  test.each([
    ["a report that is lost, though none follows it", REPORT, lost],
    ["a report that is damaged", REPORT, damaged],
    ["an answer that is damaged", ANSWER, (text: string) => [text.replace("orderId", "orderIf")]],
    ["an answer to what was not asked", ANSWER, () => [sealFrame({ id: 999, ok: true })]],
  ])("breaks over %s", async (_, words, tamper) => {
    const { trader, link } = await overLink();
    link.toClient = nextWith(words, tamper);
    await trader.submit();
    expect(await trader.broken()).toBeInstanceOf(Error);
    await trader.connect();
    expect(await trader.netQty()).toBe(1);
  });

  test("hears a report once that comes twice", async () => {
    const { trader, link } = await overLink();
    link.toClient = nextWith(REPORT, doubled);
    const { orderId: order } = await trader.place();
    const { orderId: next } = await trader.place();
    await trader.waitForReport(next, "TRADE");
    expect(trader.reportsOf(order).map(({ execType }) => execType)).toEqual(["NEW", "TRADE"]);
  });

  test("takes an answer once that comes twice, and the session goes on", async () => {
    const { trader, link, connection } = await overLink();
    link.toClient = nextWith(ANSWER, doubled);
    link.toBroker = nextWith(ORDER, doubled);
    await trader.place();
    await trader.place();
    await trader.waitForPosition(2);
    const log = await seen(connection);
    expect(log.filter(({ outcome }) => outcome === "accepted")).toHaveLength(2);
    expect(log.filter(({ outcome }) => outcome === "repeated")).toHaveLength(1);
  });

  test("knows no outcome when its answer is lost, and the order was carried out once", async () => {
    const { trader, link, timing } = await overLink();
    link.toClient = nextWith(ANSWER, lost);
    timing.answerWithinMs = 500;
    expect((await trader.submit()).kind).toBe("unknown");
    timing.answerWithinMs = HANGS_AFTER_MS;
    await trader.waitForPosition(1);
  });

  test.each([
    ["lost", lost],
    ["damaged", damaged],
  ])("knows no outcome when its order is %s, and nothing was carried out", async (_, tamper) => {
    const { trader, link, connection } = await overLink();
    link.toBroker = nextWith(ORDER, tamper);
    expect((await trader.submit()).kind).toBe("unknown");
    // The broker misses the request by the number of the next one, the heartbeat's at the latest.
    expect(await trader.broken()).toBeInstanceOf(Error);
    expect(await seen(connection)).toEqual([]);
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });
});

describe("the adapter", () => {
  test("sends nothing when it may not, and its session ends", async () => {
    let mayWrite = true;
    const broker = await createSimulated({ beforeWrite: () => mayWrite });
    const trader = await connected(broker);
    await trader.place();
    mayWrite = false;
    expect((await trader.submit()).kind).toBe("notSent");
    expect(await trader.broken()).toBeInstanceOf(Error);
    await expect(trader.connect()).rejects.toThrow("not allowed");
    const log = await seen(broker.connection);
    expect(log.map(short)).toEqual(["submitOrder accepted", "fill filled"]);
  });

  test("knows no outcome when the answer is late, and finds the order afterwards", async () => {
    const timing = { answerWithinMs: HANGS_AFTER_MS };
    const broker = await createSimulated({ timing });
    const { account, connection } = broker;
    const trader = await connected(broker);
    const id = trader.newId();
    await simulator.control({ knob: "delay", account, ms: 3_600_000, ops: ["submitOrder"] });
    timing.answerWithinMs = 200;
    expect((await trader.submit({ clOrdId: id })).kind).toBe("unknown");
    timing.answerWithinMs = HANGS_AFTER_MS;
    expect(await trader.adapter.findOrder(account, id)).toMatchObject({ ordStatus: "FILLED" });
    const other = await trader.adapter.submitOrder(broker.otherAccount, trader.order());
    expect(other.kind).toBe("accepted");
    await simulator.control({ knob: "delay", account, ms: 3_600_000 });
    timing.answerWithinMs = 200;
    await expect(trader.working()).rejects.toBeInstanceOf(BrokerReadError);
    timing.answerWithinMs = HANGS_AFTER_MS;
    await simulator.control({ knob: "delay", account, ms: 0 });
    expect((await trader.submit()).kind).toBe("accepted");
    const orders = (await seen(connection)).filter(({ op }) => op === "submitOrder");
    expect(new Set(orders.map(({ session }) => session)).size).toBe(1);
  });

  test("is given up when its broker falls silent, and what was in flight is unknown", async () => {
    const own = await startExchangeSimulator();
    onTestFinished(own.stop);
    let ahead = 0;
    const timing = { pingEveryMs: 100, deadAfterMs: 8_000, answerWithinMs: 3_600_000 };
    const broker = await createSimulated({ timing }, own);
    const trader = new Trader(broker);
    const errors: unknown[] = [];
    const supervisor = new ConnectionSupervisor({
      connectionId: broker.connection,
      adapter: broker.adapter,
      loginStop: { find: async () => undefined, keep: async () => true },
      mayRun: () => true,
      onSession: async () => undefined,
      onStatus: () => undefined,
      onRetry: () => undefined,
      onError: (error) => errors.push(error),
      elapsed: () => performance.now() + ahead,
    });
    onTestFinished(() => supervisor.stop());
    supervisor.start();
    const isConnected = () => supervisor.status === "CONNECTED";
    await waitUntil("the session stands", isConnected);
    own.signal("SIGSTOP");
    const inFlight = trader.submit();
    ahead = timing.deadAfterMs;
    expect((await inFlight).kind).toBe("unknown");
    expect(String(errors[0])).toMatch(/^Error: The broker has said nothing for \d+\.\d s$/);
    ahead = 0;
    await waitUntil("the session has ended", () => !isConnected());
    own.signal("SIGCONT");
    await waitUntil("the session stands again", isConnected);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("says what the broker's last word to a login means", async () => {
    const broker = await createSimulated();
    const { connection } = broker;
    const trader = new Trader(broker);
    onTestFinished(() => trader.close());
    const turnAway = { knob: "turnAway", reason: "Wrong password", connection } as const;
    await simulator.control(turnAway);
    await expect(trader.connect()).rejects.toBeInstanceOf(CredentialsRefusedError);
    await simulator.control({ ...turnAway, over: "account" });
    await expect(trader.connect()).rejects.toBeInstanceOf(SessionImpossibleError);
    await simulator.control({ knob: "turnAway", connection });
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });
});

describe("the knobs", () => {
  test("a fill may be reported after its order is answered", async () => {
    const broker = await createSimulated();
    const { connection, account } = broker;
    const trader = await connected(broker);
    const before = await trader.place();
    expect(trader.reportsOf(before.orderId).map(({ execType }) => execType)).toContain("TRADE");
    const knob = { knob: "reports", order: "afterAnswer", connection } as const;
    await simulator.control({ ...knob, delayMs: 3_600_000 });
    const late = await trader.place();
    // A report of an order by hand, which waits behind the one that is held.
    const order = { contract: broker.contract, side: "BUY", orderQty: 1 } as const;
    const market = { ...order, ordType: "MARKET", timeInForce: "DAY" } as const;
    await simulator.control({ knob: "placeOrder", account, order: market });
    expect(await trader.netQty()).toBe(3);
    expect(trader.reportsOf(late.orderId)).toEqual([]);

    await simulator.control({ ...knob, delayMs: 0 });
    const { otherAccount } = broker;
    const outcome = await trader.adapter.submitOrder(otherAccount, trader.order());
    assert(outcome.kind === "accepted");
    await waitUntil("its own reports are not held up", () =>
      trader.reports.some(({ account: of }) => of === otherAccount),
    );
    expect(trader.reportsOf(late.orderId)).toEqual([]);
  });

  test("a broker that takes duplicates makes a second order of the same name", async () => {
    const broker = await createSimulated();
    const { connection, account } = broker;
    const trader = await connected(broker);
    const id = trader.newId();
    const bracket = { stopLoss: { by: "price", price: px(1) } } as const;
    await trader.place({ clOrdId: id, bracket });
    expect((await trader.submit({ clOrdId: id, bracket })).kind).toBe("rejected");
    await simulator.control({ knob: "duplicates", policy: "accept", connection });
    await trader.place({ clOrdId: id, bracket });

    await trader.waitForPosition(2);
    const fills = await trader.adapter.fills(account, 0);
    expect(fills.map(({ clOrdId }) => clOrdId)).toEqual([id, id]);
    const stops = await trader.working();
    expect(stops.map(({ clOrdId }) => clOrdId)).toEqual([`${id}-SL`, `${id}-SL`]);
    const orders = (await seen(connection)).filter(({ op }) => op === "submitOrder");
    expect(orders.map(({ clOrdId }) => clOrdId)).toEqual([id, id, id]);
    expect(orders.map(({ outcome }) => outcome)).toEqual(["accepted", "rejected", "accepted"]);
    expect(orders[0]?.orderId).not.toBe(orders[2]?.orderId);
  });

  test("orders by hand carry no identifier, and are seen by the session and in the state", async () => {
    const broker = await createSimulated();
    const { account, contract } = broker;
    const trader = await connected(broker);
    const shared = { contract, side: "BUY", orderQty: 1, timeInForce: "DAY" } as const;
    const order = { ...shared, ordType: "LIMIT", price: px(1) } as const;
    const placed = await simulator.control({ knob: "placeOrder", account, order });
    assert(placed.kind === "accepted" && "orderId" in placed);
    const { orderId: foreign } = placed;
    const report = await trader.waitForReport(foreign, "NEW");
    expect(report.order).not.toHaveProperty("clOrdId");
    const { accounts } = await simulator.state();
    expect(accounts[account]?.workingOrders).toEqual(await trader.working());

    const cancel = { knob: "cancelOrder", account, orderId: foreign } as const;
    expect(await simulator.control(cancel)).toEqual({ kind: "accepted" });
    await trader.waitForReport(foreign, "CANCELED");
    expect((await simulator.control(cancel)).kind).toBe("rejected");
    const unknown = { ...cancel, account: accountId("nobody-1"), orderId: orderId("1") };
    expect((await simulator.control(unknown)).kind).toBe("rejected");
    const byHand = await seen(broker.connection);
    expect(byHand.map(({ session }) => session)).toEqual(byHand.map(() => undefined));
  });

  test("a knob that does not exist is refused", async () => {
    const wrong = { knob: "selfDestruct" } as unknown as Parameters<typeof simulator.control>[0];
    await expect(simulator.control(wrong)).rejects.toThrow("There is no such knob");
  });

  test("the log counts everything from 1 on, without a gap", async () => {
    const trader = await connected(await createSimulated());
    await trader.place();
    const log = await simulator.log();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => n + 1));
    expect(await simulator.log(log.length)).toEqual(log.slice(-1));
  });
});
