import { describeError } from "./log-error.ts";
import { scrub } from "./scrub.ts";

/**
 * Everything a log line may say beside its message. A field that is not listed here, or whose value
 * has another shape, is dropped: so a secret cannot reach the log by way of a field. Identifiers of 40
 * characters and more are taken for secrets.
 */
export interface LogFields {
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

type Shape = (value: unknown) => unknown;

const ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const WORD = /^[A-Za-z0-9_./:{}*-]{1,80}$/;
const ADDRESS = /^[A-Za-z0-9_.:/[\]-]{1,200}$/;

// An identifier that a client chose could be its own key: `scrub` takes out what is that long.
const id: Shape = (value) => matching(ID, value);
const word: Shape = (value) => matching(WORD, value);
const address: Shape = (value) =>
  typeof value === "string" && ADDRESS.test(value) && !value.includes("@") ? value : undefined;
const sentence: Shape = (value) => (typeof value === "string" ? scrub(value) : undefined);
const number: Shape = (value) => (Number.isFinite(value) ? value : undefined);

const SHAPES: Readonly<Record<keyof LogFields, Shape>> = {
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
  leaderId: id,
  orderId: id,
  clOrdId: id,
  execId: id,
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

/** Keeps what is listed and has its shape. */
export function allowedFields(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || !Object.hasOwn(SHAPES, name)) continue;
    const shaped = SHAPES[name as keyof LogFields](value);
    if (shaped !== undefined) kept[name] = shaped;
  }
  return kept;
}

function matching(shape: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && shape.test(value) ? scrub(value) : undefined;
}
