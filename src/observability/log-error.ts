import { GatewayError } from "../errors.ts";
import { scrub } from "./scrub.ts";

interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  /** Where it came from, innermost first. */
  readonly frames?: readonly string[];
  readonly cause?: LoggedError;
}

const DEEPEST_CAUSE = 3;
const FRAMES = 12;
const WORD = /^[A-Za-z0-9_$-]{1,39}$/;

/**
 * What may be said of an error: nothing but the fields below, since libraries hang the command, the
 * URL or the body on theirs. Undefined for what is no error.
 */
export function describeError(error: unknown, depth = 0): LoggedError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isKnown = error instanceof GatewayError;
  const cause = depth < DEEPEST_CAUSE ? describeError(error.cause, depth + 1) : undefined;
  return {
    name: WORD.test(error.name) ? scrub(error.name) : "Error",
    ...(WORD.test(code) && { code: scrub(code) }),
    ...messageOf(error),
    ...(!isKnown && depth === 0 && { frames: framesOf(error) }),
    ...(cause && { cause }),
  };
}

/** A syntax error's message repeats the text that could not be read: a body, as a rule. */
function messageOf(error: Error): { message?: string } {
  return error instanceof SyntaxError ? {} : { message: scrub(error.message) };
}

/** Only the lines that name code: what stands above them is the message once more. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  return lines.filter((line) => /^at .*:\d+:\d+\)?$/.test(line)).slice(0, FRAMES);
}
