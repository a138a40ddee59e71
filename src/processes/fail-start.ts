import { CANNOT_START } from "./process-news.ts";

/** A start that may succeed the next time. */
const EXIT_FAILED = 1;

/** The names of errors that stay until somebody changes a setting or the machine. */
const HOPELESS: ReadonlySet<string> = new Set([
  "ConfigError",
  "StartError",
  "DataFolderError",
  "RedisServerError",
  "PaperSettingsError",
  "FeeTableError",
  "BarFileError",
]);
/** Somebody else listens there, this user may not, or this machine has no such address. */
const NO_SUCH_PORT: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"]);

/** Says why, and ends the process: a launcher's channel alone would keep one that has nothing left to do. */
export function failStart(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(isHopeless(error) ? CANNOT_START : EXIT_FAILED);
}

function isHopeless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code = "" } = error as NodeJS.ErrnoException;
  return HOPELESS.has(name) || NO_SUCH_PORT.has(code);
}
