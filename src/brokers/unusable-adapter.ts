import { BrokerReadError, type CommandFailure } from "../trading/ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { SessionImpossibleError } from "./session-errors.ts";

interface Unusable {
  readonly broker: string;
  readonly environment: "demo" | "live";
  /** Why, and what a person may do about it; it is shown. */
  readonly reason: string;
}

/**
 * Stands for a connection whose adapter cannot be made from what is kept of it: it asks for a person, as
 * one that its broker refuses, and the other connections go on.
 */
export function createUnusableAdapter({ broker, environment, reason }: Unusable): BrokerAdapter {
  const notSent: CommandFailure = { kind: "notSent", reason };
  const refuse = () => Promise.resolve(notSent);
  const fail = () => Promise.reject(new BrokerReadError(reason));
  return {
    broker,
    environment,
    capabilities: {
      nativeBracket: false,
      nativeOco: false,
      trailsFromMarket: false,
      cancelEndsLinkedLeg: false,
      refusesDuplicates: false,
    },
    runSession: async ({ signal }) => {
      if (!signal.aborted) await Promise.reject(new SessionImpossibleError(reason));
    },
    onReport: () => () => undefined,
    submitOrder: refuse,
    submitProtection: refuse,
    modifyOrder: refuse,
    cancelOrder: refuse,
    closePosition: refuse,
    accounts: fail,
    positions: fail,
    workingOrders: fail,
    contractDoubt: fail,
    unread: () => [],
    findOrder: fail,
    fills: fail,
  };
}
