import { EnvironmentBadge } from "../../parts/mark.tsx";
import type { Connection } from "./types.ts";

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
