import { destination, type DestinationStream, pino, stdTimeFunctions } from "pino";
import { allowedFields, type LogFields } from "./log-fields.ts";
import { onceForEach, scrub } from "./scrub.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

type Log = (message: string, fields?: LogFields) => void;

/** Messages are fixed sentences; what varies goes into the fields. */
export interface Logger extends Readonly<Record<LogLevel, Log>> {
  /** A logger that adds these fields to each of its lines. */
  readonly with: (fields: LogFields) => Logger;
}

/** Writes one JSON line per call to standard output, or to the given stream. */
export function createLogger(level: LogLevel, stream: DestinationStream = openOutput()): Logger {
  const options = {
    level,
    // The process number and the host name would be on every line and tell nothing.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return toLogger(pino(options, stream), {});
}

/**
 * Nobody waits for the output: lines that come while others are written go with the next write, and
 * the end of the process writes what is left. They are handed over as bytes: waiting texts would be
 * joined anew, and copied, with each line.
 */
export function openOutput(dest: number | string = 1): Output {
  const output = destination({ dest, sync: false, contentMode: "buffer" }) as unknown as Bytes;
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    // What a failed write has left goes first, and sonic-boom 4.2.1 forgets to note its length: all
    // that waits behind it would be cut, or filled up, to the length of what comes next.
    if (!output._writing && output._writingBuf.length > 0) {
      output._lens.unshift(output._writingBuf.length);
    }
    flush();
  };
  return {
    write: (line) => output.write(Buffer.from(line)),
    flushSync: () => output.flushSync(),
  };
}

interface Output extends DestinationStream {
  /** Writes what is left, as the end of the process does. */
  readonly flushSync: () => void;
}

/** What takes bytes; its own types know texts only. */
interface Bytes {
  readonly write: (bytes: Buffer) => void;
  flushSync: () => void;
  readonly _writing: boolean;
  readonly _writingBuf: Buffer;
  readonly _lens: number[];
}

type Target = Readonly<Record<LogLevel, (fields: object, message: string) => void>> & {
  readonly isLevelEnabled: (level: string) => boolean;
};

const scrubMessage = onceForEach(scrub);

function toLogger(target: Target, always: Record<string, unknown>): Logger {
  const hasMore = Object.keys(always).length > 0;
  const at =
    (level: LogLevel): Log =>
    (message, fields = {}) => {
      if (!target.isLevelEnabled(level)) return;
      const kept = allowedFields(fields);
      if (hasMore) Object.assign(kept, always);
      target[level](kept, scrubMessage(message));
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => toLogger(target, { ...always, ...allowedFields(fields) }),
  };
}
