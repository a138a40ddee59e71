// The goal: a start ends in one of three ways that a supervisor can tell apart, and leaves nothing behind.
// The method: run the real program where its port is taken, its store is away, or a signal comes early.
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { createKeys } from "../../src/store/keys.ts";
import { redisSocket } from "../../src/store/server/redis-server.ts";
import type { Settings } from "../support/gateway.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { call } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { freePort } from "../support/free-port.ts";

const PROCESSES = "ingress=1,worker=1";
const CANNOT_START = 78;
/** For alerts that are tried until one is filled. */
const ENOUGH = { DEFAULT_MAX_POSITION_QTY: "1000" };

async function openMachine(settings: Settings): Promise<GatewayMachine> {
  const machine = await GatewayMachine.create(settings);
  onTestFinished(machine.stop);
  return machine;
}

/** A port of this test's own; whoever connects hears nothing. */
async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function tryToListen(port: number): Promise<Server | undefined> {
  const server = createServer();
  const failed = once(server, "error").then(() => undefined);
  const listening = once(server.listen(port, "127.0.0.1"), "listening").then(() => server);
  return await Promise.race([listening.catch(() => undefined), failed]);
}

/** Takes a port at the instant at which it is free. */
async function waitToListen(port: number): Promise<Server> {
  let server: Server | undefined;
  await waitUntil(`port ${port} is free`, async () => {
    server = await tryToListen(port);
    return server !== undefined;
  });
  if (server === undefined) throw new Error("Nothing listens");
  onTestFinished(() => void server?.close());
  return server;
}

interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly isLaunched: boolean;
}

/** What the machine runs, Redis included: everything has the machine's own home. */
async function processesOf({ home }: GatewayMachine): Promise<Found[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Boolean);
  const all = await Promise.all(pids.map((pid) => look(pid, `HOME=${home}`)));
  return all.filter((one) => one !== undefined);
}

async function look(pid: number, setting: string): Promise<Found | undefined> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const environment = (await read("environ")).split("\0");
  if (!environment.includes(setting)) return undefined;
  return {
    pid,
    parent: Number(/^PPid:\s+(\d+)/m.exec(await read("status"))?.[1]),
    // Node's own mark.
    isLaunched: environment.some((one) => one.startsWith("NODE_UNIQUE_ID=")),
  };
}

/** The program that the test started is the machine's only process that is the test's own child. */
async function signalProgram(machine: GatewayMachine, signal: NodeJS.Signals): Promise<void> {
  const program = (await processesOf(machine)).find(({ parent }) => parent === process.pid);
  if (program === undefined) throw new Error("The program does not run");
  process.kill(program.pid, signal);
}

/** What only serves the program, such as a compiler, ends an instant after it. */
async function nothingIsLeft(machine: GatewayMachine): Promise<void> {
  await waitUntil("nothing is left", async () => (await processesOf(machine)).length === 0);
}

interface Line {
  readonly kind?: string;
  readonly status?: number;
  readonly signal?: string;
  readonly pid?: number;
}

const said = (stdout: string, message: string): Line[] =>
  stdout
    .split("\n")
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Line);

const deathsIn = ({ stdout }: GatewayProcess) =>
  said(stdout(), "A process ended on its own and is started again");

function killWorker({ stdout }: GatewayProcess): void {
  const owner = said(stdout(), "Connection owned").at(-1);
  if (owner?.pid === undefined) throw new Error("Nobody owns the connection");
  process.kill(owner.pid, "SIGKILL");
}

/** Alerts that follow one another, until one is filled. */
async function buyUntilFilled(machine: GatewayMachine): Promise<void> {
  const buy = async () => {
    const alert = { action: "buy", symbol: "ES1!", qty: 1, comment: `at ${performance.now()}` };
    return (await machine.alert(alert)).body.status === "filled";
  };
  await waitUntil("an alert is filled", buy);
}

test("a setting that one process cannot work with ends them all", async () => {
  const port = await freePort(3);
  // Its own, beside the one that all of them share.
  await waitToListen(port + 1);
  const machine = await openMachine({ PROCESSES, PORT: String(port) });

  const { code, stdout, stderr } = await machine.run();

  expect(code).toBe(CANNOT_START);
  expect(stderr).toContain("EADDRINUSE");
  expect(said(stdout, "A process cannot start")).toMatchObject([
    { kind: "ingress", status: CANNOT_START },
  ]);
  await nothingIsLeft(machine);
});

test("where the port that they share is taken, none of them begins", async () => {
  const { port } = await listen();
  const machine = await openMachine({ PROCESSES, PORT: String(port) });

  const { code, stdout, stderr } = await machine.run();

  expect(code).toBe(CANNOT_START);
  expect(stderr).toContain("EADDRINUSE");
  expect(said(stdout, "A process cannot start")).toEqual([]);
  await nothingIsLeft(machine);
});

test("a process that cannot reach the store yet waits until it can", async () => {
  const machine = await openMachine({ PROCESSES, ...ENOUGH });
  const gateway = await machine.start();
  const redis = await machine.redisPid();

  process.kill(redis, "SIGSTOP");
  try {
    killWorker(gateway);
    await waitUntil("its next start says what it waits for", () =>
      gateway.stdout().includes("Redis is not there yet"),
    );
  } finally {
    process.kill(redis, "SIGCONT");
  }

  expect(deathsIn(gateway)[0]).toMatchObject({ kind: "worker", signal: "SIGKILL" });
  await buyUntilFilled(machine);
  gateway.signal("SIGTERM");
  expect((await gateway.ended).code).toBe(0);
  await nothingIsLeft(machine);
});

