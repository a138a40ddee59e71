import type { components } from "../../api/schema.ts";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
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
  return (
    <Table
      look="cards"
      columns={["Name", "May", "Created", "Last used", onRevoke === undefined ? "Revoked" : ACTS]}
    >
      {keys.map((key) => (
        <Row key={key.id} apiKey={key} onRevoke={onRevoke} />
      ))}
    </Table>
  );
}

function Row({
  apiKey,
  onRevoke,
}: {
  apiKey: ApiKey;
  onRevoke: ((key: ApiKey) => void) | undefined;
}) {
  const { name, id, scopes, createdAt, lastUsedAt, revokedAt } = apiKey;
  return (
    <tr>
      <th scope="row" data-name="Name">
        <span>
          {name} <span class="id">{id}</span>
        </span>
      </th>
      <td data-name="May">
        <Scopes scopes={scopes} />
      </td>
      <td data-name="Created">
        <Time at={createdAt} />
      </td>
      <td data-name="Last used">
        <Time at={lastUsedAt} />
      </td>
      {onRevoke === undefined ? (
        <td data-name="Revoked">
          <Time at={revokedAt} />
        </td>
      ) : (
        <td class="acts">
          <button type="button" class="small danger" onClick={() => onRevoke(apiKey)}>
            Revoke<span class="unseen"> {name}</span>
          </button>
        </td>
      )}
    </tr>
  );
}

/** What it may do, in the order of what it can cost. */
export function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <span class="marks">
      {scopes.includes("read") && <Mark tone="quiet">read</Mark>}
      {scopes.includes("trade") && <Mark tone="watch">trade</Mark>}
      {scopes.includes("manage") && <Mark tone="watch">manage</Mark>}
    </span>
  );
}
