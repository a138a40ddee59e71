import { setTimeout as sleep } from "node:timers/promises";
import type { AccountId } from "../../domain/ids.ts";
import type { BrokerGuards } from "../../trading/money/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { currencyOf } from "./broker-reads.ts";
import { wordsOf } from "./classify-error.ts";
import { mergeList } from "./http-lists.ts";
import { isId } from "./parse.ts";
import type { RateBudget } from "./rate-budget.ts";
import type { RestClient } from "./rest-client.ts";
import { RISK_TYPES, type RiskAccess, type RiskType } from "./risk-access.ts";
import { toBrokerGuards } from "./risk-rules.ts";
import type { TradovateSession } from "./session.ts";

export interface GuardReadsDeps {
  readonly session: Pick<TradovateSession, "store" | "account" | "heardAt" | "isFed">;
  readonly risk: RiskAccess;
  readonly rest: Pick<RestClient, "ask">;
  readonly token: () => string | undefined;
  readonly budget: RateBudget;
  readonly now: () => number;
  readonly elapsed: () => number;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

/** A question, or what became of it. */
interface Asked {
  readonly askedAt: number;
  readonly done: Promise<void>;
  /** When it was last answered, Unix ms; undefined where it never was. */
  answeredAt?: number | undefined;
  /** Why it was not answered, in words. */
  failure?: string | undefined;
}

/** These settings are made once; of what happens to an account its orders tell sooner. */
const AGAIN_MS = 5 * 60_000;
const FAILED_AGAIN_MS = 60_000;
/** How long who asks waits. */
const WITHIN_MS = 2_000;

/**
 * What the broker holds accounts to: what it tells by itself, and where it does not, what it answers
 * by HTTP, where no refusal ends a session. Nothing of it is ever written.
 */
export class GuardReads {
  readonly #deps: GuardReadsDeps;
  readonly #asked = new Map<string, Asked>();

  constructor(deps: GuardReadsDeps) {
    this.#deps = deps;
  }

  /** Undefined where there are none, or this login may not read them. Throws `BrokerReadError`. */
  async brokerGuards(called: AccountId): Promise<BrokerGuards | undefined> {
    const { session, now } = this.#deps;
    const account = session.account(called);
    if (account === undefined) throw new BrokerReadError(`Unknown account ${called}`);
    const { id } = account;
    const ats = await Promise.all(RISK_TYPES.map((type) => this.#heardAt(type, id)));
    const autoLiqs = this.#rows("userAccountAutoLiq", id);
    const statuses = this.#rows("accountRiskStatus", id);
    const known = ats.filter((at) => at !== undefined);
    if (known.length === 0 || autoLiqs.length + statuses.length === 0) return undefined;
    const currency = currencyOf(session.store, id);
    if (currency === undefined) {
      throw new BrokerReadError("Tradovate does not say in which currency the account is");
    }
    const at = Math.round(Math.min(...known));
    const guards = toBrokerGuards({ currency, at, now: now(), autoLiqs, statuses });
    // That there are no rules is known only of who may read them; that nothing is taken is enough.
    const isKnown = ats[0] !== undefined || guards.refusesEntries !== undefined;
    return isKnown ? guards : undefined;
  }

  #rows<Type extends RiskType>(type: Type, account: number) {
    const isOwn = ({ id, accountId }: { readonly id: number; readonly accountId?: unknown }) =>
      (isId(accountId) ? accountId : id) === account;
    return this.#deps.session.store.all(type).filter(isOwn);
  }

  /** When what the store has was said, Unix ms; undefined where it is not said to this login. */
  async #heardAt(type: RiskType, account: number): Promise<number | undefined> {
    const { session, risk, now, elapsed } = this.#deps;
    const { isFed, heardAt } = session;
    const isTold = isFed && risk.isTold && this.#rows(type, account).length > 0;
    if (isTold && heardAt !== undefined) return now() - (elapsed() - heardAt);
    const asked = this.#ask(type, account);
    if (asked === undefined) return undefined;
    const late = new AbortController();
    const isLate = sleep(WITHIN_MS, undefined, late).catch(() => undefined);
    await Promise.race([asked.done, isLate]);
    late.abort();
    if (asked.answeredAt !== undefined) return asked.answeredAt;
    if (!risk.mayAsk(type)) return undefined;
    throw new BrokerReadError(asked.failure ?? "Tradovate has not told its risk settings yet");
  }

  /** Asks unless that was done a while ago; undefined where it may not be asked for. */
  #ask(type: RiskType, account: number): Asked | undefined {
    const { risk, elapsed } = this.#deps;
    const key = `${type} ${account}`;
    const before = this.#asked.get(key);
    const againMs = before?.failure === undefined ? AGAIN_MS : FAILED_AGAIN_MS;
    if (before !== undefined && elapsed() - before.askedAt < againMs) return before;
    if (!risk.mayAsk(type)) return undefined;
    const done = this.#read(type, account).then(
      (at) => {
        asked.answeredAt = at;
      },
      (error: unknown) => {
        asked.failure = error instanceof Error ? error.message : String(error);
      },
    );
    const asked: Asked = { askedAt: elapsed(), done, answeredAt: before?.answeredAt };
    this.#asked.set(key, asked);
    return asked;
  }

  /** Takes what is answered into the store: when, Unix ms; undefined where it may not be read. */
  async #read(type: RiskType, account: number): Promise<number | undefined> {
    const { rest, token, budget, now, signal, risk, session } = this.#deps;
    const endpoint = `${type}/deps`;
    const refusal = budget.take("read", endpoint);
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    const path = `${endpoint}?masterid=${account}`;
    const answer = await rest.ask({ method: "GET", path, token: token() ?? "", signal });
    const { status, data } = answer;
    const words = wordsOf(data) ?? `Tradovate answered ${status}`;
    if (status === 401 || status === 403) {
      risk.refused(type, words);
      return undefined;
    }
    budget.heed(endpoint, answer);
    if (status !== 200) throw new BrokerReadError(words);
    mergeList(session.store, type, data);
    risk.allowed(type);
    return now();
  }
}
