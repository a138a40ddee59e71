// The goal: workers share the connections, and one that starts or stops loses and doubles nothing.
// The method: gateways on one Redis, the exchange simulator as a broker, and alerts all the time.
import { randomBytes } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import type { BrokerKind } from "../../../src/brokers/broker-kind.ts";
import { EXCHANGE } from "../../support/exchange-broker.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { postAlert, type Reply } from "../../support/http-client.ts";
import { eventually, untilTaken, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
let simulator: ExchangeSimulator;

// A lease is renewed each 0.7 s and lost after 2.1 s: a late store, or two turns that long, may cost one.
let wasStoreLate = false;
const delay = monitorEventLoopDelay({ resolution: 20 });
const LONG_TURN_MS = 700;
const wasHeldUp = () => delay.max / 1e6 > LONG_TURN_MS;

beforeEach(() => {
  wasStoreLate = false;
  delay.reset();
  delay.enable();
  return () => void delay.disable();
});

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  const quote = { bid: 27_400, ask: 27_401, bidQty: 1_000_000, askQty: 1_000_000 };
  await simulator.control({ knob: "quote", contract: ES.code, ...quote });
  return simulator.stop;
});

/** Of paper and as many more. */
async function openWithConnections(count: number, most?: number) {
  const site = await ConnectionSite.open(simulator);
  // It hands out the first key.
  const first = await startWorker(site, most);
  const ingress = await site.start({ ...LARGE, ROLE: "ingress" });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await site.add(ingress));
  return { site, first, ingress, ids };
}

/** No order is refused for its size, and a stop may hand many connections over. */
const LARGE = { DEFAULT_MAX_POSITION_QTY: "100000", SHUTDOWN_SECONDS: "60" };

const startWorker = async (site: ConnectionSite, most?: number) =>
  await site.start({
    ...LARGE,
    ROLE: "worker",
    ...(most !== undefined && { WORKER_MAX_CONNECTIONS: String(most) }),
  });

/** A store that does not answer in time takes nothing; a connection that moves refuses nothing. */
const postUntilTaken = async (url: string, alert: object): Promise<Reply> =>
  await untilTaken(
    () => postAlert(url, alert),
    ({ body, text }) => {
      wasStoreLate ||= body.error.code === "STORE_UNAVAILABLE";
      if (!wasStoreLate && !wasHeldUp()) throw new Error(`Refused: ${text}`);
    },
  );

async function figure(app: App, name: string): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? NaN);
}

const owned = async (app: App) => await figure(app, "gateway_connections_owned");

async function untilOwned(counts: ReadonlyMap<App, number>): Promise<void> {
  await waitUntil("the connections are shared", async () => {
    for (const [app, count] of counts) if ((await owned(app)) !== count) return false;
    return true;
  });
}

async function untilWithoutRoom(app: App, count: number): Promise<void> {
  const isSo = async () => (await figure(app, "gateway_connections_without_room")) === count;
  await waitUntil(`${count} have no room`, isSo);
}

test("a worker that starts takes its part, one that stops leaves it, and no alert is lost", async () => {
  const { site, first, ingress, ids } = await openWithConnections(3);
  for (const id of ids) await site.until(ingress, id, "CONNECTED");
  const hooks = await Promise.all(ids.map((id) => site.webhook(ingress, `${id}-1`)));
  const held = async (id: string) => {
    const { body } = await site.api(ingress).get(`/v1/accounts/${id}-1/positions`);
    return (body.positions as { qty: number }[])[0]?.qty ?? 0;
  };
  const before = await Promise.all(ids.map(held));

  let isOver = false;
  const sending = hooks.map(async (hook, at) => {
    let sent = 0;
    while (!isOver) {
      const body = { symbol: "ES1!", action: "buy", qty: 1, comment: `${at} ${sent + 1}` };
      const { status, text } = await postUntilTaken(`${ingress.url}${hook}`, body);
      if (status !== 200 && status !== 202) throw new Error(`${status} ${text}`);
      sent += 1;
      // Many are under way at each moment of the move, and the workers get the machine as well.
      await sleep(20);
    }
    return sent;
  });

  const second = await startWorker(site);
  await untilOwned(
    new Map([
      [first, 2],
      [second, 2],
    ]),
  );
  await first.stop();
  await untilOwned(new Map([[second, 4]]));
  isOver = true;
  const sent = await Promise.all(sending);

  // Each alert is one contract.
  const expected = sent.map((count, at) => (before[at] ?? 0) + count);
  await eventually(async () => expect(await Promise.all(ids.map(held))).toEqual(expected));
});

