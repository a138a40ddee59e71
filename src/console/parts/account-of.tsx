import type { components } from "../api/schema.ts";
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
