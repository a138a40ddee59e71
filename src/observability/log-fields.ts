import { onceForEach, scrub } from "./scrub.ts";
import { GatewayError } from "../errors.ts";

/**
 * Everything a log line may say beside its message. A field that is not listed here, or whose value
 * has another shape, is dropped: so a secret cannot reach the log by way of a field. Identifiers of 40
 * characters and more are taken for secrets.
 */
interface Loggable {
  readonly requestId?: string;
  readonly intentId?: string;
  readonly accountId?: string;
  readonly connectionId?: string;
  readonly userId?: string;
  /** The public name of a key or token. */
  readonly credentialId?: string;
  /** The public name of the webhook that was changed. */
  readonly webhookId?: string;
  /** The public name of the API key that was created or revoked. */
  readonly keyId?: string;
  readonly passkeyId?: string;
  /** The copy group that was changed, or copied for. */
  readonly groupId?: string;
  readonly strategyId?: string;
  /** Of an account's guards, as whoever set it named it. */
  readonly ruleId?: string;
  readonly destinationId?: string;
  /** Which store this is; no secret. */
  readonly storeId?: string;
  /** The account whose trades were copied. */
  readonly leaderId?: string;
  readonly orderId?: string;
  readonly clOrdId?: string;
  readonly execId?: string;
  readonly symbol?: string;

  readonly method?: string;
  /** The template, such as `/hooks/:token`. Never the path itself. */
  readonly route?: string;
  readonly kind?: string;
  readonly outcome?: string;
  /** A code of the error registry. */
  readonly errorCode?: string;
  readonly state?: string;
  readonly side?: string;
  readonly signal?: string;
  readonly version?: string;
  readonly setting?: string;

  /** A sentence: the broker's reason for a refusal, or ours. */
  readonly reason?: string;
  readonly address?: string;

  readonly status?: number;
  readonly seconds?: number;
  readonly count?: number;
  readonly qty?: number;
  readonly attempt?: number;
  readonly ageMs?: number;
  readonly delayMs?: number;
  readonly pid?: number;

  /** Known errors are logged without, all others with the frames of their stack. */
  readonly error?: unknown;
}

export type LogFields = { readonly [Name in keyof Loggable]: Loggable[Name] | undefined };

type Shape = (value: unknown) => unknown;

const ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const WORD = /^[A-Za-z0-9_./:{}*-]{1,80}$/;
const ADDRESS = /^[A-Za-z0-9_.:/[\]-]{1,200}$/;

// An identifier that a client chose could be its own key: `scrub` takes out what is that long.
const id: Shape = (value) => matching(ID, value);
const knownWord = onceForEach((text) => matching(WORD, text));
const word: Shape = (value) => (typeof value === "string" ? knownWord(value) : undefined);
const address: Shape = (value) =>
  typeof value === "string" && ADDRESS.test(value) && !value.includes("@") ? value : undefined;
const sentence: Shape = (value) => (typeof value === "string" ? scrub(value) : undefined);
const number: Shape = (value) => (Number.isFinite(value) ? value : undefined);

const SHAPE_OF: Readonly<Record<keyof LogFields, Shape>> = {
  requestId: id,
  intentId: id,
  accountId: id,
  connectionId: id,
  userId: id,
  credentialId: id,
  webhookId: id,
  keyId: id,
  passkeyId: id,
  groupId: id,
  strategyId: id,
  ruleId: id,
  destinationId: id,
  leaderId: id,
  orderId: id,
  clOrdId: id,
  execId: id,
  storeId: id,
  symbol: id,
  method: word,
  route: word,
  kind: word,
  outcome: word,
  errorCode: word,
  state: word,
  side: word,
  signal: word,
  version: word,
  setting: word,
  reason: sentence,
  address,
  status: number,
  seconds: number,
  count: number,
  qty: number,
  attempt: number,
  ageMs: number,
  delayMs: number,
  pid: number,
  error: describeError,
};
const SHAPES: ReadonlyMap<string, Shape> = new Map(Object.entries(SHAPE_OF));

/** Keeps what is listed and has its shape. */
export function allowedFields(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof LogFields];
    const shaped = value === undefined ? undefined : SHAPES.get(name)?.(value);
    if (shaped !== undefined) kept[name] = shaped;
  }
  return kept;
}

function matching(shape: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && shape.test(value) ? scrub(value) : undefined;
}

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
const ERROR_WORD = /^[A-Za-z0-9_$-]{1,39}$/;

/**
 * What is logged of an error: only the fields below, since libraries attach the command, the URL or
 * the body to theirs. Undefined for what is no error.
 */
function describeError(error: unknown, depth = 0): LoggedError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isKnown = error instanceof GatewayError;
  const cause = depth < DEEPEST_CAUSE ? describeError(error.cause, depth + 1) : undefined;
  return {
    name: ERROR_WORD.test(error.name) ? scrub(error.name) : "Error",
    ...(ERROR_WORD.test(code) && { code: scrub(code) }),
    ...messageOf(error),
    ...(!isKnown && depth === 0 && { frames: framesOf(error) }),
    ...(cause && { cause }),
  };
}

/** A syntax error's message repeats the text that could not be parsed: usually a request's body. */
function messageOf(error: Error): { message?: string } {
  return error instanceof SyntaxError ? {} : { message: scrub(error.message) };
}

/** Only the lines that name code: what stands above them is the message once more. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  return lines.filter((line) => /^at .*:\d+:\d+\)?$/.test(line)).slice(0, FRAMES);
}
