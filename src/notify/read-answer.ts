import type { Delivery } from "../trading/notify/ports.ts";
import type { Answer } from "./guarded-request.ts";

/** No receiver keeps a message waiting for longer. */
const LONGEST_WISH_MS = 86_400_000;

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** An answer that settles nothing: it may work later. */
export function failed(answer: Answer, retryAfterMs = retryAfter(answer)): Delivery {
  const { status } = answer;
  return {
    kind: "failed",
    reason: failureWords(status),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs: bounded(retryAfterMs) }),
  };
}

export const gone = ({ status }: Answer, reason: string): Delivery => ({
  kind: "gone",
  reason: `${reason} (${status})`,
  status,
});

export const unacceptable = ({ status }: Answer, reason: string): Delivery => ({
  kind: "unacceptable",
  reason: `${reason} (${status})`,
  status,
});

/** A success in form that is not what the service answers: something else sits in between. */
export const strange = ({ status }: Answer): Delivery => ({
  kind: "failed",
  reason: `The answer was not one of this service's (${status})`,
  status,
});

/** An object of JSON; undefined where the answer is none. */
export function objectIn({ text }: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A number of seconds as ms. */
export const secondsOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value * 1_000 : undefined;

/** `Retry-After`, in seconds or as an HTTP date. */
export function retryAfter({ headers }: Answer, now = Date.now()): number | undefined {
  const wish = headers["retry-after"]?.trim();
  if (wish === undefined || wish === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(wish)) return Number(wish) * 1_000;
  // Only what looks like a date: `Date.parse` takes much for one.
  const at = /^[A-Za-z]{3},? /.test(wish) ? Date.parse(wish) : Number.NaN;
  return Number.isNaN(at) ? undefined : at - now;
}

export const bounded = (ms: number): number =>
  Math.ceil(Math.min(Math.max(ms, 0), LONGEST_WISH_MS));

export function failureWords(status: number): string {
  if (status >= 300 && status < 400) return `It answered with a redirect (${status})`;
  if (status === 429) return `It asked for fewer messages (${status})`;
  return `It answered ${status}`;
}
