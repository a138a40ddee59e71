import type { ConnectionId } from "../../domain/ids.ts";
import type { ConnectionStatus } from "../../domain/connection-status.ts";
import type { ServiceEnvironment } from "../../domain/environment.ts";
import type {
  BrokerOffer,
  ConnectionSettings,
  ConnectionTrial,
  SettingsChange,
} from "./connection-setups.ts";
import type { Caller } from "../people/caller.ts";

/** One connection to a broker, whichever process owns it. */
export interface ConnectionView {
  readonly connectionId: ConnectionId;
  readonly broker: string;
  readonly environment: ServiceEnvironment;
  readonly status: ConnectionStatus;
  /** When the status became this one (Unix ms). */
  readonly since: number;
  /** Why it is not connected: the broker's words, or ours. Absent only while it is. */
  readonly reason?: string;
  /** When the next login is tried (Unix ms); absent where none is planned. */
  readonly retryAt?: number;
  /** What its user has set; absent where the gateway's own settings say everything. */
  readonly setup?: ConnectionSetupView;
}

/** What a user has set of a connection. Of secrets only whether they are set. */
export interface ConnectionSetupView {
  readonly name: string;
  readonly paused: boolean;
  readonly settings: ConnectionSettings;
  readonly secrets: Readonly<Record<string, boolean>>;
}

/** Whoever proved to be a user: by an API key, or on the gateway's own machine. */
export type Asker = Pick<Caller, "userId">;

/** What users may do with their connections to brokers. */
export interface ConnectionUses {
  /** The brokers that connections can be added for. */
  readonly listBrokers: (asker: Asker) => Promise<readonly BrokerOffer[]>;
  readonly listConnections: (asker: Asker) => Promise<readonly ConnectionView[]>;
  readonly findConnection: (asker: Asker, connection: ConnectionId) => Promise<ConnectionView>;
  /** It is owned and logged in by whichever process is free for it; what comes of it comes later. */
  readonly addConnection: (
    asker: Asker,
    request: {
      readonly broker: string;
      readonly environment: ServiceEnvironment;
      readonly name?: string;
      /** Secrets among them. */
      readonly settings: ConnectionSettings;
    },
  ) => Promise<ConnectionView>;
  /** New settings end the session in order and begin another one with them. */
  readonly changeConnection: (
    asker: Asker,
    connection: ConnectionId,
    change: {
      readonly name?: string;
      readonly paused?: boolean;
      readonly settings?: SettingsChange;
    },
  ) => Promise<ConnectionView>;
  /** Ends its session and forgets its secrets; its accounts become inactive, their records stay. */
  readonly removeConnection: (asker: Asker, connection: ConnectionId) => Promise<void>;
  readonly testConnection: (asker: Asker, connection: ConnectionId) => Promise<ConnectionTrial>;
  /**
   * Lets a connection log in again whose credentials or sessions the broker refused, and begins the
   * session of a connected one anew. Does nothing to any other one, since each login by hand counts
   * towards a lockout. Answers how it stood, and in `next` what comes of it.
   */
  readonly reconnectConnection: (
    asker: Asker,
    connection: ConnectionId,
  ) => Promise<ConnectionView & { readonly next: string }>;
}
