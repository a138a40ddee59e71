import { type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { ContractDirectory, Listed } from "./contract-directory.ts";
import type { Body } from "./order-request.ts";
import type { Settings } from "./settings.ts";
import type { User } from "./users.ts";

/** Where the messages of one market data socket go. */
export type Feed = (message: object) => void;

/** A request for market data, by whichever socket it came. */
export interface MdRequest {
  readonly user: User;
  readonly body: Body;
  readonly settings: Settings;
  /** Of a market data socket. */
  readonly feed: Feed | undefined;
}

/** One that came by a market data socket, about a contract that its user may see. */
export interface Allowed {
  readonly feed: Feed;
  readonly listed: Listed;
}

const INACCESSIBLE = {
  errorText: "Symbol is inaccessible",
  errorCode: "UnknownSymbol",
  mode: "None",
};

/** Refused alike are a symbol that does not exist and one that the user has not subscribed to. */
export function allow(
  what: string,
  { body, settings, feed }: MdRequest,
  contracts: ContractDirectory,
): Allowed | Answer {
  if (feed === undefined || settings.mdAccess === "noRoutes") {
    return notFound(`${what} on this socket`);
  }
  const symbol = body["symbol"] ?? body["contractId"];
  if (typeof symbol !== "string" && typeof symbol !== "number") {
    return badRequest("Missing field: symbol");
  }
  const listed = typeof symbol === "string" ? contracts.find(symbol) : contracts.byId(symbol);
  return listed !== undefined && isShown(listed, settings) ? { feed, listed } : ok(INACCESSIBLE);
}

function isShown({ exchange }: Listed, { mdAccess, mdExchanges }: Settings): boolean {
  return mdAccess !== "inaccessible" && (mdExchanges?.includes(exchange) ?? true);
}
