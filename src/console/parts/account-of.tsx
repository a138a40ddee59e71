import type { components } from "../api/schema.ts";
import type { AccountRef, Connection } from "../pages/accounts/types.ts";
import { EnvironmentBadge } from "./mark.tsx";

type Account = components["schemas"]["Account"];

/** Whose account it is and whose money; by its id alone where nothing more is known of it. */
export function AccountOf({ id, account }: { id: string; account: Account | undefined }) {
  if (account === undefined) return <>{id}</>;
  return (
    <>
      {account.name}
      <EnvironmentBadge environment={account.environment} />
    </>
  );
}

/** Which account, and whose money it is: the first line of whatever is to be confirmed. */
export function AccountName({ account: { environment, id, name } }: { account: AccountRef }) {
  return (
    <p class="row">
      <strong>{name}</strong>
      {id !== name && <span class="mono quiet">{id}</span>}
      <EnvironmentBadge environment={environment} />
    </p>
  );
}

/** Which connection, and whose money it is: the first line of whatever is asked about it. */
export function ConnectionName({ connection }: { connection: Connection }) {
  const { connectionId, environment, name } = connection;
  return (
    <p class="row">
      <strong>{name ?? connectionId}</strong>
      <EnvironmentBadge environment={environment} />
      <span class="mono quiet">{connectionId}</span>
    </p>
  );
}

/** Accounts as choices of a field: each says whose money it is. */
export const choicesOf = (accounts: readonly Account[]) =>
  accounts.map(
    ({ active, environment, id, name }) =>
      [id, `${name} (${environment}${active ? "" : ", inactive"})`] as const,
  );
