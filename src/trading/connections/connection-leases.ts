import type { ConnectionStatus, ConnectionWhy } from "../../domain/connection-status.ts";
import type { ConnectionId } from "../../domain/ids.ts";
import type { Member } from "../../domain/spread.ts";
import type { StoredAccount } from "./ports.ts";

export type FencedAccount = Pick<StoredAccount, "accountId" | "userId">;

/** Which process may act on a connection: one at a time, distinguished by epochs. */
export interface ConnectionLeases {
  /**
   * Takes the lease where it is free, and renews it where it is ours. Each taking has a higher epoch;
   * undefined while another process owns it.
   */
  readonly takeOrRenew: (
    connection: ConnectionId,
    status: ConnectionStatus,
    why?: ConnectionWhy,
  ) => Promise<number | undefined>;
  /** Releases our own lease, so that the next owner need not wait until it expires. */
  readonly release: (connection: ConnectionId) => Promise<void>;
  /** Ends the leases of a process that is known to be dead; without a name, all leases. */
  readonly endOf: (process?: string) => Promise<void>;
  /**
   * From now on only this epoch, or a later one, may write ahead for the accounts, and each of them
   * knows its user's kill switch and dead keys. Throws when the accounts have a later owner already.
   */
  readonly fence: (accounts: readonly FencedAccount[], epoch: number) => Promise<void>;
  /** The status as its current owner reports it; undefined when nobody owns it. */
  readonly read: (connection: ConnectionId) => Promise<
    | {
        readonly status: ConnectionStatus;
        readonly owner: string;
        readonly why?: ConnectionWhy;
      }
    | undefined
  >;
  /** All connections that were owned and not forgotten since. */
  readonly known: () => Promise<readonly ConnectionId[]>;
  /** The connection is not wanted any more: it is removed from the known ones. */
  readonly forget: (connection: ConnectionId) => Promise<void>;
  /** Publishes to every process that the connection's owner or state has changed. */
  readonly announce: (connection: ConnectionId) => Promise<void>;
  /**
   * Says for the next seconds that this process owns connections, and answers all that do, this one
   * among them.
   */
  readonly meet: (me: Omit<Member, "name">) => Promise<Meeting>;
  /** This process owns none any more. */
  readonly part: () => Promise<void>;
}

export interface Meeting {
  /** This process' own. */
  readonly name: Member["name"];
  readonly members: readonly Member[];
}
