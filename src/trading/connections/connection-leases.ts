import type { ConnectionStatus, ConnectionWhy } from "../../domain/connection-status.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";

/** Who may act on which connection: one process at a time, told apart by epochs. */
export interface ConnectionLeases {
  /**
   * Takes the lease where it is free and renews it where it is ours. Each taking has a higher
   * epoch; undefined while another process holds it.
   */
  readonly takeOrRenew: (
    connection: ConnectionId,
    status: ConnectionStatus,
    why?: ConnectionWhy,
  ) => Promise<number | undefined>;
  /** Gives our own lease back, so that the next owner need not wait for its end. */
  readonly release: (connection: ConnectionId) => Promise<void>;
  /** Ends the leases of a process that is known to be dead; without a name, those of all. */
  readonly endOf: (process?: string) => Promise<void>;
  /**
   * From now on only this epoch, or a later one, may write ahead for the accounts. Throws when a
   * later owner was there first.
   */
  readonly fence: (accounts: readonly AccountId[], epoch: number) => Promise<void>;
  /** How it stands by its living owner's word; undefined when nobody owns it. */
  readonly read: (connection: ConnectionId) => Promise<
    | {
        readonly status: ConnectionStatus;
        readonly owner: string;
        readonly why?: ConnectionWhy;
      }
    | undefined
  >;
  /** Those that were owned and not forgotten since. */
  readonly known: () => Promise<readonly ConnectionId[]>;
  /** Its owner lets go of it for as long as nobody wants it: it is not known any more. */
  readonly forget: (connection: ConnectionId) => Promise<void>;
  /** Tells every process that the connection's owner or state has changed. */
  readonly announce: (connection: ConnectionId) => Promise<void>;
}
