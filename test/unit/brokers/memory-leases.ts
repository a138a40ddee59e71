import type { ConnectionStatus } from "../../../src/domain/connection-status.ts";
import type { AccountId, ConnectionId } from "../../../src/domain/ids.ts";
import type { Member } from "../../../src/domain/spread.ts";
import type { ConnectionLeases } from "../../../src/trading/connections/connection-leases.ts";

/** The leases of several processes at one table; a test says who has died or lost one. */
export class LeaseTable {
  readonly #held = new Map<ConnectionId, { owner: string; epoch: number; status: string }>();
  readonly #epochs = new Map<ConnectionId, number>();
  readonly #members = new Map<string, Member>();
  readonly #forgotten = new Set<ConnectionId>();
  readonly fenced = new Map<AccountId, number>();
  /** How often a lease was asked for in vain. */
  refusals = 0;
  /** While set, the table cannot be reached. */
  failure: Error | undefined;

  /** What one process sees of it. */
  of(owner: string): ConnectionLeases {
    return {
      takeOrRenew: async (connection, status) => this.#hold(connection, owner, status),
      release: async (connection) => this.end(connection, owner),
      endOf: async (dead) => {
        for (const connection of this.#held.keys()) this.end(connection, dead);
      },
      fence: async (accounts, epoch) => {
        for (const { accountId } of accounts) this.fenced.set(accountId, epoch);
      },
      read: async (connection) => {
        const held = this.#held.get(connection);
        return held && { status: held.status as ConnectionStatus, owner: held.owner };
      },
      known: async () => [...this.#epochs.keys()].filter((id) => !this.#forgotten.has(id)),
      forget: async (connection) => void this.#forgotten.add(connection),
      announce: async () => undefined,
      meet: async (me) => {
        if (this.failure !== undefined) throw this.failure;
        this.#members.set(owner, { ...me, name: owner });
        return { name: owner, members: [...this.#members.values()] };
      },
      part: async () => void this.#members.delete(owner),
    };
  }

  ownerOf(connection: ConnectionId): string | undefined {
    return this.#held.get(connection)?.owner;
  }

  /** Its process died some time ago. */
  forgetMember(owner: string): void {
    this.#members.delete(owner);
  }

  end(connection: ConnectionId, owner?: string): void {
    if (owner === undefined || this.ownerOf(connection) === owner) this.#held.delete(connection);
  }

  #hold(connection: ConnectionId, owner: string, status: string): number | undefined {
    if (this.failure !== undefined) throw this.failure;
    const held = this.#held.get(connection);
    if (held !== undefined && held.owner !== owner) {
      this.refusals += 1;
      return undefined;
    }
    const epoch = held?.epoch ?? (this.#epochs.get(connection) ?? 0) + 1;
    this.#epochs.set(connection, epoch);
    // Renewing makes nothing known again.
    if (held === undefined) this.#forgotten.delete(connection);
    this.#held.set(connection, { owner, epoch, status });
    return epoch;
  }
}
