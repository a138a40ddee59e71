import type { components } from "../../api/schema.ts";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

export type ApiKey = components["schemas"]["Key"];
export type Scope = ApiKey["scopes"][number];

/** Keys that are in use, which can be revoked; or keys that were. */
export function KeyTable({
  keys,
  onRevoke,
}: {
  keys: readonly ApiKey[];
  onRevoke?: (key: ApiKey) => void;
}) {
  const last: Column<ApiKey> =
    onRevoke === undefined
      ? { head: "Revoked", cell: ({ revokedAt }) => <Time at={revokedAt} /> }
      : {
          head: ACTS,
          look: "acts",
          cell: (key) => (
            <button type="button" class="small danger" onClick={() => onRevoke(key)}>
              Revoke<span class="unseen"> {key.name}</span>
            </button>
          ),
        };
  return <CardTable rows={keys} keyOf={({ id }) => id} columns={[...COLUMNS, last]} />;
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    head: "Name",
    cell: ({ id, name }) => (
      <span>
        {name} <span class="id">{id}</span>
      </span>
    ),
  },
  { head: "May", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
  { head: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

/** What it may do, in the order of what it can cost. */
export function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <span class="marks">
      {scopes.includes("read") && <Mark tone="quiet">read</Mark>}
      {scopes.includes("trade") && <Mark tone="watch">trade</Mark>}
      {scopes.includes("manage") && <Mark tone="watch">manage</Mark>}
      {scopes.includes("notify") && <Mark tone="watch">notify</Mark>}
    </span>
  );
}
