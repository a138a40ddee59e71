import { errors, GatewayError } from "../errors.ts";
import { BrokerReadError } from "./ports.ts";
import { StoreError } from "./store-ports.ts";

/**
 * A store or a broker that is away as the public error that says what that means; anything else as
 * it is. `changesNothing` where a failure is certain to have left nothing behind.
 */
export function publicError(error: unknown, { changesNothing }: { changesNothing: boolean }) {
  if (error instanceof GatewayError) return error;
  if (error instanceof BrokerReadError) return errors.brokerUnavailable(error);
  if (!(error instanceof StoreError)) return error;
  return changesNothing ? errors.storeUnavailable(error) : errors.internal(error);
}
