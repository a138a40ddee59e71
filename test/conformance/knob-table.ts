import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { MODES } from "../chaos/modes.ts";
import { report, stories } from "../chaos/report.ts";
import { type Run, runChaos } from "../chaos/run.ts";
import type { BrokerKnob } from "./broker-knob.ts";
import { PROJECTX_KNOBS } from "./projectx-knobs.ts";
import { TRADOVATE_KNOBS } from "./tradovate-knobs.ts";

const USAGE = `npm run knobs -- tradovate|projectx [--only KNOB,KNOB] [--without-chaos] [--seed N] [--out FOLDER]
  Runs the conformance suite and one short chaos run with every knob of the broker in turn, a minute each,
  and prints a table. What went wrong is in FOLDER, by the knob's name. The knobs are in BROKER-knobs.ts.`;

const KNOBS = { tradovate: TRADOVATE_KNOBS, projectx: PROJECTX_KNOBS } as const;
type Broker = keyof typeof KNOBS;

/** Among others: Redis killed, a worker frozen beyond its lease, deaths with and without a report. */
const SEED = "492";
const SUITE_WITHIN_MS = 15 * 60_000;
const HEAD = [
  "| Knob | Settings | Conformance passed / failed | Chaos | Orders | Kills | Exits told | Exits unconfirmed |",
  "| --- | --- | --- | --- | --- | --- | --- | --- |",
];

/** One knob's row. */
interface Shown {
  readonly row: string;
  readonly isGood: boolean;
}

/** What vitest writes of a run, as far as it is read here. */
interface Suite {
  readonly testResults: readonly { readonly assertionResults: readonly CaseResult[] }[];
}

interface CaseResult {
  readonly title: string;
  readonly status: string;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string" },
      "without-chaos": { type: "boolean", default: false },
      seed: { type: "string", default: SEED },
      out: { type: "string", default: path.join(tmpdir(), "broker-knobs") },
      help: { type: "boolean", default: false },
    },
  });
  const only = values.only?.split(",");
  const broker = (Object.keys(KNOBS) as readonly Broker[]).find((name) => name === positionals[0]);
  const all: readonly BrokerKnob[] = broker === undefined ? [] : KNOBS[broker];
  const chosen = all.filter(({ name }) => only?.includes(name) ?? true);
  const isUnderstood = broker !== undefined && chosen.length === (only ?? chosen).length;
  if (values.help || !isUnderstood) {
    process.stdout.write(`${USAGE}\n`);
    process.exitCode = isUnderstood ? 0 : 1;
    return;
  }
  await mkdir(values.out, { recursive: true });
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  process.stdout.write(`${HEAD.join("\n")}\n`);
  for (const knob of chosen) {
    if (ending.signal.aborted) break;
    const file = path.join(values.out, knob.name);
    const shown = await show(knob, {
      broker,
      hasChaos: !values["without-chaos"],
      seed: Number(values.seed),
      file,
      signal: ending.signal,
    });
    process.stdout.write(`${shown.row}\n`);
    if (!shown.isGood) process.exitCode = 1;
  }
}

interface Showing {
  readonly broker: Broker;
  readonly hasChaos: boolean;
  readonly seed: number;
  /** What files about the knob begin with. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** Both at once: each of them waits most of its time. */
async function show(knob: BrokerKnob, showing: Showing): Promise<Shown> {
  const chaos = showing.hasChaos ? chaosOf(knob, showing) : undefined;
  const [suite, run] = await Promise.all([suiteOf(knob, showing), chaos]);
  const shown = [suiteCells(knob, suite), run === undefined ? NO_RUN : runCells(run)];
  const settings = [`\`${knob.name}\``, `\`${JSON.stringify(knob.settings)}\``];
  const cells = [...settings, ...shown.flatMap((one) => one.cells)];
  return { row: `| ${cells.join(" | ")} |`, isGood: shown.every(({ isGood }) => isGood) };
}

interface Cells {
  readonly cells: readonly (string | number)[];
  readonly isGood: boolean;
}

const NO_RUN: Cells = { cells: ["-", "-", "-", "-", "-"], isGood: true };

function suiteCells({ exceptions }: BrokerKnob, suite: Suite | undefined): Cells {
  if (suite === undefined) return { cells: ["FAIL: it came to no end"], isGood: false };
  const results = suite.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = results.filter(({ status }) => status === "passed").length;
  const failed = results.filter(({ status }) => status === "failed");
  const named = failed.filter(({ title }) => exceptions.includes(Number.parseInt(title, 10)));
  const others = failed.length - named.length;
  const cell = `${passed} / ${others}${named.length === 0 ? "" : `, and ${named.length} named`}`;
  return { cells: [cell], isGood: passed > 0 && others === 0 };
}

function runCells(run: Run | Error): Cells {
  if (run instanceof Error) {
    return { cells: [`FAIL: ${run.message}`, "", "", "", ""], isGood: false };
  }
  const broken = run.verdicts.filter(({ violations }) => violations.length > 0);
  const exits = run.history.intents.map((intent) => intent.exits);
  const cells = [
    broken.length === 0 ? "PASS" : `FAIL: ${broken.map(({ name }) => name).join("; ")}`,
    run.history.log.filter(isOrder).length,
    run.faults.reduce((sum, fault) => sum + fault.kills, 0),
    exits.filter((told) => told === "standing").length,
    exits.filter((told) => told === "unconfirmed").length,
  ];
  return { cells, isGood: broken.length === 0 };
}

/** What a session sent and the broker took: entries, exits and closes alike. */
function isOrder({ op, outcome }: Run["history"]["log"][number]): boolean {
  return outcome === "accepted" && (op === "submitOrder" || op === "submitProtection");
}

/** Nothing of one that has not come to its end in time. */
async function suiteOf(knob: BrokerKnob, showing: Showing): Promise<Suite | undefined> {
  const { broker, file, signal } = showing;
  const output = `${file}.conformance.json`;
  await rm(output, { force: true });
  const args = ["vitest", "run", "--config", "test/vitest.config.ts", "--reporter=json"];
  args.push("--outputFile", output, `test/conformance/${broker}-variants.long.test.ts`);
  const env = { ...process.env, BROKER_KNOBS: knob.name };
  await new Promise<void>((resolve) => {
    // Its exit status says no more than the file does.
    execFile("npx", args, { env, signal, timeout: SUITE_WITHIN_MS }, () => resolve());
  });
  const text = await readFile(output, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Suite);
}

/** The error of one that could not begin, as on a machine with too much else to do. */
async function chaosOf(
  { settings }: BrokerKnob,
  { broker, seed, file, signal }: Showing,
): Promise<Run | Error> {
  const behaviour = { ...settings };
  const deps = { broker, behaviour, seed, logFile: `${file}.log`, signal } as const;
  try {
    const run = await runChaos({ ...MODES.short, ...deps, say: () => undefined });
    await writeFile(`${file}.chaos.txt`, `${report(run)}\n${stories(run)}`);
    return run;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

await main();
