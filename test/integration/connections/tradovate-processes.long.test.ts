// The goal: a connection that was added goes on at another worker when its owner dies.
// The method: the real program as a launcher with two workers, and the Tradovate simulator.
import { expect, onTestFinished, test } from "vitest";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { GatewayMachine, type GatewayProcess, outcomeOf } from "../../support/gateway-process.ts";
import type { Reply } from "../../support/http-client.ts";
import { made, waitUntil } from "../../support/wait.ts";

const ID = "tradovate-1";

async function openMachine(): Promise<GatewayMachine> {
  const machine = await GatewayMachine.create({
    PROCESSES: "ingress=1,worker=2",
    ALLOW_LOCAL_BROKERS: "true",
  });
  onTestFinished(machine.stop);
  return machine;
}

async function addTradovate({ api }: GatewayMachine, simulator: TradovateSimulator): Promise<void> {
  const { url: restUrl, wsUrl } = simulator;
  const { status } = await api.post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    settings: { name: "joe", password: "hunter2", cid: "8", sec: "s3cret", restUrl, wsUrl },
  });
  expect(status).toBe(201);
}

const isUp = ({ api }: GatewayMachine) =>
  waitUntil(
    "the connection is up",
    async () => (await api.get(`/v1/connections/${ID}`)).body.status === "CONNECTED",
  );

/** The processes that have owned the connection, in order. */
function ownersOf({ stdout }: GatewayProcess): number[] {
  return stdout()
    .split("\n")
    .filter((line) => line.includes('"msg":"Connection owned"') && line.includes(`"${ID}"`))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);
}

test("its accounts are traded by the one worker, then by the other", async () => {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const machine = await openMachine();
  const gateway = await machine.start();
  await addTradovate(machine, simulator);
  await isUp(machine);

  const { body } = await machine.api.get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  const accountId = accounts.find(({ broker }) => broker === "tradovate")?.id;
  const hook = (await made(() => machine.api.post("/v1/webhooks", { accountId }))).url as string;
  const { pathname } = new URL(hook);
  const buy = async (alertId: string): Promise<Reply> => {
    const alert = { symbol: "ES1!", action: "buy", qty: 1, alertId };
    return await outcomeOf(`${gateway.url}${pathname}`, alert);
  };
  expect((await buy("before")).body.status).toBe("filled");

  const [owner] = ownersOf(gateway);
  process.kill(owner ?? 0, "SIGKILL");
  await waitUntil("another owns it", () => ownersOf(gateway).length > 1);
  await isUp(machine);
  expect((await buy("after")).body.status).toBe("filled");

  // The worker that was started anew may be the next owner; the dead one cannot.
  expect(ownersOf(gateway)[1]).not.toBe(owner);
  const log = await simulator.log();
  const orders = log.filter(({ op, outcome }) => op === "submitOrder" && outcome === "accepted");
  expect(orders).toHaveLength(2);
  // The second owner went on with the token of the first.
  expect(log.filter(({ op }) => op === "login")).toHaveLength(1);
  const { body: positions } = await machine.api.get(`/v1/accounts/${accountId}/positions`);
  expect(positions.positions).toMatchObject([{ qty: 2 }]);
  gateway.signal("SIGTERM");
  expect((await gateway.ended).code).toBe(0);
});
