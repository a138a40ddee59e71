import { writeFile } from "node:fs/promises";
import path from "node:path";
import { findRedisBinary } from "../../src/store/server/redis-binary.ts";
import { buildPrograms, type Programs } from "./build.ts";
import type { Contender } from "./contender.ts";
import { measureCopying } from "./copying.ts";
import { type Flags, type Part, readFlags, USAGE, UsageError } from "./flags.ts";
import { measureFootprint } from "./footprint.ts";
import { measureSync } from "./disk.ts";
import { contenderOnBroker, gatewayContender } from "./gateway-contender.ts";
import { measureGuards } from "./guards.ts";
import { measureMemory } from "./memory.ts";
import { measurePlans } from "./plans.ts";
import { plainContender } from "./plain-contender.ts";
import { asJson, measuredCommit, publish } from "./publish.ts";
import {
  copyingText,
  footprintText,
  guardsText,
  isFailed,
  machineText,
  memoryText,
  plansText,
  quotesText,
  REFERENCE,
  scalingText,
  slowAccountText,
  spreadingText,
  tellingText,
  throughputText,
} from "./report.ts";
import { measureQuotes } from "./quotes.ts";
import { measureScaling } from "./scaling.ts";
import { startSimulatedBroker } from "./simulated-broker.ts";
import { measureSlowAccount } from "./slow-account.ts";
import { simulateSpreading } from "./spreading.ts";
import { measureTelling } from "./telling.ts";
import { measureThroughput, minutesOf } from "./throughput.ts";
import { requireWrk } from "./wrk.ts";

/** Everybody else is compared with it: BullMQ without the gateway, in the fastest plain way. */
const WORKER = plainContender(REFERENCE);

const CONTENDERS: readonly Contender[] = [
  WORKER,
  plainContender("koa"),
  plainContender("koa+add"),
  plainContender("worker-wait-until-finished"),
  gatewayContender("gateway", {}),
  gatewayContender("gateway-split", { PROCESSES: "ingress=1,worker=1" }),
  contenderOnBroker("gateway-on-broker", startSimulatedBroker),
];

interface Run {
  readonly flags: Flags;
  readonly programs: Programs;
  readonly machine: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Each measures one part, and answers its section of the report. */
const MEASURE: Readonly<Record<Part, (run: Run) => Promise<string>>> = {
  throughput: async (run) => await measureRates(run),
  footprint: async (run) =>
    footprintText(await measureFootprint({ ...run, accounts: run.flags.accounts })),
  slow: async (run) => await measureSlow(run),
  copying: async (run) =>
    copyingText(await measureCopying({ ...run, rounds: run.flags.copyRounds }), run.flags),
  memory: async (run) => memoryText(await measureMemory({ ...run, alerts: run.flags.alerts })),
  scaling: async (run) => scalingText(await measureScaling({ ...run, ...run.flags }), run.flags),
  quotes: async (run) =>
    quotesText(await measureQuotes({ ...run, rounds: run.flags.rounds }), run.flags),
  telling: async (run) =>
    tellingText(await measureTelling({ ...run, rounds: run.flags.rounds }), run.flags),
  guards: async (run) => guardsText(await measureGuards({ ...run, ...run.flags }), run.flags),
  plans: async (run) => plansText(await measurePlans({ ...run, ...run.flags }), run.flags),
  spreading: async ({ say }) => spreadingText(simulateSpreading(say)),
};

async function measureRates(run: Run): Promise<string> {
  const { flags, machine, say } = run;
  const { rounds, seconds, json } = flags;
  const contenders = [...chosen(flags, say), ...earlier(flags)];
  const options = { ...run, ...flags, reference: WORKER, contenders };
  say(`throughput takes about ${Math.ceil(minutesOf(options))} minutes`);
  const rows = await measureThroughput(options);
  const commit = await measuredCommit();
  const measuredAt = new Date().toISOString().slice(0, 10);
  const figures = { measuredAt, commit, machine, rounds, seconds, rows };
  if (json !== undefined) await writeFile(json, asJson(figures));
  const failed = rows.filter(isFailed);
  for (const { contender, connections } of failed) {
    say(`${contender} failed at ${connections} connections: nothing is published`);
  }
  if (failed.length > 0) process.exitCode = 1;
  else if (flags.publish) await publish(figures);
  return throughputText(figures);
}

async function measureSlow(run: Run): Promise<string> {
  const seconds = run.flags.slowSeconds;
  const options = { ...run, startBroker: startSimulatedBroker, seconds };
  return slowAccountText(await measureSlowAccount(options), seconds);
}

function chosen({ contenders }: Flags, say: (line: string) => void): readonly Contender[] {
  const strange = contenders?.find((name) => CONTENDERS.every((known) => known.name !== name));
  if (strange !== undefined) {
    const known = CONTENDERS.map(({ name }) => name).join(", ");
    throw new UsageError(`--contenders takes ${known}, not ${strange}`);
  }
  const wanted = CONTENDERS.filter(({ name }) => contenders?.includes(name) ?? true);
  for (const { name, missing } of wanted) {
    if (missing !== undefined) say(`${name} is left out: ${missing}`);
  }
  return wanted.filter(({ missing }) => missing === undefined);
}

function earlier({ before }: Flags): readonly Contender[] {
  if (before === undefined) return [];
  return [gatewayContender("gateway-before", {}, [path.resolve(before, "dist/src/main.js")])];
}

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => ending.abort(new Error(`The benchmark was ended by ${name}`)));
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  await requireWrk();
  const { version } = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  const machine = machineText({ redisVersion: version, syncMs: await measureSync() });
  const sections = [`# Benchmark\n\n${machine}\n`];
  say("building the gateway");
  const run = { flags, say, machine, signal: ending.signal, programs: await buildPrograms() };
  for (const part of flags.parts) sections.push(await MEASURE[part](run));
  const report = sections.filter((text) => text !== "").join("\n");
  process.stdout.write(report);
  if (flags.out !== undefined) await writeFile(flags.out, report);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`${USAGE}\n`);
  process.exitCode = 1;
}
