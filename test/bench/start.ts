// How long a start takes with many alerts kept: `npm run bench:start -- --alerts 100000 --rounds 3`.
import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Redis } from "ioredis";
import { createKeys } from "../../src/store/keys.ts";
import { accountId, type IntentId } from "../../src/domain/ids.ts";
import { withRedis } from "./ask-about-redis.ts";
import { buildPrograms } from "./build.ts";
import { bareEnvironment } from "./child.ts";
import type { Place } from "./contender.ts";
import { startGateway } from "./gateway-contender.ts";
import { AlertPoster, postAll } from "./open-loop.ts";
import { cpuSeconds } from "./process-figures.ts";
import { spreadOf } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";
import { freePort } from "../support/free-port.ts";

const ACCOUNTS = Array.from({ length: 8 }, (_, index) => `paper-${index + 1}`);
/** Posted for real; the others are copies of their records. */
const REAL = 400;
const AT_ONCE = 1_000;
const MOST_ALERTS = 1_000_000;
const POLL_MS = 20;
const START_WITHIN_MS = 300_000;

/** Seconds since the process was started, and its CPU time until then. */
interface Start {
  readonly answers: number;
  readonly ready: number;
  readonly slowest503: number;
  readonly cpu: number;
}

/** Copies of what real alerts left: one record each, its line in the log, its sender's id. */
async function keepMore(redis: Redis, count: number): Promise<void> {
  const keys = createKeys();
  const [account = ""] = ACCOUNTS;
  const lists = ACCOUNTS.map((name) => keys.acceptedAlerts(accountId(name)));
  const [found = ""] = await redis.zrange(lists[0] ?? "", "0", "0");
  const of = accountId(account);
  const record = await redis.dumpBuffer(keys.intent(of, found as IntentId));
  const ttl = await redis.pttl(keys.intent(of, found as IntentId));
  for (let from = 0; from < count; from += AT_ONCE) {
    const batch = redis.pipeline();
    for (let at = from; at < Math.min(from + AT_ONCE, count); at += 1) {
      const name = accountId(ACCOUNTS[at % ACCOUNTS.length] ?? "");
      const id = `i${at.toString(16).padStart(28, "0")}` as IntentId;
      batch.call("RESTORE", keys.intent(name, id), `${ttl}`, record ?? Buffer.alloc(0));
      batch.zadd(keys.acceptedAlerts(name), Date.now() - count + at, id);
    }
    await batch.exec();
  }
}

async function fill(place: Place, alerts: number): Promise<void> {
  const running = await startGateway(place, { PAPER_ACCOUNTS: "1-8" }, ACCOUNTS);
  try {
    const poster = new AlertPoster(running.url);
    await postAll(poster, running.hooks, { count: REAL, together: 8, signal: place.signal });
    poster.close();
    await withRedis(running.redisSocket, async (redis) => await keepMore(redis, alerts - REAL));
  } finally {
    await running.stop();
  }
}

async function measureStart(
  { programs, folder }: Place,
  prefix: readonly string[],
): Promise<Start> {
  const port = await freePort();
  const dataDir = path.join(folder, "data");
  const env = { ...bareEnvironment(folder), DATA_DIR: dataDir, PORT: String(port) };
  const [program, ...words] = [...prefix, process.execPath, programs.gateway];
  const startedAt = performance.now();
  const child = spawn(program, words, { env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let answers = Number.NaN;
  let slowest503 = 0;
  try {
    while (elapsed() * 1_000 < START_WITHIN_MS) {
      const asked = elapsed();
      const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (reply) => reply.status,
        () => undefined,
      );
      if (status !== undefined && Number.isNaN(answers)) answers = elapsed();
      if (status === 503) slowest503 = Math.max(slowest503, elapsed() - asked);
      if (status === 200) {
        return { answers, ready: elapsed(), slowest503, cpu: await cpuSeconds([child.pid ?? 0]) };
      }
      await sleep(POLL_MS);
    }
    throw new Error("It did not become ready");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const { values } = parseArgs({
  options: {
    alerts: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    /** In front of the program, such as "taskset -c 0" or "nice -n 19". */
    under: { type: "string", default: "" },
  },
});
const alerts = Math.min(Math.max(Number(values.alerts), REAL), MOST_ALERTS);
const { signal } = new AbortController();
await temporaryPlace({ programs: await buildPrograms(), signal }, async (place) => {
  await fill(place, alerts);
  const starts: Start[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    starts.push(await measureStart(place, values.under.split(" ").filter(Boolean)));
  }
  for (const name of ["answers", "ready", "slowest503", "cpu"] as const) {
    const { median, min, max } = spreadOf(starts.map((start) => start[name]));
    const shown = [median, min, max].map((value) => value.toFixed(2)).join(" s, ");
    process.stdout.write(`${name} (median, least, most): ${shown} s\n`);
  }
});
