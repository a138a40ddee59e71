import type { ConnectionId } from "../../domain/ids.ts";
import type { Problem } from "../../errors.ts";
import type { ConnectionFacts } from "./connection-records.ts";

export type Environment = ConnectionFacts["environment"];

export type SettingValue = string | number | boolean;

/** Settings of a connection by name; a broker says which there are. */
export type ConnectionSettings = Readonly<Record<string, SettingValue>>;

/** In a change null clears a setting, and what is left out stays. */
export type SettingsChange = Readonly<Record<string, SettingValue | null>>;

/** What a user has set of one connection. */
export interface ConnectionSetup extends ConnectionFacts {
  readonly connectionId: ConnectionId;
  readonly name: string;
  /** Nothing logs in while it is true, and its accounts are inactive. */
  readonly paused: boolean;
  readonly settings: ConnectionSettings;
  /** Secret settings by name, as `SecretSeals` made them. */
  readonly sealed: Readonly<Record<string, string>>;
  /** By this name the broker knows the machine; it never changes. */
  readonly deviceId: string;
  /** Raised with each change that a session must be begun anew for. */
  readonly settingsVersion: number;
  /**
   * No owner has taken these settings up yet. The first one that does ends what kept earlier ones
   * from logging in: nothing logs in with the earlier ones meanwhile.
   */
  readonly untried: boolean;
  /** Unix ms. */
  readonly createdAt: number;
}

/** A setup as it was read: what is saved over it must not have changed since. */
export interface StoredSetup extends ConnectionSetup {
  readonly version: number;
}

/** What users have set of their connections. Each change is told to every process. Throws `StoreError`. */
export interface ConnectionSetups {
  /** An id that no connection has, or ever had. */
  readonly newId: (broker: string) => Promise<ConnectionId>;
  readonly create: (setup: ConnectionSetup) => Promise<void>;
  readonly list: () => Promise<readonly StoredSetup[]>;
  readonly find: (connection: ConnectionId) => Promise<StoredSetup | undefined>;
  /** False when it was changed or removed since it was read: nothing is written. */
  readonly save: (setup: StoredSetup) => Promise<boolean>;
  /** Forgets it with its secrets, and that there was such a connection, in one step. */
  readonly remove: (connection: ConnectionId) => Promise<void>;
  /** False while somebody else gives a connection that login; ends by itself after `ms`. */
  readonly claimLogin: (login: string, ms: number) => Promise<boolean>;
  readonly freeLogin: (login: string) => Promise<void>;
  /** False while somebody else tries the connection out; ends by itself after `ms`. */
  readonly beginTrial: (connection: ConnectionId, ms: number) => Promise<boolean>;
  readonly endTrial: (connection: ConnectionId) => Promise<void>;
  /** Tells every process to look at its accounts and connections. */
  readonly announce: (connection: ConnectionId) => Promise<void>;
}

/** A broker that connections can be added for, and what it asks for, in words for a form. */
export interface BrokerOffer {
  readonly broker: string;
  readonly label: string;
  /** The one to begin with comes first. */
  readonly environments: readonly Environment[];
  readonly fields: readonly SettingField[];
  readonly notices: readonly BrokerNotice[];
}

/** What a person has to know before a login of theirs is added: a rule of their firm, or of the broker. */
export interface BrokerNotice {
  /** A sentence or more, without a full stop at the end. */
  readonly text: string;
  /** Who says so, and where it was read. */
  readonly source: string;
  /** When it was looked up, an ISO date: rules change. */
  readonly asOf: string;
}

export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "number" | "boolean";
  readonly required: boolean;
  /** Sealed where it is kept, and never shown again. */
  readonly secret: boolean;
  readonly description?: string;
  /** What it is when it is left out. */
  readonly default?: SettingValue;
  /** The only values that it takes, where there are few. */
  readonly options?: readonly SettingOption[];
}

export interface SettingOption {
  readonly value: string;
  readonly label: string;
}

/** Which brokers there are, and what their connections ask for. */
export interface BrokerCatalog {
  readonly names: () => readonly string[];
  readonly offers: () => readonly BrokerOffer[];
  readonly environmentsOf: (broker: string) => readonly Environment[];
  readonly secretsOf: (broker: string) => readonly string[];
  /** Which settings say where its secrets are sent. */
  readonly placesOf: (broker: string) => readonly string[];
  /** What tells one login at the broker from another; empty where two may be the same. */
  readonly loginOf: (broker: string, settings: ConnectionSettings) => readonly string[];
  /** Problems at `settings.<name>`. Of `kept` secrets only the presence counts: they were checked. */
  readonly check: (
    broker: string,
    settings: Readonly<Record<string, unknown>>,
    kept: readonly string[],
  ) => readonly Problem[];
}

/** What a login with the settings of a connection came to. */
export type ConnectionTrial =
  /** It was logged in, read and logged out. */
  | { readonly result: "ok"; readonly accounts: readonly TriedAccount[] }
  /** It is up already: nothing was tried, since a second session might end the first one. */
  | { readonly result: "connected"; readonly accounts: readonly TriedAccount[] }
  /** Somebody logs in at this moment, so nothing was tried. */
  | { readonly result: "busy"; readonly reason: string }
  /** In the broker's words. */
  | { readonly result: "refused" | "failed"; readonly reason: string };

export interface TriedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly active: boolean;
}

/** Logs in with a connection's settings, reads its accounts and logs out. Never sends an order. */
export type TryConnection = (setup: ConnectionSetup) => Promise<ConnectionTrial>;
