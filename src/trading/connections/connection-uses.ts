import type { Caller, Gateway } from "../gateway.ts";

/** Whoever proved to be a user: by an API key, or on the gateway's own machine. */
export type Asker = Pick<Caller, "userId">;

type Uses =
  | "listConnections"
  | "findConnection"
  | "addConnection"
  | "changeConnection"
  | "removeConnection"
  | "testConnection"
  | "reconnectConnection";

type Tail<Use extends Uses> =
  Parameters<Gateway[Use]> extends [unknown, ...infer Rest] ? Rest : never;

/** As the `Gateway` has them, for anyone who is known to be the user. */
export type ConnectionUses = {
  readonly [Use in Uses]: (asker: Asker, ...rest: Tail<Use>) => ReturnType<Gateway[Use]>;
};
