import { randomBytes } from "node:crypto";
import type { Settings } from "./settings.ts";
import type { User } from "./users.ts";

/** One login and all tokens that were given for it. */
export interface TokenSession {
  readonly id: number;
  readonly user: User;
  readonly hasDeviceId: boolean;
  readonly tokens: Map<string, number>;
  readonly mdTokens: Set<string>;
  isKilled: boolean;
}

export type TokenCheck =
  | { readonly kind: "valid"; readonly session: TokenSession; readonly isMd: boolean }
  | { readonly kind: "killed"; readonly user: User }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

export interface SessionsDeps {
  readonly now: () => number;
  readonly settings: (user: string) => Settings;
  readonly onKilled: (session: TokenSession) => void;
}

const KEPT_MS = 1_000;

/** Who is logged in. A user has a few sessions at most: another login ends the oldest. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #byToken = new Map<string, TokenSession>();
  readonly #live = new Map<number, TokenSession[]>();
  #lastId = 0;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  open(user: User, hasDeviceId: boolean): TokenSession {
    this.#lastId += 1;
    const session: TokenSession = {
      id: this.#lastId,
      user,
      hasDeviceId,
      tokens: new Map(),
      mdTokens: new Set(),
      isKilled: false,
    };
    const live = this.#liveOf(user).filter((each) => !this.#isOver(each));
    live.push(session);
    this.#live.set(user.id, live);
    const { sessionLimit } = this.#deps.settings(user.name);
    while (live.length > sessionLimit) this.#kill(live.shift());
    return session;
  }

  /** New tokens in the same session; the ones before live on to their own end. */
  issue(session: TokenSession): { accessToken: string; mdAccessToken: string; expiresAt: number } {
    const { tokenLifeMs } = this.#deps.settings(session.user.name);
    const expiresAt = this.#deps.now() + tokenLifeMs;
    const [accessToken, mdAccessToken] = [newToken(), newToken()];
    session.mdTokens.add(mdAccessToken);
    for (const token of [accessToken, mdAccessToken]) {
      session.tokens.set(token, expiresAt);
      this.#byToken.set(token, session);
    }
    return { accessToken, mdAccessToken, expiresAt };
  }

  /** The newest good token; with `isForgiving`, as if tokens never expired. */
  liveToken(session: TokenSession, isForgiving: boolean): string | undefined {
    const newest = [...session.tokens.keys()].findLast((token) => !session.mdTokens.has(token));
    if (newest !== undefined && isForgiving && this.isExpired(session) && !session.isKilled) {
      session.tokens.set(newest, this.#deps.now() + KEPT_MS);
    }
    return newest;
  }

  check(token: string): TokenCheck {
    const session = this.#byToken.get(token);
    if (session === undefined) return { kind: "unknown" };
    if (session.isKilled) return { kind: "killed", user: session.user };
    const isOver = (session.tokens.get(token) ?? 0) <= this.#deps.now();
    if (isOver) return { kind: "expired" };
    return { kind: "valid", session, isMd: session.mdTokens.has(token) };
  }

  /** Whether none of its tokens is good any more. */
  isExpired({ tokens }: TokenSession): boolean {
    return Math.max(0, ...tokens.values()) <= this.#deps.now();
  }

  /** Ends the tokens of the user, or of all, at once. */
  expire(user: User | undefined): void {
    for (const session of this.#byToken.values()) {
      if (user !== undefined && session.user !== user) continue;
      for (const token of session.tokens.keys()) session.tokens.set(token, 0);
    }
  }

  /** Ends one token; the others of its session live on. */
  revoke(token: string): void {
    this.#byToken.get(token)?.tokens.set(token, 0);
  }

  /** As another login elsewhere would: ends all sessions of the user. */
  killAll(user: User): void {
    for (const session of this.#liveOf(user)) this.#kill(session);
    this.#live.delete(user.id);
  }

  count(user: User): number {
    return this.#liveOf(user).filter((session) => !this.#isOver(session)).length;
  }

  #isOver(session: TokenSession): boolean {
    return session.isKilled || this.isExpired(session);
  }

  #kill(session: TokenSession | undefined): void {
    if (session === undefined) return;
    session.isKilled = true;
    this.#deps.onKilled(session);
  }

  #liveOf(user: User): TokenSession[] {
    return this.#live.get(user.id) ?? [];
  }
}

function newToken(): string {
  return randomBytes(48).toString("base64url");
}
