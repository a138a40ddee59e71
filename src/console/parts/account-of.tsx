import type { components } from "../api/schema.ts";
import { SelectField } from "./fields.tsx";
import type { Tie } from "./form.tsx";
import { EnvironmentBadge } from "./mark.tsx";

type Account = components["schemas"]["Account"];

/** Whose account it is and whose money; by its id alone where nothing more is known of it. */
export function AccountOf({ id, accounts }: { id: string; accounts: readonly Account[] }) {
  const account = accounts.find((one) => one.id === id);
  if (account === undefined) return <>{id}</>;
  return (
    <>
      {account.name}
      <EnvironmentBadge environment={account.environment} />
    </>
  );
}

/** Which account, and whose money it is: the first line of whatever is to be confirmed. */
export function AccountName({
  account: { environment, id, name },
}: {
  account: Pick<Account, "id" | "name" | "environment">;
}) {
  return (
    <p class="row">
      <strong>{name}</strong>
      {id !== name && <span class="mono quiet">{id}</span>}
      <EnvironmentBadge environment={environment} />
    </p>
  );
}

type Connection = components["schemas"]["Connection"];

/** Badges of several accounts, each kind of money once. */
export function EnvironmentBadges({ accounts }: { accounts: readonly { environment: string }[] }) {
  const environments = new Set(accounts.map(({ environment }) => environment));
  return (
    <>
      {[...environments].map((environment) => (
        <EnvironmentBadge key={environment} environment={environment} />
      ))}
    </>
  );
}

/** Badges of a connection's accounts; until its first login, the badge of its service. */
export function ConnectionBadges({
  connection,
  accounts,
}: {
  connection: Connection;
  accounts: readonly Account[];
}) {
  return <EnvironmentBadges accounts={accounts.length > 0 ? accounts : [connection]} />;
}

/** Which connection, and whose money it is: the first line of every question about it. */
export function ConnectionName({
  connection,
  accounts,
}: {
  connection: Connection;
  accounts: readonly Account[];
}) {
  const { connectionId, name } = connection;
  return (
    <p class="row">
      <strong>{name ?? connectionId}</strong>
      <ConnectionBadges connection={connection} accounts={accounts} />
      <span class="mono quiet">{connectionId}</span>
    </p>
  );
}

/** Accounts as choices of a field: each says whose money it is. */
const choicesOf = (accounts: readonly Account[]) =>
  accounts.map(
    ({ active, environment, id, name }) =>
      [id, `${name} (${environment}${active ? "" : ", inactive"})`] as const,
  );

/** Which of these accounts, and whose money is in the chosen one. */
export function AccountField({
  label,
  accounts,
  ...tie
}: Tie<string> & { label: string; accounts: readonly Account[] }) {
  const account = accounts.find(({ id }) => id === tie.value);
  return (
    <SelectField
      {...tie}
      label={label}
      options={choicesOf(accounts)}
      hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
    />
  );
}
