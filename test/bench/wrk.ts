import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** What one run of wrk found. Times in ms. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx and 3xx, and calls that got no answer. */
  readonly errors: number;
}

export interface LoadOptions {
  readonly url: string;
  /** Posted to in turn. */
  readonly hooks: readonly string[];
  /** Contracts of each alert; 1 where absent. */
  readonly qty?: number;
  readonly connections: number;
  readonly seconds: number;
  /** Where the script for wrk is written. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const ANSWER_WITHIN_S = 10;
const GRACE_MS = 30_000;

/** Fails with how to install it when there is no wrk. */
export async function requireWrk(): Promise<void> {
  // Asked for its version it prints it, and ends as if it had failed.
  const error = await promisify(execFile)("wrk", ["--version"]).catch((reason: unknown) => reason);
  if (isMissing(error)) {
    throw new Error("The load generator wrk is missing. Install it with: apt-get install wrk");
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** Closed loop: each connection posts its next alert as soon as the last one is answered. */
export async function runWrk(options: LoadOptions): Promise<Load> {
  const { url, hooks, qty = 1, connections, seconds, folder, signal } = options;
  const script = path.join(folder, "alerts.lua");
  await writeFile(script, scriptOf(hooks, qty));
  const args = [
    ["--threads", "1", "--connections", String(connections)],
    ["--duration", `${seconds}s`, "--timeout", `${ANSWER_WITHIN_S}s`],
    ["--script", script, url],
  ];
  const { stdout } = await promisify(execFile)("wrk", args.flat(), {
    signal,
    timeout: seconds * 1_000 + GRACE_MS,
  });
  const figures = /^figures (.+)$/m.exec(stdout)?.[1];
  if (figures === undefined) throw new Error(`wrk did not end in order:\n${stdout}`);
  return JSON.parse(figures) as Load;
}

/**
 * Spreads alerts over the accounts. Each one has a name of its own, in all runs on one gateway, so
 * that none is another one's repeat; each account buys and sells in turn, so that positions stay small.
 */
function scriptOf(hooks: readonly string[], qty: number): string {
  return `
local paths = {${hooks.map((hook) => JSON.stringify(hook)).join(", ")}}
local headers = { ["Content-Type"] = "application/json" }
local run = "${Date.now()}"
local count = 0

request = function()
  local round = math.floor(count / #paths)
  local path = paths[count % #paths + 1]
  local action = round % 2 == 0 and "buy" or "sell"
  count = count + 1
  local body = '{"action":"' .. action .. '","symbol":"MNQ1!","qty":${qty},"alertId":"' .. run .. "-" .. count .. '"}'
  return wrk.format("POST", path, headers, body)
end

done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'figures {"requests":%d,"seconds":%.6f,"p50":%.4f,"p99":%.4f,"errors":%d}\\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;
}
