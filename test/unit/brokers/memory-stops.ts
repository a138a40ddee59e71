import type { LoginStop } from "../../../src/brokers/connection-supervisor.ts";
import type { ConnectionId } from "../../../src/domain/ids.ts";
import type {
  ConnectionRecords,
  ConnectionStop,
} from "../../../src/trading/connections/connection-records.ts";

/** What several processes are kept from; a test acts as the person who settles it. */
export class StopTable implements Pick<ConnectionRecords, "stop" | "stopOf"> {
  readonly #stops = new Map<ConnectionId, ConnectionStop>();
  /** While set, the table cannot be reached. */
  failure: Error | undefined;
  /** Where a later owner was there first, nothing is kept. */
  isOurs = true;

  readonly stop = async (id: ConnectionId, _: number, stop: ConnectionStop): Promise<boolean> => {
    if (this.failure !== undefined) throw this.failure;
    if (this.isOurs) this.#stops.set(id, stop);
    return this.isOurs;
  };

  readonly stopOf = async (id: ConnectionId): Promise<ConnectionStop | undefined> => {
    if (this.failure !== undefined) throw this.failure;
    return this.#stops.get(id);
  };

  resume(id: ConnectionId): void {
    this.#stops.delete(id);
  }

  /** As a supervisor sees it. */
  of(id: ConnectionId): LoginStop {
    return { find: () => this.stopOf(id), keep: (stop) => this.stop(id, 1, stop) };
  }
}
