import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Config, loadConfig } from "../../config/index.ts";
import { type App, startApp } from "../app/app.ts";
import { failStart } from "./fail-start.ts";
import type { Greeting } from "./greeting.ts";
import {
  CANNOT_START,
  isLaunched,
  notifyLauncher,
  OTHERS_ANSWER,
  untilBegin,
} from "./process-news.ts";
import type { StopReport } from "../app/lifecycle.ts";
import { createLogger, type Logger } from "../observability/logger.ts";

/** Something did not end in time or in order. */
const EXIT_UNCLEAN = 1;
/** Longer than a start waits for its brokers: one that takes more hangs on its store. */
const GIVE_UP_MS = 7_000;
/** Later than every deadline of the stop itself: nothing may keep the process alive. */
const LAST_RESORT_MS = 5_000;

/** Runs the gateway, or all its processes, until a signal ends it. */
export async function runGateway(): Promise<void> {
  try {
    const config = loadConfig(process.env);
    await runUntilStopped(config, config.PROCESSES === undefined ? runProcess : runProcesses);
  } catch (error) {
    failStart(error);
  }
}

type Running = Pick<App, "stop">;

interface Run {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Ends everything in order, with this exit status. */
  readonly end: (exitCode: number) => void;
}

/** Starts, and stops in order when a signal asks for it. */
async function runUntilStopped(
  config: Config,
  start: (run: Run) => Promise<Running>,
): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  const version = readVersion();
  const ending = new AbortController();
  let running: Running | undefined;
  let status = 0;
  const end = (reason: string, exitCode: number) => {
    if (ending.signal.aborted) return;
    status = exitCode;
    log.info("Stopping", { signal: reason });
    ending.abort(new Error("The start was given up"));
    const lastMs = config.SHUTDOWN_SECONDS * 2_000 + LAST_RESORT_MS;
    setTimeout(() => process.exit(EXIT_UNCLEAN), lastMs).unref();
    // A start that is under way gives itself up, and ends what it had started.
    if (running !== undefined) stop(running, log, () => status);
    // A process alone has nothing to end first, so a start that hangs need not be waited for.
    else if (isAlone(config)) setTimeout(() => running ?? process.exit(status), GIVE_UP_MS);
  };
  process.on("SIGTERM", () => end("SIGTERM", 0));
  // The terminal tells every process of the group; those of a launcher are told by it, in order.
  process.on("SIGINT", () => isLaunched() || end("SIGINT", 0));
  dieLoudly(log);

  const { signal } = ending;
  try {
    running = await start({ config, log, version, signal, end: (code) => end("none", code) });
  } catch (error) {
    if (!signal.aborted) throw error;
    log.info("Stopped");
    process.exit(status);
  }
  if (signal.aborted) return stop(running, log, () => status);
  if (isLaunched()) log.info("Process started", { version, kind: config.ROLE, pid: process.pid });
  else log.info("Started", { version });
}

/** Whether nothing else was started for this process: neither Redis nor other processes. */
function isAlone({ REDIS_URL, PROCESSES }: Config): boolean {
  return isLaunched() || (REDIS_URL !== undefined && PROCESSES === undefined);
}

async function runProcess({ config, log, version, signal }: Run): Promise<Running> {
  const processId = randomBytes(6).toString("hex");
  notifyLauncher({ kind: "named", processId });
  const launched = isLaunched() && {
    redisUrl: async () => await untilBegin(signal),
    othersAnswer: process.env[OTHERS_ANSWER] === "yes",
    onPorts: () => notifyLauncher({ kind: "ports" }),
  };
  const app = await startApp({ config, log, version, signal, processId, ...launched });
  if (config.ROLE !== "worker" && !isLaunched()) await greet(app);
  const { url, first, setUpLink } = app;
  notifyLauncher({ kind: "listening", url, first, setUpLink });
  return app;
}

async function runProcesses({ config, log, signal, end }: Run): Promise<Running> {
  const { startLauncher } = await import("./launcher.ts");
  const launcher = await startLauncher({
    config,
    log,
    signal,
    onHopeless: () => end(CANNOT_START),
  });
  await greet(launcher);
  return launcher;
}

async function greet(greeting: Greeting): Promise<void> {
  const { welcome } = await import("./greeting.ts");
  process.stdout.write(`\n${welcome(greeting)}\n`);
}

function stop(running: Running, log: Logger, exitCode: () => number): void {
  running.stop().then(
    (report) => process.exit(tellEnd(report, log) ? exitCode() : EXIT_UNCLEAN),
    () => process.exit(EXIT_UNCLEAN),
  );
}

/** A bug leaves the process in a state that nobody knows: it ends, and the next start recovers. */
function dieLoudly(log: Logger): void {
  const die = (error: unknown) => {
    log.error("The gateway failed and ends now", { error });
    process.exit(EXIT_UNCLEAN);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}

/** Answers whether everything ended in time and in order. */
function tellEnd({ unfinished, failures }: StopReport, log: Logger): boolean {
  for (const name of unfinished) log.error("Did not end in time", { reason: name });
  for (const { name, error } of failures) {
    log.error("Did not end in order", { reason: name, error });
  }
  log.info("Stopped");
  return unfinished.length === 0 && failures.length === 0;
}

/** The version is in package.json alone, one folder above the built one. */
function readVersion(): string {
  const file = new URL(
    import.meta.url.includes("/dist/") ? "../../../package.json" : "../../package.json",
    import.meta.url,
  );
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}
