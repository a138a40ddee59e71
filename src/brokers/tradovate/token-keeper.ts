import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdapterMemory } from "../adapter-memory.ts";
import type { Token } from "../renew-ahead.ts";
import { CredentialsRefusedError, SessionImpossibleError } from "../session-errors.ts";
import { isTemporary, wordsOf } from "./classify-error.ts";
import type { TradovateSettings } from "./config.ts";
import { LoginPace } from "./login-pace.ts";
import { type LoginRecord, parseLoginRecord } from "./login-record.ts";
import { parseLogin, parsePenalty } from "./parse.ts";
import type { RateBudget } from "./rate-budget.ts";
import type { RestAnswer, RestClient } from "./rest-client.ts";
import type { TradovateLogin, TradovatePenalty } from "./wire.ts";

/** A token with whom it belongs to, and when it was asked for by the steady clock. */
export interface HeldToken extends Token {
  readonly accessToken: string;
  readonly userId: number;
  readonly askedAt: number;
}

/** Hears for how long the next login is put off. */
type OnWait = (ms: number) => void;

export interface TokenKeeperDeps {
  readonly rest: RestClient;
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
  #onWait: OnWait | undefined;
  #recalled: Promise<void> | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(deps: TokenKeeperDeps) {
    this.#deps = deps;
    this.#pace = new LoginPace(deps.elapsed);
    this.#settings = hash("sha256", JSON.stringify([deps.settings, deps.deviceId]));
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
      await this.#until(() => this.#deps.budget.lockedForMs, signal);
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
   * A new token of the same session in place of the one that ends soon. Where that is refused the
   * token is dropped: a login begins another session, whose socket must begin anew as well.
   */
  async renew(signal: AbortSignal): Promise<HeldToken> {
    const held = this.#held;
    if (held === undefined) throw new Error("The token was refused, and cannot be renewed");
    const askedAt = this.#deps.elapsed();
    const { accessToken: token } = held;
    const path = "auth/renewaccesstoken";
    const answer = await this.#deps.rest.ask({ method: "GET", path, token, signal });
    this.#heedLimits(answer);
    const login = answer.status === 200 ? parseLogin(answer.data) : undefined;
    if (login?.accessToken !== undefined) {
      return this.#keep({ userId: held.userId, ...login }, login.accessToken, askedAt);
    }
    const isRefused = answer.status === 401 || login?.errorText !== undefined;
    if (isRefused) this.drop();
    throw new Error(`The renewal failed: ${reasonOf(answer)}`);
  }

  /**
   * The broker ended the session over its session limit. The first time the next login waits: it may
   * have been a session that a crash left behind. A second time within an hour another program logs
   * in with the same user, and two that end each other's sessions in turn never stop.
   */
  onQuota(words: string): void {
    const isAgain = this.#pace.endedByQuota();
    this.drop();
    if (isAgain) {
      throw new SessionImpossibleError(`Another program logs in with the same user. ${words}`);
    }
  }

  async #untilAllowed(signal: AbortSignal): Promise<void> {
    const { budget } = this.#deps;
    await this.#until(() => Math.max(this.#pace.waitMs, budget.lockedForMs), signal);
  }

  async #until(leftMs: () => number, signal: AbortSignal): Promise<void> {
    const wholeMs = leftMs();
    if (wholeMs > 0 && !signal.aborted) this.#onWait?.(wholeMs);
    try {
      while (!signal.aborted && leftMs() > 0) {
        this.#isWaiting = true;
        const ms = Math.min(leftMs(), LOOK_EVERY_MS);
        await sleep(ms, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#isWaiting = false;
    }
  }

  async #login(signal: AbortSignal): Promise<HeldToken> {
    await this.#untilAllowed(signal);
    const { name, password, appId, appVersion, cid, sec } = this.#deps.settings;
    const { deviceId, elapsed } = this.#deps;
    let body: object = { name, password, appId, appVersion, deviceId, cid, sec };
    for (let turn = 0; turn <= PENALTIES_IN_A_ROW; turn += 1) {
      signal.throwIfAborted();
      if (!this.#deps.mayWrite()) throw new Error("Sending is not allowed any more");
      const askedAt = elapsed();
      const path = "auth/accesstokenrequest";
      const answer = await this.#deps.rest.ask({ method: "POST", path, body, signal });
      this.#heedLimits(answer);
      const penalty = parsePenalty(answer.data);
      if (penalty === undefined) return this.#loggedIn(answer, askedAt);
      await this.#sitOut(penalty, signal);
      body = { ...body, "p-ticket": penalty.ticket };
    }
    throw this.#failed("Tradovate answers logins with penalties only");
  }

  async #sitOut(penalty: TradovatePenalty, signal: AbortSignal): Promise<void> {
    const words = penalty.message === undefined ? "" : `: ${penalty.message}`;
    if (penalty.isCaptcha) {
      throw new SessionImpossibleError(`Tradovate asks for a captcha; wait an hour${words}`);
    }
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
    if (errorText !== undefined && !isTemporary(errorText)) {
      throw new CredentialsRefusedError(errorText);
    }
    if (userStatus === "Closed") throw new SessionImpossibleError("The Tradovate user is closed");
    if (answer.status === 400 || answer.status === 403) {
      throw new SessionImpossibleError(`Tradovate refuses the login: ${reasonOf(answer)}`);
    }
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
    this.#held = { accessToken, userId: login.userId, validForMs, askedAt };
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
    const lockedForMs = record.lockedUntil - shift - elapsed();
    if (lockedForMs > 0) budget.lockOut(lockedForMs);
  }

  #toRecord(): LoginRecord {
    const { budget, now } = this.#deps;
    const shift = this.#shift();
    const held = this.#held;
    return {
      settings: this.#settings,
      pace: this.#pace.toRecord(shift),
      lockedUntil: now() + budget.lockedForMs,
      token: held === undefined ? null : { ...held, askedAt: held.askedAt + shift },
    };
  }

  /** What the clock on the wall is ahead of the steady one. */
  #shift(): number {
    return this.#deps.now() - this.#deps.elapsed();
  }

  #heedLimits({ status }: RestAnswer): void {
    if (status === 429) {
      this.#deps.budget.lockOut();
      throw new Error("Tradovate has locked this user out for too many requests");
    }
    if (status === 423) throw this.#failed("Tradovate warns of too many requests");
  }

  #leftMs({ askedAt, validForMs }: HeldToken): number {
    return askedAt + validForMs - this.#deps.elapsed();
  }
}

const reasonOf = ({ status, data }: RestAnswer): string =>
  wordsOf(data) ?? `Tradovate answered ${status}`;
