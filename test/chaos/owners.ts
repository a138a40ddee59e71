import { setTimeout as sleep } from "node:timers/promises";
import { connectionId } from "../../src/domain/ids.ts";
import type { Cluster } from "./cluster.ts";
import type { Member } from "./member.ts";

const LOOKED_UP_EVERY_MS = 250;

/** Which process owns each connection, as of a moment ago. */
export class Owners {
  readonly #cluster: Cluster;
  #owners: ReadonlyMap<string, string | undefined> = new Map();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { wires, leases } = this.#cluster;
    while (!signal.aborted) {
      const owners = wires.map(async ({ connection }) => {
        const lease = await leases.read(connectionId(connection));
        return [connection, lease?.owner] as const;
      });
      this.#owners = new Map(await Promise.all(owners));
      await sleep(LOOKED_UP_EVERY_MS);
    }
  }

  /** The owner of a connection, if it takes calls in. */
  of(connection: string): Member | undefined {
    const owner = this.#owners.get(connection);
    return this.#cluster.members.find(
      ({ takesCalls, processId }) => takesCalls && processId !== undefined && processId === owner,
    );
  }
}
