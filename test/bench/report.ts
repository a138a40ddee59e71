import { arch, cpus, loadavg, release, totalmem } from "node:os";
import { PLAN_ACCOUNTS, PLAN_QTY } from "./plans.ts";
import { ACCOUNTS } from "./contender.ts";
import { type CopyingRow, FOLLOWERS } from "./copying.ts";
import type { FootprintRow } from "./footprint.ts";
import type { MemoryFigures } from "./memory.ts";
import type { QuotesRow } from "./quotes.ts";
import type { TellingRow } from "./telling.ts";
import { ROLES, type ScalingFigures } from "./scaling.ts";
import type { SlowAccountRow } from "./slow-account.ts";
import type { SpreadingRow } from "./spreading.ts";
import type { Spread } from "./statistics.ts";
import type { ThroughputRow } from "./throughput.ts";

/** Everybody else is compared with it: BullMQ without the gateway, in the fastest plain way. */
export const REFERENCE = "worker";

const MEGABYTE = 1_024 * 1_024;

export function machineText({ redisVersion, syncMs }: MachineFigures): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / MEGABYTE / 1_024)} GB`;
  return [
    `Node ${process.version}, Redis ${redisVersion} (append-only file, synced on every write, Unix socket),`,
    `Linux ${release()} ${arch()}, ${cpus().length} × ${cpu?.model ?? "unknown processor"}, ${memory};`,
    `to write 4 KB and sync them takes the disk ${syncMs.toFixed(2)} ms (median).`,
    "Load generator, contender and Redis share the machine: compare within one run only.",
    `Load average before the first measurement: ${(loadavg()[0] ?? 0).toFixed(1)}; above 0.5 somebody else was at work.`,
  ].join("\n");
}

export interface MachineFigures {
  readonly redisVersion: string;
  readonly syncMs: number;
}

/** Something was refused, or a run had no answer: its figures say nothing. */
export const isFailed = ({ errors, emptyRuns }: ThroughputRow): boolean =>
  errors > 0 || emptyRuns > 0;

export function throughputText(figures: ThroughputFigures): string {
  return section("Throughput and latency", throughputNote(figures), throughputTable(figures));
}

/** What the table shows, and how it was measured. */
export const throughputNote = ({ rounds, seconds }: ThroughputFigures): string =>
  `${rounds} rounds, ${ACCOUNTS} accounts. In a round each contender runs for ${seconds} s at each number of connections, ` +
  `in turn with a plain Worker of its own. Median (lowest–highest): of the runs, and, "of worker", of the ratios of the pairs. ` +
  "CPU and syncs of Redis' file are an alert's; node is all Node processes of the contender. " +
  "Answered early: accepted by 202, the outcome not known in time. A row with an answer but 2xx, or without one, has failed.";

export function throughputTable({ rows }: ThroughputFigures): string {
  const cells = rows.map((row) => [
    row.contender,
    whole(row.connections),
    ...(isFailed(row) ? failure(row) : figures(row)),
  ]);
  return table(THROUGHPUT_HEAD.split("|"), cells);
}

const THROUGHPUT_HEAD =
  "contender|connections|alerts a second|of worker|p50 ms|of worker|p99 ms|of worker|node CPU ms|redis CPU ms|syncs|answered early";

export interface ThroughputFigures {
  readonly rows: readonly ThroughputRow[];
  readonly rounds: number;
  readonly seconds: number;
}

function figures(row: ThroughputRow): string[] {
  const { ofReference } = row;
  return [
    ranged(row.perSecond, 0),
    ranged(ofReference.perSecond, 2),
    ranged(row.p50, 1),
    ranged(ofReference.p50, 2),
    ranged(row.p99, 1),
    ranged(ofReference.p99, 2),
    row.nodeCpu.median.toFixed(2),
    row.redisCpu.median.toFixed(2),
    row.syncs.median.toFixed(2),
    whole(row.answeredEarly),
  ];
}

const failure = ({ errors, requests, emptyRuns }: ThroughputRow): string[] => [
  `**failed**: ${whole(errors)} errors beside ${whole(requests)} answers, ${emptyRuns} runs without any`,
  ...Array.from({ length: 9 }, () => "–"),
];

export function footprintText(rows: readonly FootprintRow[]): string {
  const cells = rows.map((row) => [
    whole(row.accounts),
    whole(row.startMs),
    (row.nodeBytes / MEGABYTE).toFixed(0),
    (row.redisBytes / MEGABYTE).toFixed(0),
    whole(row.connections),
    row.nodeCpu.toFixed(1),
    row.redisCpu.toFixed(1),
    row.alertMs.toFixed(1),
    whole(row.errors),
  ]);
  const head =
    "accounts|start ms|node MB|redis MB|redis connections|node CPU %|redis CPU %|one alert ms|errors";
  return section(
    "An idle gateway",
    "Start: from the process to its word that it is started. Memory after 5 s, CPU over 10 s, the median of 50 alerts one by one.",
    table(head.split("|"), cells),
  );
}

export function slowAccountText(rows: readonly SlowAccountRow[], seconds: number): string {
  const [quick] = rows;
  const cells = rows.map((row) => [
    row.run,
    whole(row.alerts),
    row.p50.toFixed(1),
    row.p99.toFixed(1),
    quick === undefined ? "–" : (row.p99 - quick.p99).toFixed(1),
    whole(row.errors),
  ]);
  return section(
    "One slow account",
    `300 alerts a second for ${seconds} s over ${ACCOUNTS} accounts, whatever the answers take; the accounts beside the slow one, from when each alert was due.`,
    table(["run", "alerts", "p50 ms", "p99 ms", "p99 more ms", "errors"], cells),
  );
}

const spread = ({ median, min, max }: Spread): string =>
  `${median.toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)})`;

export function tellingText(
  rows: readonly TellingRow[],
  { rounds }: { readonly rounds: number },
): string {
  const [nobody] = rows;
  const cells = rows.map((row) => [
    row.run,
    whole(row.events),
    whole(row.waiting),
    spread(row.p50),
    spread(row.p99),
    nobody === undefined ? "–" : (row.p99.median / nobody.p99.median).toFixed(2),
    row.cpuMs.toFixed(2),
    whole(row.errors),
  ]);
  const head = "run|events|waiting|p50 ms|p99 ms|p99 of nobody|ms CPU an alert|errors";
  return section(
    "Telling",
    `200 alerts a second on paper accounts, each of which is told when it fills; ${rounds} rounds of 6 s of each, in turns. The flood comes in while the alerts do, and its receiver never answers.`,
    table(head.split("|"), cells),
  );
}

export function quotesText(
  rows: readonly QuotesRow[],
  { rounds }: { readonly rounds: number },
): string {
  const [without] = rows;
  const cells = rows.map((row) => [
    row.run,
    whole(row.quotes),
    spread(row.p50),
    spread(row.p99),
    without === undefined ? "–" : (row.p99.median / without.p99.median).toFixed(2),
    row.cpuMs.toFixed(2),
    whole(row.errors),
  ]);
  const head = "run|quotes a second|p50 ms|p99 ms|p99 of none|ms CPU an alert|errors";
  return section(
    "Quotes",
    `200 alerts a second on paper accounts while the same process holds 20 contracts on another broker, whose prices move 200 times a second; ${rounds} rounds of 6 s of each, in turns. In the first row the prices move as well, and nobody is told.`,
    table(head.split("|"), cells),
  );
}

type Runs = Pick<ThroughputFigures, "rounds" | "seconds">;

export const guardsText = (rows: readonly ThroughputRow[], runs: Runs): string =>
  besideNone(
    rows,
    runs,
    "Guards",
    `The gateway with guards on each of ${ACCOUNTS} paper accounts, in turns with the same gateway without any`,
  );

export const plansText = (rows: readonly ThroughputRow[], runs: Runs): string =>
  besideNone(
    rows,
    runs,
    "Exit plans",
    `The gateway with an exit plan for each entry of ${PLAN_ACCOUNTS} paper accounts, in turns with the same gateway without any; ${PLAN_QTY} contracts an alert`,
  );

/** Rows of contenders that do more than the reference, which is called "none". */
function besideNone(
  rows: readonly ThroughputRow[],
  { rounds, seconds }: Runs,
  title: string,
  what: string,
): string {
  const cells = rows.map((row) => [
    row.contender,
    whole(row.connections),
    ...(isFailed(row) ? failure(row) : figures(row)),
  ]);
  return section(
    title,
    `${what}; ${rounds} rounds of ${seconds} s. Median (lowest–highest): of the runs, and, "of none", of the ratios of the pairs.`,
    table(THROUGHPUT_HEAD.replaceAll("worker", "none").split("|"), cells),
  );
}

export function copyingText(
  rows: readonly CopyingRow[],
  { copyRounds }: { readonly copyRounds: number },
): string {
  const reference = rows.find(({ isReference }) => isReference === true);
  const cells = rows.map((row) => [
    row.what,
    whole(row.p50),
    whole(row.p99),
    whole(row.max),
    reference === undefined ? "–" : (row.p50 / reference.p50).toFixed(2),
    whole(row.errors),
  ]);
  const head = `what|p50 ms|p99 ms|max ms|p50 of ${FOLLOWERS} plain orders|errors`;
  return section(
    `Copying a fill to ${FOLLOWERS} followers`,
    `${copyRounds} rounds on the exchange simulator, whose log tells when it had what: in each a plain order, ` +
      `${FOLLOWERS} plain orders, and an order of the leader, one after another. The leader opens and closes in turn. ` +
      "An error is an alert without a 2xx, or a round whose orders were not all there within 10 s.",
    table(head.split("|"), cells),
  );
}

export function memoryText(figures: MemoryFigures): string {
  const { alerts, posted, errors, atOnce, later, patterns } = figures;
  const shown = patterns.filter(({ bytes }) => bytes / posted >= 1);
  const cells = shown.map(({ pattern, keys, bytes }) => [
    `\`${pattern}\``,
    whole(keys),
    whole(bytes / keys),
    whole(bytes / posted),
  ]);
  return section(
    "Memory of finished alerts in Redis",
    `${whole(alerts)} alerts, ${errors} errors: ${whole(atOnce)} bytes an alert at once, ${whole(later)} when the last minute is over. What Redis holds then, of ${whole(posted)} alerts with those before the measurement:`,
    table(["keys", "count", "bytes each", "bytes an alert"], cells),
  );
}

