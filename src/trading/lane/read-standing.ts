import type { AccountId } from "../../domain/ids.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { Broker, BrokerPosition } from "../ports.ts";

/** What works for an account, and what it held right after that. */
export interface Standing {
  readonly positions: readonly BrokerPosition[];
  readonly working: readonly OrderReport[];
}

/** Throws `BrokerReadError` when either cannot be read: an empty account is a statement. */
export async function readStanding(account: AccountId, broker: Broker): Promise<Standing> {
  // Orders first: one that fills in between is then in both, and never in neither.
  const working = await broker.workingOrders(account);
  const positions = await broker.positions(account);
  return { positions, working };
}
