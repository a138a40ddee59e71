import { readFileSync } from "node:fs";
import { type Config, loadConfig } from "../config/index.ts";
import { type App, startApp } from "./app.ts";
import { welcome } from "./app/first-start.ts";
import { runCommand } from "./cli.ts";
import type { StopReport } from "./lifecycle.ts";
import { createLogger, type Logger } from "./observability/logger.ts";

/** A start that the settings or the machine do not allow: nothing to try again by itself. */
const EXIT_CANNOT_START = 78;
/** Something did not end in time or in order. */
const EXIT_UNCLEAN = 1;
/** Later than every deadline of the stop itself: nothing may keep the process alive. */
const LAST_RESORT_MS = 5_000;

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  try {
    const config = loadConfig(process.env);
    if (words.length > 0) process.exitCode = await runCommand(words, config);
    else await runGateway(config);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT_CANNOT_START;
  }
}

async function runGateway(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  const version = readVersion();
  const ending = new AbortController();
  let app: App | undefined;
  let exitCode = 0;
  const end = (signal: string) => {
    if (ending.signal.aborted) return;
    log.info("Stopping", { signal });
    ending.abort(new Error("The start was given up"));
    const lastMs = config.SHUTDOWN_SECONDS * 1_000 + LAST_RESORT_MS;
    setTimeout(() => process.exit(EXIT_UNCLEAN), lastMs).unref();
    // A start that is under way gives itself up, and ends what it had started.
    if (app !== undefined) stop(app, log, () => exitCode);
  };
  process.on("SIGTERM", () => end("SIGTERM"));
  process.on("SIGINT", () => end("SIGINT"));
  dieLoudly(log);

  const onFatal = (reason: string) => {
    log.error("The gateway must end", { reason });
    exitCode = EXIT_UNCLEAN;
    end("none");
  };
  app = await startApp({ config, log, version, onFatal, signal: ending.signal });
  if (ending.signal.aborted) return stop(app, log, () => exitCode);
  process.stdout.write(`\n${welcome(app.url, app.first)}\n`);
  log.info("Started", { version });
}

function stop(app: App, log: Logger, exitCode: () => number): void {
  app.stop().then(
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

/** The version stands in package.json alone, one folder above the built program's. */
function readVersion(): string {
  const file = new URL(
    import.meta.url.includes("/dist/") ? "../../package.json" : "../package.json",
    import.meta.url,
  );
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}

await main();
