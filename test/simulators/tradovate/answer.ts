/** What a request is answered, over REST and over the socket alike. Text goes out as it is. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Called once the answer is out: what is to be told after it. */
  readonly afterwards?: () => void;
}

/** Nothing is answered and the link is cut. */
export const CUT = "cut";
/** Nothing is answered, ever, and the link stays. */
export const SILENCE = "silence";

export type Outcome = Answer | typeof CUT | typeof SILENCE;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const refused = (status: number, body: string): Answer => ({ status, body });

export const ACCESS_DENIED = refused(401, "Access is denied");
export const EXPIRED_TOKEN = refused(401, "Expired Access Token");
export const notFound = (what: string): Answer => refused(404, `Not found: ${what}`);
export const badRequest = (what: string): Answer => refused(400, what);

/** A business failure is a success of HTTP. */
export function failure(failureReason: string, failureText: string): Answer {
  return ok({ failureReason, failureText });
}
