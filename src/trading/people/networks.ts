import { BlockList, isIP, isIPv4, SocketAddress } from "node:net";

/** Answers whether an address is in one of some networks. Nothing but addresses is in any. */
export type Networks = (address: string) => boolean;

/**
 * Where TradingView says that its alerts come from, in "How to configure webhook alerts"
 * (www.tradingview.com/support/solutions/43000529348).
 */
export const TRADINGVIEW_SENDERS = [
  "52.89.214.238",
  "34.212.75.30",
  "54.218.53.128",
  "52.32.178.7",
] as const;

const PRESETS: Readonly<Record<string, readonly string[]>> = {
  tradingview: TRADINGVIEW_SENDERS,
  loopback: ["127.0.0.0/8", "::1"],
};

interface Network {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  readonly prefix: number;
}

const MAPPED = /^::ffff:(?=[\d.]+$)/;
const MAPPED_BITS = 96;

/**
 * An address in its one canonical form, without a zone: `2001:DB8::0:1` is `2001:db8::1`, and an IPv4
 * address within IPv6 is the IPv4 address. Undefined for anything else.
 */
export function plainAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family !== 6) return family === 4 ? text : undefined;
  const [address = ""] = text.split("%", 1);
  return new SocketAddress({ address, family: "ipv6" }).address.replace(MAPPED, "");
}

/** Whether text is an IPv4 or IPv6 address, or a network of them such as 203.0.113.0/24. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * Throws for what is neither an address nor a network nor one of the words `tradingview` and
 * `loopback`: a list that is half read would let in, or keep out, somebody it should not.
 */
export function createNetworks(list: readonly string[]): Networks {
  // One for each family: in a list of both, the network ::/0 would hold every IPv4 address too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of list.flatMap((entry) => PRESETS[entry] ?? [entry])) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`"${text}" is neither an address nor a network`);
    lists[network.family].addSubnet(network.address, network.prefix, network.family);
  }
  return function holds(address) {
    const plain = plainAddress(address);
    if (plain === undefined) return false;
    const family = familyOf(plain);
    return lists[family].check(plain, family);
  };
}

const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, Networks>();

/**
 * Whether a webhook takes alerts from this address. Without a list it takes them from everywhere;
 * with one, never from an address that is not known.
 */
export function isAllowedSender(
  address: string | undefined,
  allowed: readonly string[] | undefined,
): boolean {
  if (allowed === undefined) return true;
  return address !== undefined && networksOf(allowed)(address);
}

/** Every alert asks, and to put a list of fifty together takes a tenth of a millisecond. */
function networksOf(allowed: readonly string[]): Networks {
  const key = allowed.join(" ");
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const networks = createNetworks(allowed);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, networks);
  return networks;
}

const NETWORK = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/;

function parseNetwork(text: string): Network | undefined {
  const [, written = "", digits] = NETWORK.exec(text) ?? [];
  const address = plainAddress(written);
  if (address === undefined) return undefined;
  const family = familyOf(address);
  const bits = family === "ipv4" ? 32 : 128;
  if (digits === undefined) return { address, family, prefix: bits };

  // An IPv4 network may be written as the part of IPv6 that stands for it.
  const isMapped = family === "ipv4" && written.includes(":");
  const prefix = Number(digits) - (isMapped ? MAPPED_BITS : 0);
  return prefix >= 0 && prefix <= bits ? { address, family, prefix } : undefined;
}

function familyOf(plain: string): "ipv4" | "ipv6" {
  return isIPv4(plain) ? "ipv4" : "ipv6";
}
