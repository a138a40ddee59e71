import { GatewayError } from "../../errors.ts";

/** Before anything is sent to a group of which nothing is there, or on. */
export function noAccounts(why = "No account of the group is on"): GatewayError {
  return new GatewayError("NO_ACCOUNTS_IN_GROUP", `${why}; nothing was sent`);
}
