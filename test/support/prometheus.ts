import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { ROOT } from "./source-tree.ts";
import { findPrograms } from "./system-programs.ts";
import { waitUntil } from "./wait.ts";

const FILES = new Map(findPrograms("prometheus").map((file) => [path.basename(file), file]));
const program = (name: string) => FILES.get(name) ?? name;

/** What promtool or amtool says and how it ends; `input` is its standard input. */
export async function promtool(
  words: readonly string[],
  input = "",
  tool: "promtool" | "amtool" = "promtool",
): Promise<{ readonly code: number; readonly said: string }> {
  const run = promisify(execFile)(program(tool), [...words]);
  run.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await run;
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

/** One series of an answer to a query, as Prometheus writes it. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface PrometheusServer {
  /** Throws with Prometheus' own words when the query is not valid. */
  readonly query: (promql: string) => Promise<readonly Series[]>;
  readonly get: (path: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/**
 * A real Prometheus in a folder of its own, which scrapes one gateway each second, and hands its alarms
 * to whoever listens in Alertmanager's place.
 */
export async function startPrometheus(
  gateway: string,
  alertmanager: string,
): Promise<PrometheusServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-prometheus-"));
  const config = path.join(folder, "prometheus.yml");
  await writeFile(config, configFor(new URL(gateway).host, new URL(alertmanager).host));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    program("prometheus"),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, "data")}`,
      `--web.listen-address=${address}`,
      `--web.external-url=http://${address}`,
      `--web.console.templates=${path.join(ROOT, "grafana/prometheus/consoles")}`,
      "--enable-feature=exemplar-storage",
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const get = async (where: string) => await read(`http://${address}${where}`);
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
    return await fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  try {
    await waitUntil("Prometheus is ready", isReady);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get,
    stop,
    query: async (promql) => {
      const answer = await get(`/api/v1/query?query=${encodeURIComponent(promql)}`);
      return (answer as { result: readonly Series[] }).result;
    },
  };
}

const configFor = (target: string, alertmanager: string) => `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: ["${path.join(ROOT, "grafana/prometheus/rules")}/*.yml"]
alerting: { alertmanagers: [{ static_configs: [{ targets: ["${alertmanager}"] }] }] }
scrape_configs:
  - { job_name: gateway, static_configs: [{ targets: ["${target}"] }] }
  - { job_name: alertmanager, static_configs: [{ targets: ["${alertmanager}"] }] }
`;

async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  const answer = (await response.json()) as { status: string; error?: string; data?: unknown };
  if (answer.status !== "success") throw new Error(`Prometheus: ${answer.error}`);
  return answer.data;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
