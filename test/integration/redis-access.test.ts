// The goal: a user of Redis with the rights that the documents ask for, over TLS, is enough.
// The method: a Cluster of one server that refuses everything else, and the gateway as it is started.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Redis } from "ioredis";
import { generate } from "selfsigned";
import { describe, expect, onTestFinished, test } from "vitest";
import { findRedisBinary, SERVER_NAME } from "../../src/store/server/redis-binary.ts";
import { freePort } from "../support/free-port.ts";
import { program } from "../support/program.ts";
import { clockEnvironment } from "../support/run-date.ts";
import { startRedisWithReplica } from "../support/redis-fleet.ts";
import { textOf } from "../support/source-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const HOST = "127.0.0.1";
/** As an operator copies it. */
const USER = /^user gateway on >PASSWORD .*$/m.exec(textOf("docs/scaling.md") ?? "")?.[0] ?? "";

function run(command: string, words: readonly string[], options: object): ChildProcess {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

async function startRedis(folder: string) {
  const [tlsPort, busPort] = [await freePort(), await freePort()];
  const altNames = [{ type: 7, ip: HOST } as const];
  const { cert, private: key } = await generate([{ name: "commonName", value: "redis" }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  const files = { cert: path.join(folder, "cert.pem"), key: path.join(folder, "key.pem") };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key, { mode: 0o600 });
  const lines = [
    "port 0",
    `tls-port ${tlsPort}`,
    `tls-cert-file ${files.cert}`,
    `tls-key-file ${files.key}`,
    `tls-ca-cert-file ${files.cert}`,
    "tls-auth-clients no",
    "tls-cluster yes",
    "cluster-enabled yes",
    `cluster-port ${busPort}`,
    `cluster-announce-ip ${HOST}`,
    `bind ${HOST}`,
    `dir ${folder}`,
    "appendonly yes",
    "appendfsync always",
    'save ""',
    "maxmemory-policy noeviction",
    "user default off",
    "user admin on >admin ~* &* +@all",
    USER,
  ];
  const file = path.join(folder, "redis.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  const binary = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  run(binary.file, [file], { argv0: SERVER_NAME });
  const login = { username: "admin", password: "admin", tls: { ca: cert } };
  const admin = new Redis({
    host: HOST,
    port: tlsPort,
    ...login,
    retryStrategy: () => 50,
    // A server that starts slowly fails no command: they wait for it.
    maxRetriesPerRequest: null,
  });
  admin.on("error", () => undefined);
  onTestFinished(() => admin.disconnect());
  await admin.call("CLUSTER", "ADDSLOTSRANGE", 0, 16_383);
  return { admin, ca: files.cert, address: `${HOST}:${tlsPort}` };
}

/** A gateway as it is started, and what it says. */
function startGateway(folder: string, environment: Readonly<Record<string, string>>) {
  const child = run(process.execPath, program("gateway"), {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      DATA_DIR: path.join(folder, "data"),
      PORT: "0",
      ...clockEnvironment(),
      ...environment,
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  return { child, said: () => said };
}

test("the user that docs/scaling.md shows is enough, on a Cluster over TLS", async () => {
  expect(USER).not.toBe("");
  const folder = await temporaryFolder();
  const { admin, ca, address } = await startRedis(folder);
  const { child: gateway, said } = startGateway(folder, {
    NODE_EXTRA_CA_CERTS: ca,
    REDIS_URL: `rediss+cluster://gateway:PASSWORD@${address}`,
  });
  await waitUntil("it has started", () => said().includes('"msg":"Started"')).catch(() => {
    throw new Error(said());
  });

  const hook = /^ {2}(http\S+\/hooks\/\S+)$/m.exec(said())?.[1] ?? "";
  const body = JSON.stringify({ action: "buy", symbol: "ES1!", qty: 1 });
  const send = async () => await (await fetch(hook, { method: "POST", body })).json();
  await eventually(async () => expect(await send()).toMatchObject({ status: "filled" }));

  const ended = once(gateway, "exit");
  gateway.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  // Redis has refused nothing.
  expect(await admin.call("ACL", "LOG")).toEqual([]);
});

describe("what REDIS_URL says otherwise than it is ends the start in words", () => {
  async function ends(REDIS_URL: string, environment = {}): Promise<string> {
    const folder = await temporaryFolder();
    const { child, said } = startGateway(folder, { REDIS_URL, ...environment });
    expect(await once(child, "close")).toEqual([78, null]);
    return said();
  }

  test("a Cluster named as one server", async () => {
    const { ca, address } = await startRedis(await temporaryFolder());
    const said = await ends(`rediss://gateway:PASSWORD@${address}`, { NODE_EXTRA_CA_CERTS: ca });
    expect(said).toMatch(/runs as cluster\. Name its Cluster, as redis:.* or redis\+cluster:/);
  });

  test("one server named as a Cluster, or as a Sentinel", async () => {
    const fleet = await startRedisWithReplica(await temporaryFolder());
    onTestFinished(fleet.stop);
    const { address } = fleet.master;
    expect(await ends(`redis+cluster://${address}`)).toMatch(/REDIS_URL names a Cluster, and/);
    expect(await ends(`redis+sentinel://${address}/it`)).toMatch(/REDIS_URL names Sentinels, and/);
  });

  test("a replica", async () => {
    const fleet = await startRedisWithReplica(await temporaryFolder());
    onTestFinished(fleet.stop);
    expect(await ends(`redis://${fleet.replica.address}`)).toMatch(
      /Its role is slave.*Name its master/,
    );
  });
});
