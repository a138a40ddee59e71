import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdapterMemory } from "../broker-kind.ts";
import type { Token } from "../renew-ahead.ts";
import { CredentialsRefusedError, SessionImpossibleError } from "../session-errors.ts";
import { areCredentialsRefused, limitIn, penaltyIn, wordsOf } from "./classify-error.ts";
import type { TradovateSettings } from "./config.ts";
import { LoginPace } from "./login-pace.ts";
import { type LoginRecord, parseLoginRecord } from "./login-record.ts";
import { parseLogin } from "./parse.ts";
import { AUTHORIZE, type RateBudget } from "./rate-budget.ts";
import type { RestAnswer, RestClient } from "./rest-client.ts";
import type { TradovateLogin, TradovatePenalty } from "./wire.ts";

/** A token with whom it belongs to, and when it was asked for by the steady clock. */
export interface HeldToken extends Token {
  readonly accessToken: string;
  /** For market data; where it is missing, the other one serves. */
  readonly mdAccessToken?: string;
  readonly userId: number;
  readonly askedAt: number;
}

/** Hears for how long the next login is put off. */
type OnWait = (ms: number) => void;

export interface TokenKeeperDeps {
  readonly rest: Pick<RestClient, "ask">;
  readonly settings: TradovateSettings;
  readonly deviceId: string;
  readonly budget: RateBudget;
  /** Asked right before credentials are sent: a login of a former owner would end the owner's. */
  readonly mayWrite: () => boolean;
  /** Where the token and the pauses are kept for the next owner; without it they end with this one. */
  readonly memory?: AdapterMemory | undefined;
  /** Hears that something was not kept. */
  readonly onTrouble: (error: unknown) => void;
  readonly now: () => number;
  readonly elapsed: () => number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The documented life of a token, for when our clock or the answer's makes no sense. */
const DOCUMENTED_LIFE_MS = 90 * MINUTE_MS;
const LONGEST_LIFE_MS = 24 * HOUR_MS;
/** A token with less than this left is not begun a session with. */
const WORTH_USING_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 1_000;
/** Renewals that fail: 15 an hour are the limit, 15 s apart. */
const AFTER_RENEWAL_MS = 15_000;
const LONGEST_AFTER_RENEWAL_MS = 6 * MINUTE_MS;
const LOGIN = "auth/accesstokenrequest";
const RENEWAL = "auth/renewaccesstoken";
const LONGEST_PENALTY_MS = MINUTE_MS;
const PENALTIES_IN_A_ROW = 3;

/**
 * Keeps the one token of a connection over all its sessions and owners: a session that broke, or a
 * gateway that was started again, goes on with the same token, so that neither opens one login after
 * the other. Between logins that failed it waits longer than the supervisor would: Tradovate locks
 * out who tries too often.
 */
export class TokenKeeper {
  readonly #deps: TokenKeeperDeps;
  readonly #pace: LoginPace;
  readonly #settings: string;
  #held: HeldToken | undefined;
  #isWaiting = false;
  #renewal = { failures: 0, notBefore: 0 };
  #onWait: OnWait | undefined;
  #recalled: Promise<void> | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(deps: TokenKeeperDeps) {
    this.#deps = deps;
    this.#pace = new LoginPace(deps.elapsed);
    // A login is the same with market data and without.
    const { marketData: _, mdUrl: _url, ...login } = deps.settings;
    this.#settings = hash("sha256", JSON.stringify([login, deps.deviceId]));
  }

  /** The token that is there now. */
  get held(): HeldToken | undefined {
    return this.#held;
  }

