import type { ConnectionId } from "../../domain/ids.ts";
import type { KnownQuotes, Quotes } from "./ports.ts";

/** The quotes of the connections of accounts, each read once. Throws `StoreError`. */
export async function quotesByConnection(
  quotes: Pick<Quotes, "of">,
  accounts: Iterable<{ readonly connectionId: ConnectionId }>,
): Promise<ReadonlyMap<ConnectionId, KnownQuotes>> {
  const connections = new Set([...accounts].map(({ connectionId }) => connectionId));
  return new Map(
    await Promise.all([...connections].map(async (one) => [one, await quotes.of(one)] as const)),
  );
}
