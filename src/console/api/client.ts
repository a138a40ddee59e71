import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

/** The gateway's API, typed by its own document; the session's cookie goes along by itself. */
export const api = createClient<paths>({ credentials: "same-origin", fetch: ask });

/** A question that is open for so long gets no answer any more; a change is waited for. */
const QUESTION_ENDS_MS = 15_000;

async function ask(request: Request): Promise<Response> {
  if (request.method !== "GET") return await fetch(request);
  // What a page asks by itself keeps nobody signed in.
  if (!isAttended()) request.headers.set("X-Unattended", "true");
  try {
    return await fetch(request, { signal: AbortSignal.timeout(QUESTION_ENDS_MS) });
  } catch (cause) {
    throw new Unread(SILENCE, { cause });
  }
}

type ErrorFields = components["schemas"]["ErrorBody"];

/** A refusal that came from elsewhere, such as a proxy, may lack any of it. */
export interface ErrorBody {
  readonly error?: Partial<ErrorFields>;
}

/** What the gateway refused, in its own words. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly components["schemas"]["Problem"][];
  /** `check-first`: it may have happened all the same. */
  readonly retry: ErrorFields["retry"];
  /** When to come back, where the gateway said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, { error = {} }: ErrorBody, retryAfter: string | null = null) {
    super(error.message ?? `The gateway answered ${status}`);
    this.status = status;
    this.code = error.code ?? "UNKNOWN";
    this.details = error.details ?? [];
    this.retry = error.retry ?? (status >= 500 ? "check-first" : "never");
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }

  /** The same refusal with other details, for a form that has them elsewhere. */
  withDetails(details: Refused["details"]): Refused {
    const { message, retry, retryAfterSeconds: after, status } = this;
    const code = this.code as ErrorFields["code"];
    const retryAfter = after === undefined ? null : String(after);
    return new Refused(
      status,
      { error: { code, message, retry, details: [...details] } },
      retryAfter,
    );
  }
}

/** No answer came: whether what was asked happened is not known. */
export class Unanswered extends Error {}

/** No answer came to a question, which changes nothing. */
class Unread extends Error {}

const SILENCE = "The gateway does not answer";

interface Reply<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer, be it a success or a refusal; throws `Unanswered` or `Unread`. */
export async function replyOf<Data>(asked: Promise<Reply<Data>>): Promise<Reply<Data>> {
  return await asked.catch((cause: unknown) => {
    throw cause instanceof Unread ? cause : new Unanswered(SILENCE, { cause });
  });
}

/** The body of a success; throws `Refused`, `Unanswered` or `Unread`. */
export async function answerOf<Data>(asked: Promise<Reply<Data>>): Promise<Data> {
  const { data, error, response } = await replyOf(asked);
  if (response.ok) return data as Data;
  const body = isErrorBody(error) ? error : {};
  throw new Refused(response.status, body, response.headers.get("Retry-After"));
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === "object" && value !== null && "error" in value;
}

/** Long enough to read a page, or to watch a position, without touching anything. */
const STILL_THERE_MS = 5 * 60_000;

let touchedAt = Date.now();

for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"] as const) {
  addEventListener(kind, () => (touchedAt = Date.now()), { passive: true });
}

/** Whether somebody has touched the page within the last minutes. */
const isAttended = (): boolean => Date.now() - touchedAt < STILL_THERE_MS;

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error("Something went wrong", { cause: error });
}
