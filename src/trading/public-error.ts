import { errors, GatewayError } from "../errors.ts";
import { BrokerReadError } from "./ports.ts";
import { StoreError, TOO_SLOW } from "./store-error.ts";

/**
 * A store or a broker that is away as the public error that says what that means; anything else as
 * it is. `changesNothing` where it is certain that nothing was changed: it may be asked again then.
 */
export function publicError(error: unknown, { changesNothing }: { changesNothing: boolean }) {
  if (error instanceof GatewayError) return error;
  const isBroker = error instanceof BrokerReadError;
  if (!isBroker && !(error instanceof StoreError)) return error;
  if (!changesNothing) return errors.internal(error);
  return isBroker ? errors.brokerUnavailable(error) : nothingStored(error);
}

/** The store has certainly written nothing. */
export function nothingStored(error: StoreError): GatewayError {
  if (error.why === "full") return errors.storeFull(error);
  return error.why === "slow"
    ? errors.storeUnavailable(error, TOO_SLOW)
    : errors.storeUnavailable(error);
}

/**
 * The first step of a change, before which nothing was changed: where it only reads, or is certain to
 * have written nothing, so has the change. That a later step wrote nothing proves nothing.
 */
export async function firstStep<Value>(
  effect: "reads" | "writes",
  step: () => Promise<Value>,
): Promise<Value> {
  try {
    return await step();
  } catch (error) {
    const wroteNothing = error instanceof StoreError && error.certainlyNotWritten;
    throw effect === "reads" || wroteNothing ? publicError(error, { changesNothing: true }) : error;
  }
}
