import { GatewayError } from "../../errors.ts";

/**
 * Before anything is sent to a group of which nothing is there, or on. An earlier request that this one
 * repeats may have sent something all the same.
 */
export function noAccounts(why = "No account of the group is on"): GatewayError {
  return new GatewayError("NO_ACCOUNTS_IN_GROUP", `${why}; this request sent nothing`);
}
