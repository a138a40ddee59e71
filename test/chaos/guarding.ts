import { setTimeout as sleep } from "node:timers/promises";
import type { GuardState } from "../../src/domain/guards/guard-state.ts";
import { standingLocks } from "../../src/domain/guards/locks.ts";
import type { GuardDecision, GuardLock, Level } from "../../src/domain/guards/verdict.ts";
import { type AccountId, accountId, connectionId } from "../../src/domain/ids.ts";
import { apiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { ask } from "./ask.ts";
import type { Cluster, GuardedPlace } from "./cluster.ts";
import type { DoneFault } from "./faults-done.ts";
import type { Member } from "./member.ts";

/** What stood in the store at one moment, between two instants of its own clock, Unix ms. */
export interface GuardLook {
  readonly account: string;
  readonly from: number;
  readonly until: number;
  readonly locks: readonly GuardLock[];
}

/** That one owner had a connection, and it stood, by all looks within this time, Unix ms. */
export interface Stood {
  readonly connection: string;
  readonly owner: string;
  readonly from: number;
  until: number;
}

/** A decision of the history, and when Redis stored it, Unix ms by its own clock. */
export interface StoredDecision extends GuardDecision {
  readonly storedAt: number;
}

/** How an account's guards are told at the end. */
export interface GuardsEnd {
  readonly judgedAt: number;
  readonly levels: Readonly<Record<string, Level | "none">>;
  readonly isBlind: boolean;
}

/** What guards did in a run. */
export interface Guarding {
  readonly accounts: readonly string[];
  /** Of entries of these accounts the write-ahead, by their clOrdId, Unix ms by Redis' clock. */
  readonly writtenAhead: ReadonlyMap<string, number>;
  readonly looks: readonly GuardLook[];
  readonly stood: readonly Stood[];
  /** By account, oldest first. */
  readonly decisions: Readonly<Record<string, readonly StoredDecision[]>>;
  readonly ends: Readonly<Record<string, GuardsEnd>>;
  /** When all of it was read, Unix ms. */
  readonly readAt: number;
  readonly faults: readonly DoneFault[];
}

const LOSS = { id: "loss", kind: "loss", mode: "on", period: "day", counts: "open" } as const;
const MARKET_CLOSES = { then: "flatten" } as const;
const lots = (max: number) => ({
  id: "lots",
  kind: "lots",
  mode: "on",
  lock: "soft",
  weights: {},
  max,
});
const loss = (limit: number, lock: "soft" | "hard") => ({
  ...LOSS,
  ...MARKET_CLOSES,
  limit,
  lock,
});

/** In turns. A tick of MES is 1.25: some orders, each of which costs one, come to these. */
const RULES: readonly (readonly object[])[] = [
  [loss(25, "soft")],
  [{ id: "trades", kind: "count", of: "trades", mode: "on", lock: "hard", max: 4 }, lots(6)],
  // These are locked by hand, again and again.
  [loss(100_000, "hard"), lots(8)],
  [loss(60, "hard")],
];
/** Which of them, of those that only follow, or that only a strategy trades on. */
const OF_FOLLOWERS = 0;
const OF_STRATEGIES = 2;
const LOCKED_BY_HAND = 2;

const ENTRY = { symbol: "MES1!", action: "buy", qty: 1, type: "market" } as const;

const LOOK_EVERY_MS = 400;
/** Between two looks that are further apart nobody knows what was. */
const SEEN_EVERY_MS = 2_000;
const LOCK_EVERY_MS = 5_000;
const LOCKED_FOR_MS = 2_500;

/** Guards on some of the accounts of a run, what they are locked by, and a look at the store all the time. */
export class GuardedAccounts {
  readonly accounts: readonly string[];
  readonly #cluster: Cluster;
  readonly #apiKey: string;
  readonly #writtenAhead = new Map<string, number>();
  readonly #looks: GuardLook[] = [];
  readonly #stood: Stood[] = [];
  readonly #watching = new AbortController();
  #watch: Promise<void> = Promise.resolve();

  private constructor(cluster: Cluster, apiKey: string) {
    this.#cluster = cluster;
    this.#apiKey = apiKey;
    this.accounts = cluster.guarded.flatMap((place) => namesOf(place).map(([name]) => name));
  }

  /** Sets them, and waits until each account was judged. */
  static async set(cluster: Cluster, apiKey: string): Promise<GuardedAccounts> {
    const guarded = new GuardedAccounts(cluster, apiKey);
    const { url = "" } = cluster.members.find(({ takesCalls }) => takesCalls) ?? {};
    const api = apiClient(url, apiKey);
    const set = cluster.guarded.flatMap(namesOf).map(async ([account, nth]) => {
      const path = `/v1/accounts/${account}/guards`;
      const body = { entriesOffPercent: 99, rules: RULES[nth] };
      await waitUntil(`${account} has guards`, async () => {
        const { status, text } = await api.put(path, body);
        if (status === 400) throw new Error(`Guards are refused: ${text}`);
        return status === 200;
      });
      await waitUntil(`${account} is judged`, async () => {
        return ((await api.get(path)).body as { judgedAt?: unknown }).judgedAt !== null;
      });
    });
    await Promise.all(set);
    guarded.#watch = guarded.#look();
    return guarded;
  }

  /** Locks by hand for a few seconds, again and again, until the signal. */
  async lock(signal: AbortSignal): Promise<void> {
    const byHand = this.#cluster.guarded
      .flatMap(namesOf)
      .filter(([, nth]) => nth === LOCKED_BY_HAND);
    const doors = this.#cluster.members.filter(({ takesCalls }) => takesCalls);
    let round = 0;
    while (!signal.aborted) {
      for (const [account] of byHand) {
        const up = doors.filter(({ isUp }) => isUp);
        const door = up[round % up.length];
        if (door === undefined) continue;
        void this.#enterAndLock(account, door, round);
      }
      round += 1;
      await sleep(LOCK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * An entry first, so that there is something to close. Whether either was answered is nothing to us:
   * what is stored is what must hold.
   */
  async #enterAndLock(account: string, door: Member, round: number): Promise<void> {
    const sender = { apiKey: this.#apiKey, requestId: `lock ${account} ${round}` };
    const base = `/v1/accounts/${account}`;
    await ask(door, { method: "POST", path: `${base}/orders`, body: ENTRY }, sender);
    const until = new Date(Date.now() + LOCKED_FOR_MS).toISOString();
    const body = { then: "flatten", lock: round % 2 === 0 ? "hard" : "soft", until };
    await ask(door, { method: "POST", path: `${base}/guards/lock`, body }, sender);
  }

  /** Ends the looks, and reads what was stored and what is told. */
  async collect(faults: readonly DoneFault[]): Promise<Guarding> {
    this.#watching.abort();
    await this.#watch;
    const { accounts } = this;
    const decisions: Record<string, readonly StoredDecision[]> = {};
    const ends: Record<string, GuardsEnd> = {};
    for (const account of accounts) {
      decisions[account] = await this.#decisionsOf(accountId(account));
      ends[account] = await this.#endOf(account);
    }
    return {
      accounts,
      writtenAhead: this.#writtenAhead,
      looks: this.#looks,
      stood: this.#stood,
      decisions,
      ends,
      readAt: Date.now(),
      faults,
    };
  }

  async #look(): Promise<void> {
    const { signal } = this.#watching;
    for (;;) {
      const isLast = signal.aborted;
      // A store that is away is looked at again; a write-ahead stands there for a minute.
      await this.#seeOwners().catch(() => undefined);
      await this.#lookOnce().catch(() => undefined);
      if (isLast) return;
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #seeOwners(): Promise<void> {
    const { leases, wires } = this.#cluster;
    const asked = wires.map(async ({ connection }) => {
      return { connection, lease: await leases.read(connectionId(connection)) };
    });
    for (const { connection, lease } of await Promise.all(asked)) {
      if (lease?.status !== "CONNECTED") continue;
      const { owner } = lease;
      const now = Date.now();
      const last = this.#stood.findLast((one) => one.connection === connection);
      const goesOn = last?.owner === owner && now - last.until < SEEN_EVERY_MS;
      if (goesOn) last.until = now;
      else this.#stood.push({ connection, owner, from: now, until: now });
    }
  }

  async #lookOnce(): Promise<void> {
    const { redis, keys } = this.#cluster;
    const from = await redisNow(this.#cluster);
    const seen = this.accounts.map(async (account) => {
      const id = accountId(account);
      const [guards, sent] = await Promise.all([
        redis.hmget(keys.guards(id), "lock", "state"),
        redis.zrange(keys.sent(id), "0", "-1", "WITHSCORES"),
      ]);
      return { account, guards, sent };
    });
    const all = await Promise.all(seen);
    const until = await redisNow(this.#cluster);
    for (const { account, guards, sent } of all) {
      const [lock, state] = guards;
      const held = { lock: parse<GuardLock>(lock), state: parse<GuardState>(state) ?? NO_STATE };
      this.#looks.push({ account, from, until, locks: standingLocks(held) });
      for (let at = 0; at < sent.length; at += 2) {
        this.#writtenAhead.set(sent[at] ?? "", Number(sent[at + 1]));
      }
    }
  }

  async #decisionsOf(id: AccountId): Promise<readonly StoredDecision[]> {
    const { redis, keys } = this.#cluster;
    const lines = await redis.xrange(keys.guardLog(id), "-", "+");
    return lines.map(([stored, [, decision = "{}"]]) => ({
      ...(JSON.parse(decision) as GuardDecision),
      storedAt: Number.parseInt(stored, 10),
    }));
  }

  async #endOf(account: string): Promise<GuardsEnd> {
    const { url = "" } =
      this.#cluster.members.find(({ takesCalls, isUp }) => takesCalls && isUp) ?? {};
    const { status, body, text } = await apiClient(url, this.#apiKey).get(
      `/v1/accounts/${account}/guards`,
    );
    if (status !== 200) throw new Error(`The guards of ${account} cannot be read: ${text}`);
    const { judgedAt, blind, rules } = body as unknown as GuardsReply;
    return {
      judgedAt: Date.parse(judgedAt ?? ""),
      isBlind: blind !== null,
      levels: Object.fromEntries(
        rules.map(({ rule, verdict }) => [rule.id, verdict?.level ?? "none"] as const),
      ),
    };
  }
}

interface GuardsReply {
  readonly judgedAt: string | null;
  readonly blind: object | null;
  readonly rules: readonly {
    readonly rule: { readonly id: string };
    readonly verdict: { readonly level: Level } | null;
  }[];
}

const NO_STATE: GuardState = { tradingDay: "", rules: {}, judgedAt: 0 };

/** Each with which of the rules it has. */
function namesOf({ called, follower, forStrategy }: GuardedPlace) {
  return [
    ...called.map((name, n) => [name, n % RULES.length] as const),
    [follower, OF_FOLLOWERS] as const,
    [forStrategy, OF_STRATEGIES] as const,
  ];
}

const parse = <Of>(text: string | null | undefined): Of | undefined =>
  text === null || text === undefined ? undefined : (JSON.parse(text) as Of);

async function redisNow({ redis }: Cluster): Promise<number> {
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  return seconds * 1_000 + Math.floor(micros / 1_000);
}
