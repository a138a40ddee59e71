import type { components } from "../api/schema.ts";

type Account = components["schemas"]["Account"];

/** Accounts as choices of a field: each says whose money it is. */
export const choicesOf = (accounts: readonly Account[]) =>
  accounts.map(
    ({ active, environment, id, name }) =>
      [id, `${name} (${environment}${active ? "" : ", inactive"})`] as const,
  );
