// The goal: a user of Redis with the rights that the documents ask for, over TLS, is enough.
// The method: a Cluster of one server that refuses everything else, and the gateway as it is started.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Redis } from "ioredis";
import { generate } from "selfsigned";
import { expect, onTestFinished, test, vi } from "vitest";
import { findRedisBinary, SERVER_NAME } from "../../src/store/server/redis-binary.ts";
import { freePort } from "../support/free-port.ts";
import { program } from "../support/program.ts";
import { textOf } from "../support/source-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait.ts";

vi.setConfig({ testTimeout: 60_000 });

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
  const admin = new Redis({ host: HOST, port: tlsPort, ...login, retryStrategy: () => 50 });
  admin.on("error", () => undefined);
  onTestFinished(() => admin.disconnect());
  await admin.call("CLUSTER", "ADDSLOTSRANGE", 0, 16_383);
  return { admin, ca: files.cert, address: `${HOST}:${tlsPort}` };
}

test("the user that docs/scaling.md shows is enough, on a Cluster over TLS", async () => {
  expect(USER).not.toBe("");
  const folder = await temporaryFolder();
  const { admin, ca, address } = await startRedis(folder);
  let said = "";
  const gateway = run(process.execPath, program("gateway"), {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      NODE_EXTRA_CA_CERTS: ca,
      REDIS_URL: `rediss+cluster://gateway:PASSWORD@${address}`,
      DATA_DIR: path.join(folder, "data"),
      PORT: "0",
    },
  });
  for (const stream of [gateway.stdout, gateway.stderr]) {
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  await waitUntil("it has started", () => said.includes('"msg":"Started"'), 30_000).catch(() => {
    throw new Error(said);
  });

  const hook = /^ {2}(http\S+\/hooks\/\S+)$/m.exec(said)?.[1] ?? "";
  const body = JSON.stringify({ action: "buy", symbol: "ES1!", qty: 1 });
  const send = async () => await (await fetch(hook, { method: "POST", body })).json();
  await vi.waitFor(async () => expect(await send()).toMatchObject({ status: "filled" }), 10_000);

  const ended = once(gateway, "exit");
  gateway.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  // Redis has refused nothing.
  expect(await admin.call("ACL", "LOG")).toEqual([]);
});
