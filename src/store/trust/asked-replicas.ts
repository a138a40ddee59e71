import type { ServerState } from "./durability.ts";
import type { AskStanding } from "./who-is-master.ts";

/** Where nobody can be asked who is master: longer than a former one is left as it is. */
const STEADY_MS = 15_000;

const MOST_SERVERS = 1_000;

interface Asked {
  count: number;
  /** Since when there have been fewer, by `performance.now()`. */
  fewerSince: number | undefined;
}

/**
 * How many replicas of a server must have what is answered: all that it has. Any of them may take its
 * place, and it goes on for a moment without knowing: what it writes then, only those have that did
 * not. So one that is gone counts until it is known that none has taken over.
 */
export class AskedReplicas {
  readonly #servers = new Map<string, Asked>();
  readonly #standing: AskStanding | undefined;
  /** The most that any server has had. */
  #mostEver = 0;

  /** `standing` asks those who decide it what a server is; undefined where nobody does. */
  constructor(standing: AskStanding | undefined) {
    this.#standing = standing;
  }

  /** Of a server that is not known: as many as the most of the others has. */
  of(runId: string | undefined): number {
    const known = runId === undefined ? undefined : this.#servers.get(runId);
    return known?.count ?? this.most;
  }

  get most(): number {
    return Math.max(0, ...[...this.#servers.values()].map(({ count }) => count));
  }

  /** Whether one may come back any moment: it can take over before the next look, and has to be asked. */
  mayRise(runId: string | undefined): boolean {
    return this.of(runId) > 0 && this.of(runId) < this.#mostEver;
  }

  /** So many of the server's replicas follow it now. */
  rise(runId: string | undefined, present: number): void {
    const known = runId === undefined ? undefined : this.#servers.get(runId);
    if (known !== undefined) known.count = Math.max(known.count, present);
  }

  /**
   * Those that may be used. One that is first seen may have lost a replica to its own place a moment
   * ago, and how many it had is not known: it has to be the master beyond doubt.
   */
  async settled(servers: readonly ServerState[]): Promise<readonly ServerState[]> {
    const isSettled = await Promise.all(
      servers.map(
        async (server) =>
          this.#servers.has(server.runId) || wanted(server) === 0 || (await this.#isMaster(server)),
      ),
    );
    return servers.filter((_, at) => isSettled[at]);
  }

  /** To be called before the server gets a command. */
  raise(servers: readonly ServerState[]): void {
    for (const server of servers) {
      const known = this.#servers.get(server.runId);
      const there = wanted(server);
      const count = Math.max(there, known?.count ?? 0);
      this.#servers.set(server.runId, { count, fewerSince: known?.fewerSince });
      this.#mostEver = Math.max(this.#mostEver, there);
    }
    // A former master may still have connections of ours.
    const [oldest = ""] = this.#servers.keys();
    if (this.#servers.size > MOST_SERVERS) this.#servers.delete(oldest);
  }

  async lower(servers: readonly ServerState[]): Promise<void> {
    await Promise.all(
      servers.map(async (server) => {
        const known = this.#servers.get(server.runId);
        if (known === undefined || wanted(server) >= known.count) {
          if (known !== undefined) known.fewerSince = undefined;
          return;
        }
        known.fewerSince ??= performance.now();
        const isSure =
          this.#standing === undefined
            ? performance.now() - known.fewerSince >= STEADY_MS
            : await this.#isMaster(server);
        if (isSure) Object.assign(known, { count: wanted(server), fewerSince: undefined });
      }),
    );
  }

  /** Where nobody decides it, it is what it says that it is. */
  async #isMaster({ runId }: ServerState): Promise<boolean> {
    if (this.#standing === undefined) return true;
    return (await this.#standing(runId).catch(() => "unknown")) === "master";
  }
}

/** One that writes without replicas promises nothing; one that does not say, as little as one does. */
function wanted({ replicas: { demanded, present } }: ServerState): number {
  if (demanded === undefined) return Math.min(1, present);
  return demanded === 0 ? 0 : Math.max(demanded, present);
}
