import { EnvironmentBadge } from "../../parts/mark.tsx";
import type { AccountRef, Connection } from "./types.ts";

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
