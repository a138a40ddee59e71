import { type Networks, plainAddress } from "../../trading/people/networks.ts";

const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i;

/**
 * Where a request comes from. Each proxy adds to X-Forwarded-For the address that it was called
 * from, on the right; so what a trusted proxy has added is believed, from the right to the left, and
 * the first address that is no trusted proxy is the client's. Everything left of it may be invented.
 * Where an entry cannot be read, the client is the proxy that passed it on. Undefined when the
 * connection is gone.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  isTrusted: Networks,
): string | undefined {
  let client = plainAddress(remoteAddress ?? "");
  if (client === undefined || forwardedFor === undefined || !isTrusted(client)) return client;

  const entries = [forwardedFor].flat().join(",").split(",");
  for (const entry of entries.reverse()) {
    const address = readEntry(entry.trim());
    if (address === undefined) return client;
    client = address;
    if (!isTrusted(client)) return client;
  }
  return client;
}

/** Some proxies add the port, and then write IPv6 in brackets. */
function readEntry(entry: string): string | undefined {
  const [, ipv6, ipv4] = WITH_PORT.exec(entry) ?? [];
  return plainAddress(ipv6 ?? ipv4 ?? entry);
}
