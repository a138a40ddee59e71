import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Behaviour } from "./chaos-broker.ts";
import { RUN_BROKERS } from "./crash-points.ts";
import { MODES } from "./modes.ts";
import { report, stories } from "./report.ts";
import { runChaos } from "./run.ts";
import { STORE_NAMES } from "./stores.ts";

const USAGE = `npm run chaos -- [--short | --long] [--minutes N] [--seed N] [--per-second N]
    [--out FILE]
    [--broker exchange | --broker mix | --broker tradovate [--set SETTINGS]
      | --broker projectx [--set SETTINGS]]
    [--redis one | --redis cluster | --redis sentinel]
  --minutes is for how long calls are sent, and --per-second how many, for a slower machine.
  --redis is what keeps everything: one server, or several that fail over.
  SETTINGS are those of the simulator, as JSON: '{"fillsFirst":true}'.
  The report goes to the terminal and, with --out, to FILE; what went wrong to FILE.stories.txt.
  Everything the processes said is in FILE.log.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      broker: { type: "string", default: "exchange" },
      set: { type: "string", default: "{}" },
      redis: { type: "string", default: "one" },
      minutes: { type: "string" },
      "per-second": { type: "string" },
      seed: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const minutes = Number(values.minutes ?? 1);
  const broker = RUN_BROKERS.find((name) => name === values.broker);
  if (broker === undefined) throw new Error(`There is no broker ${values.broker}\n${USAGE}`);
  const redis = STORE_NAMES.find((name) => name === values.redis);
  if (redis === undefined) throw new Error(`There is no Redis ${values.redis}\n${USAGE}`);
  const behaviour = JSON.parse(values.set) as Behaviour;
  const isSettable = broker === "tradovate" || broker === "projectx" || values.set === "{}";
  if (!isSettable) throw new Error(`The broker ${broker} has no settings\n${USAGE}`);
  const perSecond = Number(values["per-second"] ?? 1);
  const isUnderstood = Number.isSafeInteger(seed) && minutes > 0 && perSecond > 0;
  if (!isUnderstood) throw new Error(`A number is needed\n${USAGE}`);
  const out = values.out ?? path.join(tmpdir(), `gateway-chaos-${seed}.txt`);
  await mkdir(path.dirname(path.resolve(out)), { recursive: true });
  const mode = values.long ? "long" : values.short ? "short" : "default";
  const ending = new AbortController();
  // The load ends early, and what was done until then is judged.
  process.once("SIGINT", () => ending.abort());
  process.once("SIGTERM", () => ending.abort());

  const say = (line: string) => void process.stderr.write(`${line}\n`);
  say(`seed ${seed}, ${mode}, ${broker} ${values.set}, Redis ${redis}`);
  const { signal } = ending;
  const shape = {
    ...MODES[mode].shape,
    ...(values.minutes !== undefined && { loadMs: minutes * 60_000 }),
    ...(values["per-second"] !== undefined && { intentsPerSecond: perSecond }),
  };
  const logFile = `${out}.log`;
  const run = await runChaos({
    ...MODES[mode],
    broker,
    redis,
    behaviour,
    shape,
    seed,
    logFile,
    say,
    signal,
  });
  const text = report(run);
  process.stdout.write(text);
  await writeFile(out, text);
  const isGood = run.verdicts.every(({ violations }) => violations.length === 0);
  if (!isGood) {
    await writeFile(`${out}.stories.txt`, stories(run));
    say(`What went wrong: ${out}.stories.txt`);
  }
  process.exitCode = isGood ? 0 : 1;
}

await main();