test("a worker that stops holds up no lane but those that wait for an answer, and takes nothing", async () => {
  const { site, first, ingress, ids } = await openWithConnections(3);
  const gate = holdAnswers(site);
  for (const id of ids) await site.until(ingress, id, "CONNECTED");
  const hooks = await Promise.all(ids.map((id) => site.webhook(ingress, `${id}-1`)));
  const [slow = ""] = ids;
  const stopping = await startWorker(site);
  await untilOwned(new Map([[first, 2]]));
  await first.stop();
  await untilOwned(new Map([[stopping, 4]]));

  gate.close(`${slow}-1`);
  const answer = postAlert(`${ingress.url}${hooks[0]}`, BUY);
  await waitUntil("the order is on its way", async () => gate.isAwaited);
  const stopped = stopping.stop();
  const next = await startWorker(site);
  await untilOwned(new Map([[next, 3]]));
  await next.stop();
  const last = await startWorker(site);
  await untilOwned(new Map([[last, 3]]));
  for (const id of ids.slice(1)) await site.until(ingress, id, "CONNECTED");
  const answers = hooks
    .slice(1)
    .map(async (hook) => await postUntilTaken(`${ingress.url}${hook}`, BUY));
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);

  gate.open();
  // On a slow machine its caller has an answer before the order is let go.
  const { intentId } = JSON.parse((await answer).text) as { intentId: string };
  await eventually(async () => {
    const { body } = await site.api(ingress).get(`/v1/alerts/${intentId}`);
    expect(JSON.stringify(body)).toContain('"filled"');
  });
  expect(await stopped).toEqual({ unfinished: [], failures: [] });
  await untilOwned(new Map([[last, 4]]));
});

/** Orders of one account reach the broker once the test says so. */
function holdAnswers(site: ConnectionSite) {
  let held: string | undefined;
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const gate = { isAwaited: false, close: (account: string) => void (held = account), open };
  const kind = site.brokers[EXCHANGE];
  if (kind === undefined) throw new Error("There is no such broker");
  const opened: BrokerKind["open"] = (opening) => {
    const adapter = kind.open(opening);
    const submitOrder = adapter.submitOrder.bind(adapter);
    adapter.submitOrder = async (account, ...order) => {
      gate.isAwaited ||= account === held;
      if (account === held) await isOpen;
      return await submitOrder(account, ...order);
    };
    return adapter;
  };
  site.brokers = { [EXCHANGE]: { ...kind, open: opened } };
  return gate;
}

test("a worker's limit holds, and what no worker has room for is an alarm until there is", async () => {
  const { site, first } = await openWithConnections(2, 1);
  const second = await startWorker(site, 1);
  const both = new Map([
    [first, 1],
    [second, 1],
  ]);
  await untilOwned(both);
  await untilWithoutRoom(first, 1);
  const said = () => site.said.filter((line) => line.includes("No process has room"));
  await eventually(() => expect(said().join()).toContain('"count":1'));
  const third = await startWorker(site);
  await untilOwned(new Map([...both, [third, 1]]));
  await untilWithoutRoom(first, 0);
});

test("a worker that cannot open the secrets leaves the connections to one that can", async () => {
  const { site, first, ingress, ids } = await openWithConnections(4);
  for (const id of ids) await site.until(ingress, id, "CONNECTED");
  const SEALING_KEY = randomBytes(32).toString("base64");
  const unfit = await site.start({ ...LARGE, ROLE: "worker", SEALING_KEY });
  const tried = () => site.said.some((line) => /UnfitHereError/.test(line));
  await waitUntil("the unfit one has tried", async () => tried());
  for (const id of ids) await site.until(ingress, id, "CONNECTED");
  await unfit.stop();
  await untilOwned(new Map([[first, 5]]));
  expect(tried()).toBe(true);
  for (const id of ids) await site.until(ingress, id, "CONNECTED");
});
