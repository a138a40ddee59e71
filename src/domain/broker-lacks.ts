import type { OrdType } from "./declared/order-types.ts";
import type { TimeInForce } from "./order.ts";

/**
 * What a broker cannot do of all that an order may ask for, each with why, in words for who asked. Such
 * an order is denied before anything of it leaves: no other one is put in its place.
 */
export interface BrokerLacks {
  readonly ordTypes: { readonly [Type in OrdType]?: Type extends OfExits ? never : string };
  readonly timesInForce: { readonly [Time in TimeInForce]?: Time extends OfRest ? never : string };
}

/** What exits are made of, and how long they and entries rest: no broker can do without. */
type OfExits = "MARKET" | "LIMIT" | "STOP";
type OfRest = "DAY" | "GTC";

export const LACKS_NOTHING: BrokerLacks = { ordTypes: {}, timesInForce: {} };

/** Why the broker cannot take such an order, in words; undefined where it can. */
export const lackedBy = (
  { ordTypes, timesInForce }: BrokerLacks,
  { ordType, timeInForce }: { readonly ordType: OrdType; readonly timeInForce: TimeInForce },
): string | undefined => ordTypes[ordType] ?? timesInForce[timeInForce];
