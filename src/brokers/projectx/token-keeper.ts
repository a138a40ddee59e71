import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { renewAhead, type Token } from "../renew-ahead.ts";
import { CredentialsRefusedError, SessionImpossibleError } from "../session-errors.ts";
import { classifyLogin } from "./classify-error.ts";
import type { MemoryParts } from "./memory-parts.ts";
import { isRecord, parseAnswer } from "./parse.ts";
import type { RateBudget } from "./rate-budget.ts";
import { TOO_MANY } from "./requests.ts";
import type { RestClient, RestReply } from "./rest-client.ts";
import type { ProjectXAnswer } from "./wire.ts";

/** A token, and when it was asked for by the steady clock. */
interface HeldToken extends Token {
  readonly text: string;
  readonly askedAt: number;
}

export interface TokenKeeperDeps {
  readonly rest: Pick<RestClient, "post">;
  readonly url: string;
  readonly userName: string;
  readonly apiKey: string;
  readonly budget: RateBudget;
  /** Asked right before credentials are sent. */
  readonly mayWrite: () => boolean;
  /** Where the token is kept for the next owner. */
  readonly memory: Pick<MemoryParts, "load" | "save">;
  /** Hears of renewals that failed and are tried again. */
  readonly onTrouble: (error: unknown) => void;
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly random: () => number;
}

const HOUR_MS = 60 * 60 * 1_000;
/** The documented life of a token that does not say its own. */
const DOCUMENTED_LIFE_MS = 24 * HOUR_MS;
const LONGEST_LIFE_MS = 7 * DOCUMENTED_LIFE_MS;
/** With less than this left no session is begun. */
const WORTH_USING_MS = 5 * 60 * 1_000;
const LOOK_EVERY_MS = 1_000;
const PART = "token";
const LOGIN = "api/Auth/loginKey";
const RENEWAL = "api/Auth/validate";

/** A renewal that only a login can replace. */
const SESSION_OVER: ReadonlySet<number> = new Set([1, 2, 3]);

/**
 * Keeps the one token of a connection over all its sessions and owners: a session that broke, or a
 * gateway that was started again, goes on with the same one.
 */
export class TokenKeeper {
  readonly #deps: TokenKeeperDeps;
  readonly #login: string;
  #held: HeldToken | undefined;
  #recalled: Promise<void> | undefined;
  #renewing: Promise<boolean> | undefined;
  #isWaiting = false;

  constructor(deps: TokenKeeperDeps) {
    this.#deps = deps;
    this.#login = hash("sha256", JSON.stringify([deps.url, deps.userName, deps.apiKey]));
  }

  /** The token that is there now. */
  get held(): string | undefined {
    return this.#held?.text;
  }