export function scalingText(
  { rows, idle }: ScalingFigures,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): string {
  const loaded = rows.map((row) => [
    whole(row.workers),
    ranged(row.perSecond, 0),
    ranged(row.ofOneWorker, 2),
    ranged(row.p50, 1),
    ranged(row.p99, 1),
    ...ROLES.map((role) => ranged(row.cpu[role], 2)),
    whole(row.errors),
  ]);
  const idling = idle.map((row) => [
    whole(row.connections),
    ...ROLES.map((role) => row.cpu[role].toFixed(1)),
    ...[row.ingressBytes, row.workerBytes, row.redisBytes].map((bytes) =>
      (bytes / MEGABYTE).toFixed(0),
    ),
  ]);
  const costs = ROLES.map((role) => `${role} CPU ms`);
  const load = table(
    ["workers", "alerts a second", "of one worker", "p50 ms", "p99 ms", ...costs, "errors"],
    loaded,
  );
  const rest = table(
    [
      "idle connections",
      ...ROLES.map((role) => `${role} CPU %`),
      "ingress MB",
      "worker MB",
      "masters MB",
    ],
    idling,
  );
  return section(
    "One and two workers over a Cluster",
    `${rounds} rounds of ${seconds} s in turn, 32 connections, one ingress, a Cluster of three masters with a replica each, ` +
      "4 connections of 25 accounts to a broker of its own process; everything shares the machine. CPU is an alert's, of all processes of a role. " +
      "Below: one worker with nothing to do, each connection with one account.",
    `${load}\n\n${rest}`,
  );
}

export function spreadingText(rows: readonly SpreadingRow[]): string {
  const cells = rows.map((row) => [
    whole(row.connections),
    whole(row.workers),
    row.fullest.toFixed(2),
    row.movedAtDeath.toFixed(2),
    `${(100 * row.mostTaken).toFixed(0)} %`,
    row.movedAtJoin.toFixed(2),
    whole(row.ms),
  ]);
  const head =
    "connections|workers|fullest, of an even part|moved at a death, of what it had|most that one of the others takes on|moved when one comes, of an even part|ms";
  return section(
    "Connections spread over workers",
    "On paper, by the code that the workers run.",
    table(head.split("|"), cells),
  );
}

function section(title: string, note: string, body: string): string {
  return `## ${title}\n\n${note}\n\n${body}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

const ranged = ({ median, min, max }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