  /** Whether it waits for the time at which it may log in: nobody is silent then. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The token that is there, or one of a new login. */
  async token(signal: AbortSignal, onWait?: OnWait): Promise<HeldToken> {
    this.#onWait = onWait;
    await (this.#recalled ??= this.#recall());
    const held = this.#held;
    if (held !== undefined && this.#leftMs(held) > WORTH_USING_MS) {
      const { budget } = this.#deps;
      await this.#untilAllowed(() => budget.sessionInMs, signal);
      if (!signal.aborted && budget.lockedForMs(AUTHORIZE) > 0) budget.tryExit(AUTHORIZE);
      return held;
    }
    return await this.#login(signal);
  }

  /** The broker does not take the token any more. */
  drop(): void {
    this.#held = undefined;
    this.keep();
  }

  /** Keeps for the next owner how things stand now. */
  keep(): void {
    const { memory, mayWrite, onTrouble } = this.#deps;
    if (memory === undefined) return;
    this.#kept = this.#kept.then(async () => {
      // What a former owner knows is older than what the present one has kept.
      if (!mayWrite()) return;
      await memory.save(JSON.stringify(this.#toRecord())).catch(onTrouble);
    });
  }

  /** Resolves when everything is kept. */
  async close(): Promise<void> {
    await this.#kept;
  }

  /**
   * Resolves when the token may be renewed, or when the signal ended the waiting: whoever asks during
   * a lockout makes it longer, and too many renewals are one.
   */
  async untilRenewable(signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#renewableInMs(), signal);
  }

  /**
   * A new token of the same session in place of the one that ends soon. Where that is refused the
   * token is dropped: a login begins another session, whose socket must begin anew as well. Nothing
   * is asked where it may not be.
   */
  async renew(signal: AbortSignal): Promise<HeldToken> {
    signal.throwIfAborted();
    const held = this.#held;
    if (held === undefined) throw new Error("The token was refused, and cannot be renewed");
    if (this.#renewableInMs() > 0) throw new Error("The token may not be renewed yet");
    const askedAt = this.#deps.elapsed();
    this.#putRenewalOff(askedAt);
    const { accessToken: token } = held;
    const answer = await this.#deps.rest.ask({ method: "GET", path: RENEWAL, token, signal });
    this.#heedLimits(RENEWAL, answer);
    const login = answer.status === 200 ? parseLogin(answer.data) : undefined;
    if (login?.accessToken !== undefined) {
      this.#renewal = { failures: 0, notBefore: 0 };
      return this.#keep({ userId: held.userId, ...login }, login.accessToken, askedAt);
    }
    const isRefused = answer.status === 401 || login?.errorText !== undefined;
    if (isRefused) this.drop();
    throw new Error(`The renewal failed: ${reasonOf(answer)}`);
  }

  #renewableInMs(): number {
    const { budget, elapsed } = this.#deps;
    return Math.max(budget.lockedForMs(RENEWAL), this.#renewal.notBefore - elapsed());
  }

  /** Until it is known to have worked, it counts as failed. */
  #putRenewalOff(now: number): void {
    const { failures } = this.#renewal;
    const ms = Math.min(AFTER_RENEWAL_MS * 2 ** failures, LONGEST_AFTER_RENEWAL_MS);
    this.#renewal = { failures: failures + 1, notBefore: now + ms };
  }

  /**
   * The broker ended the session over its session limit, so the next login waits: it may have been a
   * session that a crash left behind. True where that was so within the last hour already: another
   * program logs in with the same user.
   */
  onQuota(): boolean {
    const isAgain = this.#pace.endedByQuota();
    this.drop();
    return isAgain;
  }

  /** Waits for what keeps a session from beginning, which is said. */
  async #untilAllowed(leftMs: () => number, signal: AbortSignal): Promise<void> {
    const wholeMs = leftMs();
    if (wholeMs > 0 && !signal.aborted) this.#onWait?.(wholeMs);
    try {
      this.#isWaiting = wholeMs > 0;
      await this.#until(leftMs, signal);
    } finally {
      this.#isWaiting = false;
    }
  }

  async #until(leftMs: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && leftMs() > 0) {
      const ms = Math.min(leftMs(), LOOK_EVERY_MS);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  async #login(signal: AbortSignal): Promise<HeldToken> {
    const { budget } = this.#deps;
    await this.#untilAllowed(() => Math.max(this.#pace.waitMs, budget.lockedForMs(LOGIN)), signal);
    const { name, password, appId, appVersion, cid, sec } = this.#deps.settings;
    const { deviceId, elapsed } = this.#deps;
    let body: object = { name, password, appId, appVersion, deviceId, cid, sec };
    for (let turn = 0; turn <= PENALTIES_IN_A_ROW; turn += 1) {
      signal.throwIfAborted();
      if (!this.#deps.mayWrite()) throw new Error("Sending is not allowed any more");
      const askedAt = elapsed();
      const answer = await this.#deps.rest.ask({ method: "POST", path: LOGIN, body, signal });
      this.#heedLimits(LOGIN, answer);
      const penalty = penaltyIn(answer);
      if (penalty === undefined) return this.#loggedIn(answer, askedAt);
      await this.#sitOut(penalty, signal);
      body = { ...body, "p-ticket": penalty.ticket };
    }
    throw this.#failed("Tradovate answers logins with penalties only");
  }

