import type { Aim } from "../../src/domain/alert.ts";
import type { IntentKind, IntentSource, IntentState } from "../../src/domain/intent.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { Call } from "./ledger.ts";

/** One intent as the gateway stored it. */
export interface StoredIntent {
  readonly intentId: string;
  readonly account: string;
  readonly requestId: string;
  readonly via: IntentSource["kind"];
  readonly kind: IntentKind;
  /** Unix ms by Redis' clock. */
  readonly acceptedAt: number;
  readonly state: IntentState;
  /** Its number in the order of acceptance, within its account. */
  readonly seq: number;
  /** It had to wait behind an unknown outcome. */
  readonly wasHeld: boolean;
  readonly clOrdIds: readonly string[];
  readonly reason: string;
  /** Of an order that is done and was to have exits: what was told of them. */
  readonly exits?: "standing" | "unconfirmed";
  /** Of an adjustment. */
  readonly aim?: Aim;
  /** What of an adjustment that is done was not carried out; absent when it is not done. */
  readonly problems?: readonly string[];
}

/** Contracts held by symbol, as the API writes it: positive long, negative short. */
export type Holdings = Readonly<Record<string, number>>;

export interface AccountEnd {
  /** What the broker says is held. */
  readonly broker: Holdings;
  /** What the gateway says is held. */
  readonly gateway: Holdings;
}

/** A run from three sides: what callers were told, what the gateway stored, what the broker saw. */
export interface History {
  readonly calls: readonly Call[];
  readonly intents: readonly StoredIntent[];
  readonly log: readonly LogEntry[];
  /** By account, once everything was quiet. */
  readonly ends: Readonly<Record<string, AccountEnd>>;
  /** The broker knows no closes: they are orders over all that is held. */
  readonly closesByOrder: boolean;
  /** Jobs that were left on lanes. */
  readonly jobsLeft: number;
}
