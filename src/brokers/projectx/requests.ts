import { BrokerReadError } from "../../trading/ports.ts";
import { parseAnswer } from "./parse.ts";
import type { Purpose, RateBudget } from "./rate-budget.ts";
import type { RestClient, RestReply } from "./rest-client.ts";
import type { ProjectXAnswer } from "./wire.ts";

export type { Purpose } from "./rate-budget.ts";

/** How one question or command ended, before anybody looks at what it says. */
export type RequestOutcome =
  | { readonly kind: "answered"; readonly body: ProjectXAnswer }
  | { readonly kind: "notSent"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

export interface RequestsDeps {
  readonly rest: Pick<RestClient, "post">;
  readonly budget: RateBudget;
  /** That of questions for bars, which are counted for themselves. */
  readonly barsBudget: RateBudget;
  /** The token that is there now. */
  readonly token: () => string | undefined;
  /** Gets another token in place of one that is refused; false where that did not work. */
  readonly renew: (refused: string | undefined) => Promise<boolean>;
  readonly mayWrite: () => boolean;
  /** The token is refused for good. */
  readonly onRefused: (cause: Error) => void;
  /** Ends what is being asked. */
  readonly signal: AbortSignal;
}

/** Nothing was answered, for too much was asked already; what may still be asked is kept for exits. */
export class BudgetUsedUpError extends BrokerReadError {}

/** Commands and questions of one session: the budget before them, 401 and 429 after them. */
export class Requests {
  readonly #deps: RequestsDeps;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /**
   * One POST, for example of `Order/place`. Never throws. It is sent a second time only where the
   * broker's word is that it did nothing, for want of a token that it takes.
   */
  async ask(path: string, body: object, purpose: Purpose): Promise<RequestOutcome> {
    const { budget, mayWrite } = this.#deps;
    const refusal = budget.take(purpose);
    if (refusal !== undefined) return { kind: "notSent", reason: refusal };
    return outcomeOf(await this.#post(path, body, { budget, mayWrite }));
  }

  /** The same for what only asks. Throws `BrokerReadError` for every answer but a good one. */
  async read(path: string, body: object, purpose: Purpose): Promise<ProjectXAnswer> {
    const answer = await this.#answer(path, body, purpose);
    if (!answer.success) throw new BrokerReadError(wordsOf(path, answer));
    return answer;
  }

  /** The same for one thing that there may not be: undefined where the broker has none such. */
  async find(path: string, body: object, purpose: Purpose): Promise<ProjectXAnswer | undefined> {
    const answer = await this.#answer(path, body, purpose);
    if (answer.success) return answer;
    if (answer.errorCode === NOT_FOUND) return undefined;
    throw new BrokerReadError(wordsOf(path, answer));
  }

  /** A question for bars: nothing that becomes of it ends the session. Throws `BrokerReadError`. */
  async readBars(path: string, body: object, purpose: Purpose): Promise<ProjectXAnswer> {
    const answer = await this.#answer(path, body, purpose, { budget: this.#deps.barsBudget });
    if (!answer.success) throw new BrokerReadError(wordsOf(path, answer));
    return answer;
  }

  async #answer(
    path: string,
    body: object,
    purpose: Purpose,
    how: How = { budget: this.#deps.budget },
  ): Promise<ProjectXAnswer> {
    const refusal = how.budget.take(purpose);
    if (refusal !== undefined) throw new BudgetUsedUpError(refusal);
    const reply = await this.#post(path, body, how);
    const outcome = outcomeOf(reply);
    if (outcome.kind !== "answered") {
      const isTooMany = reply.kind === "answered" && reply.status === TOO_MANY;
      throw isTooMany ? new BudgetUsedUpError(outcome.reason) : new BrokerReadError(outcome.reason);
    }
    return outcome.body;
  }

  async #post(path: string, body: object, { budget, mayWrite }: How): Promise<RestReply> {
    const { rest, token, renew, signal, onRefused } = this.#deps;
    const send = () => rest.post({ path: `api/${path}`, body, token: token(), signal, mayWrite });
    const used = token();
    let reply = await send();
    if (isRefused(reply) && !signal.aborted && (await renew(used))) reply = await send();
    if (isRefused(reply) && budget === this.#deps.budget) {
      onRefused(new Error("ProjectX refuses the token"));
    }
    if (reply.kind === "answered") {
      if (reply.status === TOO_MANY) budget.lockOut();
      else budget.answered();
    }
    return reply;
  }
}

/** How one request is made. */
interface How {
  readonly budget: RateBudget;
  readonly mayWrite?: () => boolean;
}

/** What questions for one thing are answered with where it is not there. */
const NOT_FOUND = 1;
const UNAUTHORIZED = 401;
/** The status for too many requests. */
export const TOO_MANY = 429;

const isRefused = (reply: RestReply): boolean =>
  reply.kind === "answered" && reply.status === UNAUTHORIZED;

function outcomeOf(reply: RestReply): RequestOutcome {
  if (reply.kind !== "answered") return reply;
  const { status, data } = reply;
  if (status === UNAUTHORIZED) return { kind: "notSent", reason: "ProjectX refuses the token" };
  if (status === TOO_MANY) {
    return { kind: "notSent", reason: "ProjectX refuses requests for now, for too many of them" };
  }
  const answer = status === 200 ? parseAnswer(data) : undefined;
  if (answer !== undefined) return { kind: "answered", body: answer };
  const words = status === 200 ? "Its answer cannot be read" : `It answered ${status}`;
  return { kind: "unknown", reason: `ProjectX did not say what became of it: ${words}` };
}

/** The broker's words in an answer that is a refusal. */
export function wordsOf(path: string, { errorCode, errorMessage }: ProjectXAnswer): string {
  const code = errorCode === undefined ? "" : ` (code ${errorCode})`;
  return `${errorMessage ?? `ProjectX refused ${path}`}${code}`;
}
