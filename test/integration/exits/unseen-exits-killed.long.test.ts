// The goal: exits that were asked for with an order stand though its process is killed before it could place them.
// The method: the real program on the simulator of Tradovate, which does not answer the entries; it is killed once they
// have filled, and goes on after a start or at its other worker.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { GatewayMachine, type GatewayProcess } from "../../support/gateway-process.ts";
import { frontMonth } from "../../support/gateway.ts";
import { eventually, waitUntil } from "../../support/wait.ts";
import { heldIn, inWords } from "./exit-case.ts";
import { BID } from "./exit-desk.ts";

const ID = "tradovate-1";
const QTY = 2;
const ENTRIES = [
  { targets: QTY, exits: { bracket: { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } } } },
  { targets: 0, exits: { bracket: { stopLoss: { ticks: 40 } } } },
  {
    targets: QTY,
    exits: { exitPlan: { targets: [{ ticks: 40 }, { ticks: 80 }], stop: { ticks: 40 } } },
  },
] as const;
const WHOLE = ENTRIES.map(({ targets }) => inWords({ net: QTY, stops: QTY, targets })).toSorted();
/** Nothing may be added for so long, once all of it works. */
const STILL_MS = 6_000;

const isUp = ({ api }: GatewayMachine) =>
  waitUntil(
    "the connection is up",
    async () => (await api.get(`/v1/connections/${ID}`)).body.status === "CONNECTED",
  );

async function openSimulator(): Promise<TradovateSimulator> {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const { code: contract } = frontMonth("ES");
  await simulator.control({ knob: "quote", contract, bid: BID, ask: BID + 1 });
  await simulator.control({ knob: "user", name: "joe", password: "any", accounts: ENTRIES.length });
  await simulator.control({
    knob: "fault",
    user: "joe",
    endpoint: "order/placeorder",
    times: ENTRIES.length,
    fault: { kind: "silence", isCarriedOut: true },
  });
  return simulator;
}

const seenAt = async (simulator: TradovateSimulator): Promise<string[]> =>
  Object.entries((await simulator.state()).accounts)
    .filter(([name]) => name.startsWith("joe"))
    .map(([, view]) => inWords(heldIn(view)))
    .toSorted();

/** The process that owns the connection. */
function ownerOf({ stdout, pid }: GatewayProcess): number {
  const lines = stdout().split("\n");
  const line = lines.findLast((one) => one.includes("Connection owned") && one.includes(`"${ID}"`));
  return line === undefined ? pid : (JSON.parse(line) as { pid: number }).pid;
}

test.each([
  ["the whole gateway", "all=1"],
  ["the worker that owns it", "ingress=1,worker=2"],
] as const)("exits stand once after %s is killed", async (what, processes) => {
  const simulator = await openSimulator();
  const isWhole = what === "the whole gateway";
  const machine = await GatewayMachine.create({
    ALLOW_LOCAL_BROKERS: "true",
    ...(!isWhole && { PROCESSES: processes }),
  });
  onTestFinished(machine.stop);
  const gateway = await machine.start();
  const { url: restUrl, wsUrl, mdUrl } = simulator;
  const settings = { name: "joe", password: "any", cid: "8", sec: "any", restUrl, wsUrl, mdUrl };
  const added = { broker: "tradovate", environment: "demo", settings };
  expect((await machine.api.post("/v1/connections", added)).status).toBe(201);
  await isUp(machine);
  const { body } = await machine.api.get("/v1/accounts");
  const all = body.accounts as { id: string; connectionId: string }[];
  const accounts = all.filter(({ connectionId }) => connectionId === ID);

  const posts = ENTRIES.map(async ({ exits }, nth) => {
    const order = { symbol: "ES1!", action: "buy", qty: QTY, type: "market", ...exits };
    await machine.api.post(`/v1/accounts/${accounts[nth]?.id}/orders`, order);
  });
  const answers = Promise.allSettled(posts);
  await waitUntil("all have filled", async () =>
    (await seenAt(simulator)).every((one) => one.startsWith(`${QTY} held`)),
  );
  process.kill(isWhole ? gateway.pid : ownerOf(gateway), "SIGKILL");
  if (isWhole) {
    await gateway.ended;
    await machine.start();
  }
  await answers;
  await eventually(async () => expect(await seenAt(simulator)).toEqual(WHOLE));
  await sleep(STILL_MS);
  expect(await seenAt(simulator)).toEqual(WHOLE);
});
