import type { TObject } from "@sinclair/typebox";
import type { BrokerAdapter } from "./broker-adapter.ts";
import type { Alarms } from "../trading/alarms/alarm.ts";
import type { OrderNames } from "../trading/ports.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import type { ContractCode } from "../domain/contracts/contract.ts";
import type { AccountId, ConnectionId } from "../domain/ids.ts";
import type { Logger } from "../observability/logger.ts";
import type {
  BrokerNotice,
  ConnectionSettings,
  Environment,
} from "../trading/connections/connection-setups.ts";

/**
 * A short text that outlives the adapter: the next owner of the connection goes on from it. Hidden
 * where it is kept. An adapter must work as well without it, and with what an earlier version wrote.
 */
export interface AdapterMemory {
  /** What was saved last; undefined when nothing was, or when it is of no use any more. */
  readonly load: () => Promise<string | undefined>;
  readonly save: (text: string) => Promise<void>;
}

/** One connection of a broker, with everything its adapter is made of. */
export interface BrokerOpening {
  readonly connectionId: ConnectionId;
  readonly environment: Environment;
  /** As the kind's schema has them, defaults and secrets included. */
  readonly settings: ConnectionSettings;
  /** Stable for as long as the connection exists. */
  readonly deviceId: string;
  /** Asked right before the bytes of a login or command are written. */
  readonly mayWrite: () => boolean;
  readonly contracts: ContractDirectory;
  /** Absent for a trial: it proves the settings themselves. */
  readonly memory: AdapterMemory | undefined;
  /** Absent for a trial, which places nothing. */
  readonly names: OrderNames | undefined;
  readonly now: () => number;
  readonly log: Logger;
  /** A position may stand without exits that were asked for, until the broker shows them. */
  readonly exitsMissing: ExitsMissing;
  readonly alarms: Pick<Alarms, "raise">;
}

export type ExitsMissing = (
  account: AccountId,
  missing: {
    readonly contract: ContractCode;
    readonly exits: readonly ("TAKE_PROFIT" | "STOP_LOSS")[];
  },
) => void;

/** A broker whose connections users add. */
export interface BrokerKind {
  /** Flat, of text, numbers and flags, without the environment; unknown names are refused. */
  readonly settings: TObject;
  /** Which of the settings are sealed and never shown. They are text. */
  readonly secrets: readonly string[];
  /** Which of the settings say whose login it is at which broker; no two connections share one. */
  readonly login: readonly string[];
  /** Which of the settings are addresses on the gateway's own machine; who runs it may allow them. */
  readonly local: readonly string[];
  /** Which other ones say where secrets are sent: they change only together with all secrets. */
  readonly places: readonly string[];
  /** The worlds that it has; the one that a person is to begin with comes first. */
  readonly environments: readonly Environment[];
  /** What is shown where a connection is added: never left out, so that it is thought of. */
  readonly notices: readonly BrokerNotice[];
  readonly open: (opening: BrokerOpening) => BrokerAdapter;
}

/** By the names of their folders, which the adapters themselves have as `broker`. */
export type BrokerKinds = Readonly<Record<string, BrokerKind>>;
