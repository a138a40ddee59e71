import type {
  ConnectionStatus,
  ConnectionWhy,
  StoppedStatus,
} from "../../domain/connection-status.ts";
import type { ServiceEnvironment } from "../../domain/environment.ts";
import type { ConnectionId, UserId } from "../../domain/ids.ts";

/** Why nothing logs in on a connection until a person has asked for it. */
export interface ConnectionStop {
  readonly status: StoppedStatus;
  /** The broker's words, fit to be shown. */
  readonly reason: string;
}

/** What a connection is, whoever owns it. */
export interface ConnectionFacts {
  readonly userId: UserId;
  readonly broker: string;
  readonly environment: ServiceEnvironment;
}

export interface ConnectionRecord extends ConnectionFacts {
  readonly connectionId: ConnectionId;
  /** By its living owner's word; DISCONNECTED when nobody owns it. */
  readonly status: ConnectionStatus;
  /** When the status became this one, by the store's clock (Unix ms). */
  readonly since: number;
  /** By its living owner's word, while it is not connected. */
  readonly why?: ConnectionWhy;
  /** Present while a person must act, also when nobody owns it. */
  readonly stop?: ConnectionStop;
}

/** What is kept of connections beside their leases. Nothing of it expires. Throws `StoreError`. */
export interface ConnectionRecords {
  readonly describe: (connection: ConnectionId, facts: ConnectionFacts) => Promise<void>;
  /** Every connection that was described and not removed since, paused ones too. */
  readonly list: () => Promise<readonly ConnectionRecord[]>;
  readonly find: (connection: ConnectionId) => Promise<ConnectionRecord | undefined>;
  /**
   * Keeps every process from logging in, this one after a restart too. False when the connection
   * had a later owner than `epoch` by then: nothing is kept, the later one finds out by itself.
   */
  readonly stop: (
    connection: ConnectionId,
    epoch: number,
    stop: ConnectionStop,
  ) => Promise<boolean>;
  readonly stopOf: (connection: ConnectionId) => Promise<ConnectionStop | undefined>;
  /** Ends the stop, if there is one, and tells the owner. For a person, or new credentials. */
  readonly resume: (connection: ConnectionId) => Promise<void>;
  /** For a connection that was removed: it is neither listed nor found any more. */
  readonly forget: (connection: ConnectionId) => Promise<void>;
}
