// The goal: the gateway's own Redis loses nothing that it answered, and comes back by itself.
// The method: run real servers, kill and damage them, and look at what they hold afterwards.
import { spawn } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { examineServer } from "../../src/store/trust/durability.ts";
import { findRedisBinary, SERVER_NAME } from "../../src/store/server/redis-binary.ts";
import { startRedisServer } from "../../src/store/server/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { askRedis } from "../../src/store/server/redis-process.ts";

function client(socket: string): Redis {
  // A server that starts slowly fails no command: they wait for it.
  const redis = new Redis({
    path: socket,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  redis.on("error", () => undefined);
  onTestFinished(() => redis.disconnect());
  return redis;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("it listens on a private socket in the data folder only, and is durable", async () => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const redis = client(server.path);

  expect(server.path).toBe(path.join(folder, "redis/redis.sock"));
  expect((await stat(server.path)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(folder, "redis"))).mode & 0o777).toBe(0o700);
  expect(await redis.config("GET", "port")).toEqual(["port", "0"]);
  expect(await redis.config("GET", "save")).toEqual(["save", ""]);
  expect((await examineServer(redis)).findings).toEqual([]);
});

test("Ctrl-C in the terminal does not reach it before the gateway has ended it", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  // The fifth field, third after the name in brackets: the process group.
  const stat = await readFile(`/proc/${server.pid}/stat`, "utf8");
  expect(Number(stat.split(") ")[1]?.split(" ")[2])).toBe(server.pid);
});

test("after kill -9 it is back at once with every answered write", async () => {
  const redis = await startTestRedis(await temporaryFolder());
  const store = client(redis.server.path);
  const before = redis.server.pid;
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.set(`key-${n}`, n)));

  redis.signal("SIGKILL");
  await waitUntil("the server runs again", () => ![undefined, before].includes(redis.server.pid));

  expect(redis.exits).toMatchObject([{ code: null, signal: "SIGKILL" }]);
  expect(await store.get("key-99")).toBe("99");
  expect(await store.dbsize()).toBe(100);
  expect(redis.lines.join("\n")).toContain("is started again (signal SIGKILL)");
});

test("one that dies again and again is started with growing pauses", async () => {
  const redis = await startTestRedis(await temporaryFolder());
  for (let death = 1; death <= 3; death += 1) {
    const before = redis.server.pid;
    redis.signal("SIGKILL");
    await waitUntil("it runs again", () => ![undefined, before].includes(redis.server.pid));
    expect(redis.exits).toHaveLength(death);
  }
});

test("stop ends it in order, and the next start has its data", async () => {
  const folder = await temporaryFolder();
  const first = await startTestRedis(folder);
  await client(first.server.path).set("kept", "yes");
  const pid = Number(first.server.pid);
  await first.server.stop();

  expect(isAlive(pid)).toBe(false);
  expect(first.exits).toEqual([]);
  expect(first.lines.filter((line) => !line.includes("overcommit"))).toEqual([]);

  const second = await startTestRedis(folder);
  expect(await client(second.server.path).get("kept")).toBe("yes");
});

test.each(["SIGCONT", "SIGSTOP"] as const)(
  "a server left behind by a killed gateway is ended and replaced, also one sent %s",
  async (signal) => {
    const folder = await temporaryFolder();
    const dir = path.join(folder, "redis");
    await mkdir(dir);
    const binary = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
    const options = ["--port", "0", "--unixsocket", "redis.sock", "--dir", dir, "--save", ""];
    const orphan = spawn(
      binary.file,
      [...options, "--appendonly", "yes", "--pidfile", path.join(dir, "redis.pid")],
      { argv0: SERVER_NAME, cwd: dir, stdio: "ignore" },
    );
    onTestFinished(() => void orphan.kill("SIGKILL"));
    const store = client(path.join(dir, "redis.sock"));
    await store.set("kept", "yes");
    orphan.kill(signal);

    const { server, lines } = await startTestRedis(folder);

    expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
    expect(server.pid).not.toBe(orphan.pid);
    expect(await store.get("kept")).toBe("yes");
    expect(lines.join("\n")).toContain(`(process ${orphan.pid}); it is ended and started anew`);
  },
);

test("a server that cannot be found among the processes is not written over", async () => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  await writeFile(path.join(folder, "redis/redis.pid"), "0\n");

  await expect(startTestRedis(folder)).rejects.toThrow(`redis-cli -s ${server.path} shutdown`);
});

test("damaged data stop the start, in Redis' own words and with a way out", async () => {
  const folder = await temporaryFolder();
  const first = await startTestRedis(folder);
  const store = client(first.server.path);
  for (let n = 0; n < 50; n += 1) await store.set(`key-${n}`, "value");
  await first.server.stop();

  const logs = path.join(folder, "redis/appendonlydir");
  const log = path.join(logs, (await readdir(logs)).find((name) => name.includes("incr")) ?? "");
  const bytes = await readFile(log);
  bytes.fill("x", 200, 260);
  await writeFile(log, bytes);

  const start = startTestRedis(folder);
  await expect(start).rejects.toThrow(/did not start \(code 1\)[^]*Bad file format/);
  await expect(start).rejects.toThrow(/redis-check-aof --fix \S+\/appendonly\.aof\.manifest/);
});

