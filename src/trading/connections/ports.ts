import type { DayClocks } from "../../domain/calendar/account-day.ts";
import type { AccountId, ConnectionId, UserId } from "../../domain/ids.ts";
import type { BrokerAccount } from "../ports.ts";
import type { AccountEnvironment } from "../../domain/environment.ts";
import type { ConnectionStatus } from "../../domain/connection-status.ts";

/** Hides secret settings before they are kept. */
export interface SecretSeals {
  /** Throws when there is no key and none can be made. */
  readonly seal: (of: string, field: string, text: string) => Promise<string>;
}

/** Seals and opens secrets, each for one connection or destination alone: `of` is its id. */
export interface SecretBox extends SecretSeals {
  /** Throws `SealError`. */
  readonly open: (of: string, field: string, sealed: string) => Promise<string>;
}

/** A sealed text does not open; the message says why, and holds nothing of it. */
export class SealError extends Error {
  override readonly name = "SealError";
}

/** What the adapters of connections leave to their next owners, as somebody else sealed it. */
export interface SealedMemories {
  /** Undefined when there is nothing, or nothing young enough. Throws `StoreError`. */
  readonly load: (connection: ConnectionId) => Promise<string | undefined>;
  readonly save: (connection: ConnectionId, sealed: string) => Promise<void>;
}

/** An account as it is kept; how its connection stands is known only while running. */
export type StoredAccount = Omit<AccountView, "connectionStatus"> &
  Pick<BrokerAccount, "number" | "numberedBy"> & { readonly userId: UserId };

/** One account with the connection it is reached through. */
export interface AccountView {
  readonly accountId: AccountId;
  readonly name: string;
  readonly connectionId: ConnectionId;
  readonly broker: string;
  readonly environment: AccountEnvironment;
  /** Absent where the broker does not say. */
  readonly currency?: string;
  readonly active: boolean;
  /** As the broker's adapter says (`BrokerAccount`). */
  readonly cannotCancel?: string;
  /** By which its days begin; absent where no person has set one. */
  readonly clocks?: DayClocks;
  readonly connectionStatus: ConnectionStatus;
}
