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

/** Which connection, and whose money it is: the first line of whatever is asked about it. */
export function ConnectionName({
  connection: { connectionId, environment, name },
}: {
  connection: components["schemas"]["Connection"];
}) {
  return (
    <p class="row">
      <strong>{name ?? connectionId}</strong>
      <EnvironmentBadge environment={environment} />
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