  async #sitOut(penalty: TradovatePenalty, signal: AbortSignal): Promise<void> {
    const words = penalty.message === undefined ? "" : `: ${penalty.message}`;
    // No program can solve it, and it is said to pass by itself.
    if (penalty.isCaptcha) throw this.#failed(`Tradovate asks for a captcha${words}`, HOUR_MS);
    const isTooLong = penalty.waitMs > LONGEST_PENALTY_MS;
    if (isTooLong) throw this.#failed(`Penalty${words}`, penalty.waitMs);
    await sleep(penalty.waitMs, undefined, { signal });
  }

  #loggedIn(answer: RestAnswer, askedAt: number): HeldToken {
    const login = answer.status === 200 ? parseLogin(answer.data) : undefined;
    const { accessToken, userId, errorText, userStatus } = login ?? {};
    if (accessToken !== undefined && userId !== undefined && login !== undefined) {
      this.#pace.granted();
      return this.#keep({ ...login, userId }, accessToken, askedAt);
    }
    // Nobody has looked at the credentials: it is tried again as after a link that broke.
    if (answer.status >= 500) throw new Error(`The login failed: ${reasonOf(answer)}`);
    if (errorText !== undefined && areCredentialsRefused(errorText)) {
      throw new CredentialsRefusedError(errorText);
    }
    if (userStatus === "Closed") throw new SessionImpossibleError("The Tradovate user is closed");
    throw this.#failed(errorText ?? userStatus ?? reasonOf(answer));
  }

  #keep(
    login: TradovateLogin & { readonly userId: number },
    accessToken: string,
    askedAt: number,
  ): HeldToken {
    const endsAt = Date.parse(login.expirationTime ?? "");
    const leftMs = endsAt - this.#deps.now();
    const isLikely = leftMs > 0 && leftMs <= LONGEST_LIFE_MS;
    const validForMs = isLikely ? leftMs : DOCUMENTED_LIFE_MS;
    const { mdAccessToken, userId } = login;
    const forMarket = mdAccessToken === undefined ? {} : { mdAccessToken };
    this.#held = { accessToken, ...forMarket, userId, validForMs, askedAt };
    this.keep();
    return this.#held;
  }

  /** Counts a login that the broker saw and did not grant, and puts the next one off. */
  #failed(words: string, atLeastMs = 0): Error {
    this.#pace.failed(atLeastMs);
    this.keep();
    return new Error(`The login failed: ${words}`);
  }

  /** Goes on where the former owner was. */
  async #recall(): Promise<void> {
    const { memory, budget, elapsed, onTrouble } = this.#deps;
    const load = async () => await memory?.load();
    const text = await load().catch((error: unknown) => {
      onTrouble(error);
      return undefined;
    });
    const record = text === undefined ? undefined : parseLoginRecord(text);
    if (record === undefined) return;
    const shift = this.#shift();
    const { pace, token } = record;
    const isSame = record.settings === this.#settings;
    // New settings are tried at once: what failed or was held was with the old ones.
    const begun = isSame ? pace : { ...pace, failures: 0, notBefore: 0 };
    this.#pace.restore(begun, shift);
    const askedAt = (token?.askedAt ?? 0) - shift;
    // One that was asked for in the future is of another clock.
    if (isSame && token !== null && askedAt <= elapsed()) this.#held = { ...token, askedAt };
    const leftMs = (until: number) => until - shift - elapsed();
    budget.restore({
      everywhereMs: leftMs(record.lockedUntil),
      byEndpointMs: eachOf(record.endpointsLockedUntil ?? {}, leftMs),
    });
  }

  #toRecord(): LoginRecord {
    const { budget, now } = this.#deps;
    const shift = this.#shift();
    const held = this.#held;
    const { everywhereMs, byEndpointMs } = budget.lockouts;
    return {
      settings: this.#settings,
      pace: this.#pace.toRecord(shift),
      lockedUntil: now() + everywhereMs,
      endpointsLockedUntil: eachOf(byEndpointMs, (ms) => now() + ms),
      token: held === undefined ? null : { ...held, askedAt: held.askedAt + shift },
    };
  }

  /** What the clock on the wall is ahead of the steady one. */
  #shift(): number {
    return this.#deps.now() - this.#deps.elapsed();
  }

  #heedLimits(endpoint: string, answer: RestAnswer): void {
    const limit = limitIn(answer);
    if (limit === "lockout") {
      this.#deps.budget.lockOut(endpoint);
      throw new Error(`Tradovate has locked requests for ${endpoint} out, for too many of them`);
    }
    if (limit === undefined) return;
    const words = "Tradovate warns of too many requests";
    throw endpoint === LOGIN ? this.#failed(words) : new Error(words);
  }

  #leftMs({ askedAt, validForMs }: HeldToken): number {
    return askedAt + validForMs - this.#deps.elapsed();
  }
}

const reasonOf = ({ status, data }: RestAnswer): string =>
  wordsOf(data) ?? `Tradovate answered ${status}`;

const eachOf = (
  values: Readonly<Record<string, number>>,
  change: (value: number) => number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
