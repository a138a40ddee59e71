import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type AllowedAddresses, ForbiddenAddressError } from "./allowed-addresses.ts";
import { PATIENT } from "./guarded-request.ts";

export interface Place {
  readonly host: string;
  readonly port: number;
}

export type GuardedConnection = (place: Place, signal: AbortSignal) => Promise<Socket>;

/** A plain connection to a place that a user named, for a protocol that begins TLS by itself. */
export function createGuardedConnection(addresses: AllowedAddresses): GuardedConnection {
  return async ({ host, port }, signal) => {
    const problem = addresses.whyForbiddenHost(host, false);
    if (problem !== undefined) throw new ForbiddenAddressError(problem);
    const socket = connect({ ...PATIENT, host, port, lookup: addresses.lookup(false) });
    // Whoever gets it listens too, but perhaps not yet when it breaks.
    socket.on("error", () => {});
    try {
      await once(socket, "connect", { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}
