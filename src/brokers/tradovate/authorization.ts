import { renewAhead } from "../renew-ahead.ts";
import { AUTHORIZE, type RateBudget } from "./rate-budget.ts";
import type { TradovateSocket } from "./socket.ts";
import type { HeldToken, TokenKeeper } from "./token-keeper.ts";

export interface AuthorizationDeps {
  readonly socket: TradovateSocket;
  readonly keeper: TokenKeeper;
  readonly budget: RateBudget;
  readonly mayWrite: () => boolean;
  /** Hears of a renewal that failed. */
  readonly onTrouble: (error: unknown) => void;
  readonly elapsed: () => number;
  readonly random: () => number;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

/** Renewals are limited to 15 an hour. */
const REAUTHORIZE_AFTER_MS = 5 * 60 * 1_000;

/** Who a session is to the broker: the token that its socket works with. */
export class Authorization {
  readonly #deps: AuthorizationDeps;
  #token: HeldToken | undefined;
  #renewal: { readonly at: number; readonly done: Promise<boolean> } | undefined;

  constructor(deps: AuthorizationDeps) {
    this.#deps = deps;
  }

  /** Undefined until the socket was first to be authorized. */
  get token(): HeldToken | undefined {
    return this.#token;
  }

  /** Authorizes the socket; false where the broker refuses the token. */
  async take(token: HeldToken): Promise<boolean> {
    this.#token = token;
    const { socket, keeper, budget, mayWrite } = this.#deps;
    const body = token.accessToken;
    const request = { endpoint: AUTHORIZE, body };
    const reply = await socket.request(request, { mayWrite, isNeeded: true });
    if (reply.kind !== "answered") throw new Error(`The session could not begin: ${reply.reason}`);
    const { status } = reply.answer;
    if (status === 200) return true;
    budget.heed(AUTHORIZE, reply.answer);
    // A token of a session that was ended over the session limit is answered so.
    if (status === 408) keeper.onQuota();
    if (status === 401 || status === 408 || status === 502) return false;
    throw new Error(`Tradovate answered the authorization with ${status}`);
  }

  /** Whether what was refused may be asked once more: with a token that is new, or still young. */
  async again(): Promise<boolean> {
    const now = this.#deps.elapsed();
    const last = this.#renewal;
    if (last !== undefined && now - last.at < REAUTHORIZE_AFTER_MS) return await last.done;
    this.#renewal = { at: now, done: this.#renew() };
    return await this.#renewal.done;
  }

  /** Renews the token before it ends, for as long as the session lives. As `renewAhead`. */
  async keepFresh(): Promise<void> {
    const { keeper, signal, onTrouble, elapsed, random } = this.#deps;
    const token = this.#token;
    if (token === undefined) return;
    const renew = async (until: AbortSignal) => {
      await keeper.untilRenewable(until);
      return (this.#token = await keeper.renew(until));
    };
    await renewAhead(token, token.askedAt, { renew, signal, onError: onTrouble, elapsed, random });
  }

  async #renew(): Promise<boolean> {
    const { keeper, socket, signal, onTrouble } = this.#deps;
    try {
      return await this.take(await keeper.renew(signal));
    } catch (error) {
      onTrouble(error);
      socket.end(error instanceof Error ? error : new Error("The renewal failed"));
      return false;
    }
  }
}
