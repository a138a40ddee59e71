import { type LookupAddress, type LookupOptions, promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Resolves a name to all of its addresses, as the connection will use them. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>;

export interface AllowedAddressesDeps {
  /** Networks and addresses that may be called although they are not public, also without TLS. */
  readonly privateNetworks: readonly string[];
  readonly resolve?: ResolveName;
}

/** Where the gateway may call on behalf of its users. */
export interface AllowedAddresses {
  /** Why nothing is sent to a URL, in words that do not repeat it; undefined if it may be called. */
  readonly whyForbidden: (url: string) => Promise<string | undefined>;
  /** The same without asking for the addresses of a name: that is left to `lookup`. */
  readonly whyMalformed: (url: URL) => string | undefined;
  /** The same for a host that is an address; a name passes. */
  readonly whyForbiddenHost: (host: string, isPlain: boolean) => string | undefined;
  /**
   * For the connection itself. What it resolves is what is connected to, so a name that changes between
   * a check and the connection gains nothing. Node does not ask it about hosts that are addresses.
   */
  readonly lookup: (isPlain: boolean) => LookupFunction;
}

/** The one error whose message may be shown. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** What `ipaddr.js` takes for public and is not: addresses of IPv4 in disguise, Azure's own host. */
const NOT_PUBLIC: readonly Network[] = [
  ipaddr.parseCIDR("::/96"),
  ipaddr.parseCIDR("168.63.129.16/32"),
];

const PRIVATE =
  "The address lies in a private or reserved network, which NOTIFY_ALLOW_PRIVATE does not name";
const PLAIN =
  "The address must begin with https:// unless it lies in a network that NOTIFY_ALLOW_PRIVATE names";

export function createAllowedAddresses({
  privateNetworks,
  resolve = (host) => dns.lookup(host, { all: true }),
}: AllowedAddressesDeps): AllowedAddresses {
  const allowed = privateNetworks.map(toNetwork);

  const problemOf = (address: string, isPlain: boolean): string | undefined => {
    // An address of IPv4 that is written as one of IPv6 is judged as what it is.
    const parsed = ipaddr.process(address);
    if (allowed.some((network) => isIn(parsed, network))) return undefined;
    if (isPlain) return PLAIN;
    const isPublic =
      parsed.range() === "unicast" && !NOT_PUBLIC.some((network) => isIn(parsed, network));
    return isPublic ? undefined : PRIVATE;
  };

  const resolveAllowed = async (host: string, isPlain: boolean) => {
    const addresses = await resolve(host);
    for (const { address } of addresses) {
      // One bad address is enough: the connection may take any of them.
      const problem = problemOf(address, isPlain);
      if (problem !== undefined) throw new ForbiddenAddressError(problem);
    }
    return addresses;
  };

  const whyForbiddenHost = (host: string, isPlain: boolean) =>
    isIP(host) === 0 ? undefined : problemOf(host, isPlain);

  const whyMalformed = (url: URL): string | undefined => {
    const isPlain = url.protocol !== "https:";
    if (isPlain && url.protocol !== "http:") return "The address must begin with https://";
    if (url.username !== "" || url.password !== "") {
      return "The address must not hold a user name or a password";
    }
    if (isPlain && allowed.length === 0) return PLAIN;
    return whyForbiddenHost(hostOf(url), isPlain);
  };

  return {
    whyMalformed,
    whyForbiddenHost,
    whyForbidden: async (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined) return "The address is not a URL";
      const problem = whyMalformed(url);
      if (problem !== undefined || isIP(hostOf(url)) !== 0) return problem;
      return await resolveAllowed(hostOf(url), url.protocol !== "https:").then(
        () => undefined,
        (error: unknown) =>
          error instanceof ForbiddenAddressError ? error.message : unresolved(error),
      );
    },
    lookup: (isPlain) => (host, options, done) => {
      void answerLookup(resolveAllowed(host, isPlain), options, done);
    },
  };
}

async function answerLookup(
  resolved: Promise<readonly LookupAddress[]>,
  { family = 0, all }: LookupOptions,
  done: Parameters<LookupFunction>[2],
): Promise<void> {
  const wanted = family === "IPv4" ? 4 : family === "IPv6" ? 6 : family;
  const found = await resolved.catch((error: unknown) =>
    error instanceof Error ? error : notFound(),
  );
  if (found instanceof Error) return done(found, "");
  const usable = found.filter((one) => wanted === 0 || one.family === wanted);
  const [first] = usable;
  if (first === undefined) done(notFound(), "");
  else if (all) done(null, usable);
  else done(null, first.address, first.family);
}

/** Without the brackets of an address of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

function toNetwork(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv6" ? 128 : 32];
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

const notFound = () => Object.assign(new Error("The name has no address"), { code: "ENOTFOUND" });

/** Only a name that there is not is refused: a resolver that is out of order may be well soon. */
const unresolved = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && error.code === "ENOTFOUND"
    ? "The name of the address is not known"
    : undefined;