test.each([
  ["a log without its manifest", "no appendonly.aof.manifest"],
  ["a snapshot alone", "holds a snapshot (dump.rdb) and no append-only log"],
])("%s is not taken for an empty folder", async (what, reason) => {
  const folder = await temporaryFolder();
  const first = await startTestRedis(folder);
  await client(first.server.path).set("kept", "yes");
  await first.server.stop();
  const logs = path.join(folder, "redis/appendonlydir");
  const before = path.join(folder, "before");
  await cp(logs, before, { recursive: true });
  if (what.startsWith("a log")) await rm(path.join(logs, "appendonly.aof.manifest"));
  else {
    await rm(logs, { recursive: true });
    await writeFile(path.join(folder, "redis/dump.rdb"), "");
  }

  await expect(startTestRedis(folder)).rejects.toThrow(reason);
  await expect(startTestRedis(folder)).rejects.toThrow(
    /restore a backup[^]*To begin anew on purpose/,
  );

  await rm(path.join(folder, "redis"), { recursive: true });
  await cp(before, logs, { recursive: true });
  expect(await client((await startTestRedis(folder)).server.path).get("kept")).toBe("yes");
});

test("a log that was cut off in its last entry is read up to there", async () => {
  const folder = await temporaryFolder();
  const first = await startTestRedis(folder);
  await client(first.server.path).set("kept", "yes");
  await first.server.stop();

  const logs = path.join(folder, "redis/appendonlydir");
  const log = path.join(logs, (await readdir(logs)).find((name) => name.includes("incr")) ?? "");
  await writeFile(log, `${await readFile(log, "utf8")}*3\r\n$3\r\nSET\r\n$3`);

  const second = await startTestRedis(folder);
  expect(await client(second.server.path).get("kept")).toBe("yes");
  expect(second.lines.join("\n")).toMatch(/short read|truncat/i);
});

test("a program that is no Redis server is refused by name", async () => {
  const folder = await temporaryFolder();
  const program = path.join(folder, "not-redis");
  await writeFile(program, "#!/bin/sh\necho 'Redis server v=6.0.16 sha=0'\n");
  await chmod(program, 0o755);
  const log = () => undefined;

  await expect(startRedisServer({ dataDir: folder, binary: program, log })).rejects.toThrow(
    `REDIS_SERVER_BIN names ${program}, which is Redis 6.0.16. Name one of version 6.2 or newer.`,
  );
  await expect(startRedisServer({ dataDir: folder, binary: "/bin/true", log })).rejects.toThrow(
    "REDIS_SERVER_BIN names /bin/true, which is no Redis server program.",
  );
});

test("each of its options is one that version 6.2 knows too", async () => {
  const folder = await temporaryFolder();
  const { file } = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  const program = path.join(folder, "redis-server");
  // What 6.2 says of the names that came with 7.0, before it ends.
  const refuse = `case "$*" in *listpack*) echo "*** FATAL CONFIG FILE ERROR ***"; exit 1;; esac`;
  await writeFile(program, `#!/bin/bash\n${refuse}\nexec -a redis-server ${file} "$@"\n`);
  await chmod(program, 0o755);

  const redis = client((await startTestRedis(folder, program)).server.path);

  await redis.hset("record", { long: "x".repeat(4_096) });
  expect(await redis.object("ENCODING", "record")).toMatch(/^(listpack|ziplist)$/);
});

test("a start that is given up leaves no server behind", async () => {
  const folder = await temporaryFolder();
  const signal = AbortSignal.abort();
  const start = startRedisServer({
    dataDir: folder,
    binary: process.env["REDIS_SERVER_BIN"],
    signal,
    log: () => undefined,
  });

  await expect(start).rejects.toThrow("aborted");
  const socket = path.join(folder, "redis/redis.sock");
  await expect(askRedis(socket, "PING")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test("a data folder with a very long path has its socket among the temporary files", async () => {
  const folder = path.join(await temporaryFolder(), "long-".repeat(30));
  await mkdir(folder);
  const { server } = await startTestRedis(folder);

  onTestFinished(() => rm(path.dirname(server.path), { recursive: true }));

  expect(Buffer.byteLength(server.path)).toBeLessThanOrEqual(103);
  expect((await stat(path.dirname(server.path))).mode & 0o777).toBe(0o700);
  expect(await client(server.path).ping()).toBe("PONG");
});

test("a program that is missing keeps nothing waiting, and a command ends at once", async () => {
  const waiting = () => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
  const before = waiting();
  for (let n = 0; n < 20; n += 1) {
    await expect(findRedisBinary(`/nowhere/redis-server-${n}`)).rejects.toThrow("no Redis server");
  }
  expect(waiting() - before).toBeLessThan(20);
});
