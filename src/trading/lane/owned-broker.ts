import type { OwnedConnection, Ownership } from "../ports.ts";
import { RelayedBroker } from "./relayed-broker.ts";
import { LeaseLostError } from "../store-error.ts";

/** Throws when another process may be the owner: that one takes up what is under way. */
export function requireOwned({ isOwned: isHeld }: Ownership): void {
  if (isHeld()) return;
  throw new LeaseLostError("the connection is another owner's now");
}

/**
 * The only broker that lanes send through. Each command checks once more, synchronously, whether the
 * connection is still owned here, so that a process that was frozen after its write-ahead sends
 * nothing. It throws `LeaseLostError` then, and the intent stays SENDING for its new owner.
 */
export class OwnedBroker extends RelayedBroker {
  readonly #ownership: Ownership;

  constructor({ broker, ownership }: Pick<OwnedConnection, "broker" | "ownership">) {
    super(broker);
    this.#ownership = ownership;
  }

  protected override async send<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    requireOwned(this.#ownership);
    return await run();
  }
}