  /** Whether it waits for the time at which it may log in: nobody is silent then. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The token that is there, or one of a new login. */
  async token(signal: AbortSignal, onWait?: (ms: number) => void): Promise<string> {
    await (this.#recalled ??= this.#recall());
    const held = this.#held;
    if (held !== undefined && this.#leftMs(held) > WORTH_USING_MS) return held.text;
    await this.#untilAllowed(signal, onWait);
    return (await this.#logIn(signal)).text;
  }

  /** Another token in place of one that is refused; false where none was given. Throws final refusals. */
  async replace(refused: string | undefined, signal: AbortSignal): Promise<boolean> {
    if (this.#held !== undefined && this.#held.text !== refused) return true;
    this.#renewing ??= this.#logIn(signal)
      .then(() => true)
      .catch((error: unknown) => {
        if (isFinal(error)) throw error;
        this.#deps.onTrouble(error);
        return false;
      })
      .finally(() => (this.#renewing = undefined));
    return await this.#renewing;
  }

  /** The broker does not take the token any more. */
  drop(): void {
    this.#held = undefined;
    this.#keep();
  }

  /** Renews ahead of the token's end until the signal; rejects where that is of no use any more. */
  async keepFresh(signal: AbortSignal): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    const { onTrouble, random, elapsed } = this.#deps;
    await renewAhead(held, held.askedAt, {
      renew: (ending) => this.#renew(ending),
      signal,
      onError: onTrouble,
      random,
      elapsed,
    });
  }

  /** Drops the token where the broker's word is that it is over. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#held === undefined) return;
    await this.#validate(signal)
      .then((token) => token ?? this.drop())
      .catch(this.#deps.onTrouble);
  }

  async #renew(signal: AbortSignal): Promise<Token> {
    return (await this.#validate(signal)) ?? (await this.#logIn(signal));
  }

  /** Undefined where the token is over, by the broker's word. */
  async #validate(signal: AbortSignal): Promise<Token | undefined> {
    const { rest, elapsed, budget } = this.#deps;
    const refusal = budget.take("protect");
    if (refusal !== undefined) throw new Error(refusal);
    const askedAt = elapsed();
    const reply = await rest.post({ path: RENEWAL, body: {}, token: this.held, signal });
    const answer = answerOf(reply);
    if (reply.kind === "answered" && reply.status === 401) return undefined;
    if (answer?.success === false && SESSION_OVER.has(answer.errorCode ?? 0)) return undefined;
    const token = answer?.success === true ? answer.body["newToken"] : undefined;
    if (typeof token !== "string" || token === "") throw new Error(failure("renewal", reply));
    return this.#take(token, askedAt);
  }

  async #logIn(signal: AbortSignal): Promise<HeldToken> {
    const { rest, budget, mayWrite, userName, apiKey, elapsed } = this.#deps;
    const refusal = budget.take("protect");
    if (refusal !== undefined) throw new Error(refusal);
    const askedAt = elapsed();
    const body = { userName, apiKey };
    const reply = await rest.post({ path: LOGIN, body, signal, mayWrite });
    if (reply.kind === "answered" && reply.status === TOO_MANY) budget.lockOut();
    const answer = answerOf(reply);
    if (answer?.success === false) throw refusalOf(answer);
    const token = answer?.body["token"];
    if (typeof token !== "string" || token === "") throw new Error(failure("login", reply));
    return this.#take(token, askedAt);
  }

  #take(text: string, askedAt: number): HeldToken {
    const leftMs = (endOf(text) ?? 0) - this.#deps.now();
    const isLikely = leftMs > 0 && leftMs <= LONGEST_LIFE_MS;
    this.#held = { text, askedAt, validForMs: isLikely ? leftMs : DOCUMENTED_LIFE_MS };
    this.#keep();
    return this.#held;
  }

  async #untilAllowed(signal: AbortSignal, onWait?: (ms: number) => void): Promise<void> {
    const leftMs = () => this.#deps.budget.waitMs("protect", 1);
    if (leftMs() <= 0) return;
    onWait?.(leftMs());
    this.#isWaiting = true;
    while (!signal.aborted && leftMs() > 0) {
      await sleep(Math.min(leftMs(), LOOK_EVERY_MS), undefined, { signal }).catch(() => undefined);
    }
    this.#isWaiting = false;
  }

  /** Goes on where the former owner was. */
  async #recall(): Promise<void> {
    const { memory, now, elapsed } = this.#deps;
    const text = await memory.load(PART);
    const told = text === undefined ? undefined : parseJson(text);
    if (!isRecord(told) || told["login"] !== this.#login) return;
    const { token, askedAt, validForMs } = told;
    if (typeof token !== "string" || typeof askedAt !== "number") return;
    if (typeof validForMs !== "number" || validForMs > LONGEST_LIFE_MS) return;
    // One that was asked for in the future is of another clock.
    if (askedAt > now()) return;
    this.#held = { text: token, askedAt: askedAt - (now() - elapsed()), validForMs };
  }

  #keep(): void {
    const { memory, now, elapsed } = this.#deps;
    const held = this.#held;
    const shift = now() - elapsed();
    const token = held && {
      token: held.text,
      askedAt: held.askedAt + shift,
      validForMs: held.validForMs,
    };
    memory.save(PART, JSON.stringify({ login: this.#login, ...token }));
  }

  #leftMs({ askedAt, validForMs }: HeldToken): number {
    return askedAt + validForMs - this.#deps.elapsed();
  }
}

/** Only a good status is an answer. */
const answerOf = (reply: RestReply): ProjectXAnswer | undefined =>
  reply.kind === "answered" && reply.status === 200 ? parseAnswer(reply.data) : undefined;

function failure(what: string, reply: RestReply): string {
  if (reply.kind !== "answered") return `The ${what} failed: ${reply.reason}`;
  return `The ${what} failed: ProjectX answered ${reply.status} without a token`;
}

/** Sent again and again, what is refused for good could lock the user out. */
function refusalOf(answer: ProjectXAnswer): Error {
  const { means, reason } = classifyLogin(answer);
  switch (means) {
    case "credentials":
      return new CredentialsRefusedError(reason);
    case "act":
      return new SessionImpossibleError(reason);
    case "again":
      return new Error(`The login failed: ${reason}`);
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof CredentialsRefusedError || error instanceof SessionImpossibleError;

/** When a token says that it ends, Unix ms; undefined where it does not. */
function endOf(token: string): number | undefined {
  const claims = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const ends = isRecord(claims) ? claims["exp"] : undefined;
  return typeof ends === "number" && Number.isFinite(ends) ? ends * 1_000 : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