test("one that has served before is started until its port is free again", async () => {
  const port = await freePort(3);
  const machine = await openMachine({ PROCESSES, ...ENOUGH, PORT: String(port) });
  const gateway = await machine.start();

  // Nothing starts the worker again before the port has gone to somebody else.
  gateway.signal("SIGSTOP");
  killWorker(gateway);
  const stranger = await waitToListen(port + 2);
  gateway.signal("SIGCONT");
  await waitUntil("its next start has failed", () => deathsIn(gateway).length >= 2);
  expect(deathsIn(gateway)[1]).toMatchObject({ kind: "worker", status: CANNOT_START });
  stranger.close();

  await buyUntilFilled(machine);
});

test("while its processes wait for the store, each port answers", async () => {
  const port = await freePort(3);
  const { server, port: silent } = await listen();
  const asked = once(server, "connection");
  const url = `redis://127.0.0.1:${silent}`;
  const machine = await openMachine({ PROCESSES, PORT: String(port), REDIS_URL: url });
  const running = machine.run();
  await asked;

  const at = (offset: number) => `http://127.0.0.1:${port + offset}`;
  for (const offset of [0, 1, 2]) {
    expect((await call(at(offset), "GET", "/healthz")).status).toBe(200);
    expect((await call(at(offset), "GET", "/readyz")).status).toBe(503);
  }
  const alert = await call(at(0), "POST", "/hooks/gwh_any", { body: "{}" });
  expect([alert.status, alert.headers.get("retry-after")]).toEqual([503, "1"]);

  await signalProgram(machine, "SIGTERM");
  expect((await running).code).toBe(0);
  await nothingIsLeft(machine);
});

test("the only process at the port answers on it again while it is started anew", async () => {
  const port = await freePort(3);
  const machine = await openMachine({ PROCESSES, ...ENOUGH, PORT: String(port) });
  const gateway = await machine.start();
  const redis = await machine.redisPid();
  const url = `http://127.0.0.1:${port}`;
  const launched = (await processesOf(machine)).filter(({ isLaunched }) => isLaunched);
  // The first one to be started, so that somebody answers.
  const ingress = Math.min(...launched.map(({ pid }) => pid));

  process.kill(redis, "SIGSTOP");
  try {
    process.kill(ingress, "SIGKILL");
    await waitUntil("its death is seen", () => deathsIn(gateway).length > 0);
    expect(deathsIn(gateway)[0]).toMatchObject({ kind: "ingress", signal: "SIGKILL" });
    await waitUntil(
      "it answers",
      async () =>
        (await call(url, "POST", "/hooks/gwh_any").catch(() => undefined))?.status === 503,
    );
  } finally {
    process.kill(redis, "SIGCONT");
  }
  await buyUntilFilled(machine);
});

test("several processes bring a store of an earlier version up to date", async () => {
  const machine = await openMachine(ENOUGH);
  const alone = await machine.start();
  const redis = new Redis({ path: await redisSocket(machine.dataDir) });
  const key = createKeys().storeIdentity;
  const { id } = JSON.parse((await redis.get(key)) ?? "") as { id: string };
  await redis.set(key, JSON.stringify({ id, format: 1 }));
  redis.disconnect();
  alone.signal("SIGTERM");
  await alone.ended;

  const several = await machine.start({ PROCESSES });

  expect(said(several.stdout(), "A process cannot start")).toEqual([]);
  await buyUntilFilled(machine);
});

test("SIGTERM in the middle of a start ends everything that was started", async () => {
  const machine = await openMachine({ PROCESSES });
  const running = machine.run();
  await waitUntil("the first process is launched", async () =>
    (await processesOf(machine)).some(({ isLaunched }) => isLaunched),
  );
  await waitUntil("Redis is started", async () => (await machine.redisPid()) > 1);

  await signalProgram(machine, "SIGTERM");
  const { code, stdout, stderr } = await running;

  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toMatch(/"msg":"(Started|Did not end[^"]*)"/);
  await nothingIsLeft(machine);
});

test.each([
  ["one process", {}],
  ["several", { PROCESSES }],
])("SIGTERM ends a start of %s on a Redis that says nothing", async (_, settings) => {
  const { server, port } = await listen();
  const machine = await openMachine({ ...settings, REDIS_URL: `redis://127.0.0.1:${port}` });
  const asked = once(server, "connection");
  const running = machine.run();
  await asked;

  await signalProgram(machine, "SIGTERM");

  expect((await running).code).toBe(0);
  await nothingIsLeft(machine);
});

test("a store that is away at the start is waited for, and no matter of the settings", async () => {
  const { server, port } = await listen();
  server.close();
  const here = await freePort();
  const redisUrl = `redis://127.0.0.1:${port}`;
  const machine = await openMachine({ REDIS_URL: redisUrl, PORT: String(here) });
  const { stdout, ended } = machine.begin();
  const ready = async () => await call(`http://127.0.0.1:${here}`, "GET", "/readyz");
  await waitUntil("it answers", async () => (await ready().catch(() => undefined)) !== undefined);
  const saysSo = () => stdout().includes("Redis is not there yet");
  await waitUntil("it says what it waits for", saysSo);
  expect((await ready()).status).toBe(503);

  await signalProgram(machine, "SIGTERM");
  expect((await ended).code).toBe(0);
  for (const word of ["Redis is not there yet", "ECONNREFUSED"]) expect(stdout()).toContain(word);
});
