import type { PlannedCall } from "./wishes.ts";

/** One request that was made, and what its caller was told. */
export interface Attempt {
  /** Its own name, which the gateway keeps in the intent's record. */
  readonly requestId: string;
  readonly ingress: string;
  /** Unix ms. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** `refused`: nobody listened, so nothing was sent. `broken`: nobody knows. */
  readonly end: "answered" | "refused" | "broken";
  readonly status?: number;
  /** What the answer said, as far as the checks need it. */
  readonly told: Told;
}

export interface Told {
  readonly intentId?: string;
  readonly orderId?: string;
  readonly outcome?: string;
  readonly errorCode?: string;
  readonly retry?: string;
}

/** What its sender was told to stand before it asked. */
export type StoppedBy = "limit" | "webhook";

/** One wish with everything that was done to have it carried out. */
export interface Call {
  readonly plan: PlannedCall;
  readonly account: string;
  readonly attempts: readonly Attempt[];
  /** Nothing may be sent for it. */
  readonly stoppedBy?: StoppedBy;
}

/** The caller was told that certainly nothing was accepted, so it may ask again. */
export function isSafe({ end, status, told }: Attempt): boolean {
  return end === "refused" || (status === 503 && told.retry === "safe");
}

/** The caller was told that it is carried out. */
export function isToldDone({ status, told }: Attempt): boolean {
  return status === 201 || (status === 200 && (told.outcome ?? "done") === "done");
}

/** The caller was told that it is accepted. */
export function isToldAccepted(attempt: Attempt): boolean {
  return isToldDone(attempt) || attempt.status === 202;
}

/** Reads the parts of an answer that say what became of it. */
export function readTold(body: unknown): Told {
  if (typeof body !== "object" || body === null) return {};
  const { intentId, orderId, order, outcome, error } = body as Record<string, unknown>;
  // Of what an adjustment opened.
  const { orderId: opened } = (order ?? {}) as Record<string, unknown>;
  const { code, retry, intentId: failed } = (error ?? {}) as Record<string, unknown>;
  return {
    ...text("intentId", intentId ?? failed),
    ...text("orderId", orderId ?? opened),
    ...text("outcome", outcome),
    ...text("errorCode", code),
    ...text("retry", retry),
  };
}

function text<Name extends keyof Told>(name: Name, value: unknown): Pick<Told, Name> | undefined {
  return typeof value === "string" ? ({ [name]: value } as Pick<Told, Name>) : undefined;
}
