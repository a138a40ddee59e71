// The goal: whoever follows the connection-health stream knows how the broker connections stand.
// The method: real streams over HTTP with the heartbeat as it is, a thousand at once, and a worker that is killed.
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { call } from "../support/http-client.ts";
import { openStream, type StreamClient } from "../support/stream-client.ts";
import { waitUntil } from "../support/wait.ts";

const LOST_AND_BACK = ["CONNECTED", "RECONNECTING", "CONNECTED"];

async function started(): Promise<TestGateway> {
  const gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1" } });
  onTestFinished(gateway.stop);
  return gateway;
}

async function follow(url: string, key: string): Promise<StreamClient> {
  const client = await openStream(url, key);
  onTestFinished(client.close);
  return client;
}

/** What a metric of one process says, its labels left out. */
async function metric(url: string, name: string): Promise<number> {
  const { text } = await call(url, "GET", "/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

test("a lost link and its return are told, and a heartbeat in quiet times", async () => {
  const gateway = await started();
  const client = await follow(gateway.url, gateway.key);
  await client.untilStatuses(["CONNECTED"]);
  gateway.paper.breakSession(new Error("The link was cut"));
  await client.untilStatuses(LOST_AND_BACK);

  const isHeartbeat = ({ type }: { type: string }) => type === "heartbeat";
  await waitUntil("a heartbeat comes", () => client.items().some(isHeartbeat));
  const beatAt = client.items().findIndex(isHeartbeat);
  const [last, beat] = client.items().slice(beatAt - 1);
  expect(Object.keys(beat ?? {})).toEqual(["type", "ts"]);
  // At most 15 s after the last item; the machine may be busy, and a client waits for 30 s.
  expect((beat?.ts ?? 0) - (last?.ts ?? 0)).toBeLessThan(20_000);
  expect(client.items().map(({ type }) => type)).toEqual([
    "snapshot",
    "status",
    "status",
    "heartbeat",
  ]);
});

test("a thousand streams of one process all hear of a change", { timeout: 120_000 }, async () => {
  const gateway = await started();
  const clients: StreamClient[] = [];
  onTestFinished(() => clients.forEach((client) => client.close()));
  for (let n = 0; n < 50; n += 1) {
    const { secret } = await gateway.createKey("read");
    const opened = Array.from({ length: 20 }, () => openStream(gateway.url, secret));
    clients.push(...(await Promise.all(opened)));
  }
  await waitUntil("all are greeted", () => clients.every((one) => one.statuses().length > 0));
  expect(await metric(gateway.url, "gateway_sse_clients")).toBe(1_000);

  for (let n = 1; n <= 3; n += 1) {
    gateway.paper.breakSession(new Error("The link was cut"));
    const isTold = (one: StreamClient) => one.statuses().length === 1 + 2 * n;
    await waitUntil("all have heard", () => clients.every(isTold));
  }
  expect(new Set(clients.map((one) => one.statuses().join()))).toEqual(
    new Set(["CONNECTED,RECONNECTING,CONNECTED,RECONNECTING,CONNECTED,RECONNECTING,CONNECTED"]),
  );
  expect(await metric(gateway.url, "gateway_sse_dropped_total")).toBe(0);
  clients.forEach((client) => client.close());
  const isOver = async () => (await metric(gateway.url, "gateway_sse_clients")) === 0;
  await waitUntil("all are gone", isOver);
});

test(
  "a worker that dies and its successor are seen by the ingress",
  { timeout: 120_000 },
  async () => {
    const machine = await GatewayMachine.create({ PROCESSES: "ingress=1,worker=1" });
    onTestFinished(machine.stop);
    const gateway = await machine.start();
    const client = await follow(gateway.url, machine.first.key);
    await client.untilStatuses(["CONNECTED"]);
    process.kill(ownerOf(gateway), "SIGKILL");
    const isBack = () => client.statuses().length > 1 && client.statuses().at(-1) === "CONNECTED";
    await waitUntil("another one is connected", isBack);
    expect(client.statuses()[1]).not.toBe("CONNECTED");
    expect(client.end()).toBeUndefined();
  },
);

/** The process that took the paper connection last. */
function ownerOf({ stdout }: GatewayProcess): number {
  const line = stdout()
    .split("\n")
    .findLast((text) => text.includes('"msg":"Connection owned"'));
  return (JSON.parse(line ?? "{}") as { pid: number }).pid;
}
