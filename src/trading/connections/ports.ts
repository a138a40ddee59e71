import type { ConnectionId } from "../../domain/ids.ts";

/** Hides secret settings before they are kept. */
export interface SecretSeals {
  /** Throws when there is no key and none can be made. */
  readonly seal: (connection: ConnectionId, field: string, text: string) => Promise<string>;
}

/** Seals and opens the secrets of connections. */
export interface SecretBox extends SecretSeals {
  /** Throws `SealError`. */
  readonly open: (connection: string, field: string, sealed: string) => Promise<string>;
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
