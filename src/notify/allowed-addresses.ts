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

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Of IPv6 nothing else is given out: what lies elsewhere is unallocated, or an address of IPv4 in disguise. */
const GIVEN_OUT: Network = ipaddr.parseCIDR("2000::/3");
/** Azure's own host, which `ipaddr.js` takes for public. */
const NOT_PUBLIC: Network = ipaddr.parseCIDR("168.63.129.16/32");

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
    return isPublic(parsed) ? undefined : PRIVATE;
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

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast" || isIn(address, NOT_PUBLIC)) return false;
  if (!(address instanceof ipaddr.IPv6)) return true;
  const inside = isatap(address);
  return isIn(address, GIVEN_OUT) && (inside === undefined || isPublic(inside));
}

/** The address of IPv4 to which a router would send it on, of one of ISATAP (RFC 5214). */
function isatap({ parts }: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [, , , , flags = 0, mark, high = 0, low = 0] = parts;
  const isOne = mark === 0x5efe && (flags & ~0x0300) === 0;
  return isOne ? new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]) : undefined;
}

/** Of addresses of IPv4 that are written as those of IPv6. */
const MAPPED: Network = ipaddr.parseCIDR("::ffff:0:0/96");

function toNetwork(text: string): Network {
  if (text.includes("/")) {
    const [address, bits] = ipaddr.parseCIDR(text);
    const isMapped = address instanceof ipaddr.IPv6 && isIn(address, MAPPED) && bits >= MAPPED[1];
    return isMapped ? [address.toIPv4Address(), bits - MAPPED[1]] : [address, bits];
  }
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv6" ? 128 : 32];
}

const isIn = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

const notFound = () => Object.assign(new Error("The name has no address"), { code: "ENOTFOUND" });

/** Only a name that there is not is refused: a resolver that is out of order may be well soon. */
const unresolved = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && error.code === "ENOTFOUND"
    ? "The name of the address is not known"
    : undefined;
