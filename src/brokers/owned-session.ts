import type { BrokerLacks } from "../domain/broker-lacks.ts";
import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { OwnedConnection, Ownership } from "../trading/ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";

/**
 * A connection as this process owns it: made once for an adapter, and looked at several times for
 * every order. What may change is as it stands at the moment of each look.
 */
export class OwnedSession implements OwnedConnection {
  readonly broker: BrokerAdapter;
  readonly ownership: Ownership;
  readonly cancelEndsLinkedLeg: boolean;
  readonly nativeOco: boolean;
  readonly trailsFromMarket: boolean;
  readonly keepsHours: boolean;
  readonly lacks: BrokerLacks;
  readonly #supervisor: Standing;

  constructor(broker: BrokerAdapter, ownership: Ownership, supervisor: Standing) {
    this.broker = broker;
    this.ownership = ownership;
    this.cancelEndsLinkedLeg = broker.capabilities.cancelEndsLinkedLeg;
    this.nativeOco = broker.capabilities.nativeOco;
    this.trailsFromMarket = broker.capabilities.trailsFromMarket;
    this.keepsHours = broker.capabilities.keepsHours;
    this.lacks = broker.capabilities.lacks;
    this.#supervisor = supervisor;
  }

  get status(): ConnectionStatus {
    return this.#supervisor.status;
  }

  get why(): ConnectionWhy | undefined {
    return this.#supervisor.why;
  }

  get entriesHeld(): string | undefined {
    return this.broker.entriesHeld?.();
  }
}

/** How the connection stands. */
interface Standing {
  readonly status: ConnectionStatus;
  readonly why: ConnectionWhy | undefined;
}
