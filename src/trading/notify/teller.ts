import { askInParts } from "../../domain/ask-in-parts.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";
import { lastDue } from "../../domain/notify/routing.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Changed } from "../changes.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { Audience, CollectEvents } from "./collect-events.ts";
import type { DestinationStore, NoticeQueue, StoredDestination } from "./destination-store.ts";
import { StoreError } from "../store-error.ts";
import type { TellerLease } from "./outbox.ts";
import type { SummaryDue } from "./sum-up-day.ts";

export interface TellerDeps {
  readonly lease: TellerLease;
  readonly destinations: Pick<DestinationStore, "all" | "change">;
  readonly notices: Pick<NoticeQueue, "state">;
  readonly accounts: Pick<AccountDirectory, "find" | "of" | "refresh">;
  readonly intents: Pick<IntentStore, "now">;
  readonly collect: CollectEvents;
  readonly watchStates: (user: UserId) => Promise<void>;
  /** Sends one destination the days that have ended since the summary before. */
  readonly tellSummary: (stored: StoredDestination, due: SummaryDue) => Promise<void>;
  /** Whether the gateway can do what it is there for. */
  readonly isWell: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly ring: (id: StoredDestination["destination"]["id"]) => Promise<void>;
}

/** How long the work stays with one process that says nothing more, ms. */
const LEASE_MS = 10_000;
/** What is looked at although nobody said that it has changed: words get lost. */
const SWEEP_MS = 30_000;
const STATES_MS = 5_000;
/** Users whose accounts are looked at side by side. */
const WATCHED_AT_ONCE = 4;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const REST_MS = 20;
/** Of one account or user in one look. */
const MOST_PARTS = 20;

/**
 * Looks, in one process of all, for what is to be told, and puts it on its way. Accounts of which
 * something has changed come first; all are looked at twice a minute.
 */
export class Teller {
  readonly #deps: TellerDeps;
  readonly #changed = new Set<AccountId>();
  #sweptAt = 0;
  #statesAt = 0;
  #minute = 0;

  constructor(deps: TellerDeps) {
    this.#deps = deps;
  }

  hear(of: Changed): void {
    if (of === "unknown") this.#sweptAt = 0;
    else if ("accountId" in of) this.#changed.add(of.accountId);
  }

  /** One look. Throws `StoreError`. */
  async look(): Promise<void> {
    const { lease, destinations, intents } = this.#deps;
    if (!(await lease.hold(LEASE_MS))) return;
    const all = await destinations.all();
    const now = await intents.now();
    const isSweep = now - this.#sweptAt >= SWEEP_MS;
    const changed = new Set(this.#changed);
    this.#changed.clear();
    const audiences = audiencesOf(all);
    if (isSweep) {
      this.#sweptAt = now;
      await this.#deps.accounts.refresh();
    }
    for (const audience of audiences) {
      await this.#drain(audience, isSweep ? undefined : changed);
    }
    await this.#ring(all, isSweep);
    await this.#tellTime(all, now);
  }

  /**
   * Finds what stands and what is over, every few seconds. It asks whoever holds the connections, who may
   * answer late: nothing else waits for it. Throws `StoreError`.
   */
  async watch(): Promise<void> {
    const { lease, destinations, intents } = this.#deps;
    const now = await intents.now();
    if (now - this.#statesAt < STATES_MS || !(await lease.hold(LEASE_MS))) return;
    this.#statesAt = now;
    const users = new Set((await destinations.all()).map(({ destination }) => destination.userId));
    await askInParts([...users], async (user) => await this.#watchStates(user), WATCHED_AT_ONCE);
  }

  async #drain(audience: Audience, changed: ReadonlySet<AccountId> | undefined): Promise<void> {
    const { accounts, collect, lease } = this.#deps;
    await this.#apart(this.#inParts(async () => await collect.ofUser(audience)));
    const own =
      changed === undefined
        ? accounts.of(audience.userId).map(({ accountId }) => accountId)
        : [...changed].filter((id) => accounts.find(id)?.userId === audience.userId);
    let looked = 0;
    for (const account of own) {
      const isLeft = await this.#apart(
        this.#inParts(async () => await collect.ofAccount(account, audience)),
      );
      if (isLeft === true) this.#changed.add(account);
      looked += 1;
      if (looked % 100 === 0) await lease.hold(LEASE_MS);
    }
  }

  /**
   * Of a flood, alerts get their share of the process and of Redis, and others their turn. Answers whether
   * something is left.
   */
  async #inParts(part: () => Promise<boolean>): Promise<boolean> {
    for (let n = 0; n < MOST_PARTS; n += 1) {
      if (!(await part())) return false;
      await this.#deps.pause(REST_MS);
      await this.#deps.lease.hold(LEASE_MS);
    }
    return true;
  }

  /** What cannot be read of one account keeps nobody else from being told; a store that is away does. */
  async #apart<Value>(work: Promise<Value>): Promise<Value | undefined> {
    return await work.catch((error: unknown) => {
      if (error instanceof StoreError) throw error;
      this.#deps.onError(error);
      return undefined;
    });
  }

  /** What cannot be read of one user's states keeps nobody's events from being told. */
  async #watchStates(user: UserId): Promise<void> {
    await this.#deps.watchStates(user).catch((error: unknown) => this.#deps.onError(error));
  }

  /** A word that something waits may have been lost. */
  async #ring(all: readonly StoredDestination[], isSweep: boolean): Promise<void> {
    if (!isSweep) return;
    for (const { destination } of all) {
      const { waiting } = await this.#deps.notices.state(destination.id);
      if (waiting > 0) await this.#deps.ring(destination.id);
    }
  }

  async #tellTime(all: readonly StoredDestination[], now: number): Promise<void> {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    const { collect, isWell, tellSummary, destinations } = this.#deps;
    for (const stored of all) {
      const { destination, summedUp, summedUpTo } = stored;
      const { id, userId, kind, summary, disabled, createdAt } = destination;
      if (kind === "heartbeat" && disabled === undefined && isWell()) {
        await collect.tell([aliveAt(minute, userId)], { userId, destinations: [destination] });
      }
      if (summary === undefined || disabled !== undefined) continue;
      const { date, dueAt } = lastDue(summary, now);
      if (summedUp === date || dueAt < createdAt) continue;
      const since = summedUpTo ?? dueAt - DAY_MS;
      await this.#apart(tellSummary(stored, { date, dueAt, since }));
      await destinations.change(id, (one) => ({ ...one, summedUp: date, summedUpTo: dueAt }));
    }
  }
}

const aliveAt = (minute: number, userId: UserId) =>
  ({
    id: `alive_${minute}`,
    type: "gateway.alive",
    userId,
    at: minute * MINUTE_MS,
    severity: "info",
    message: "The gateway is alive",
    facts: {},
  }) as const;

function audiencesOf(all: readonly StoredDestination[]): readonly Audience[] {
  const byUser = new Map<UserId, StoredDestination["destination"][]>();
  for (const { destination } of all) {
    const own = byUser.get(destination.userId) ?? [];
    byUser.set(destination.userId, [...own, destination]);
  }
  return [...byUser].map(([userId, destinations]) => ({ userId, destinations }));
}
