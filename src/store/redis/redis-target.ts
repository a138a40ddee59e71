/** An address of one server. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** How a server is spoken to, the same for each of them. */
interface RedisAccess {
  /** As it was given. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** A Redis Cluster, by some of its nodes: the others are asked of them. */
export interface ClusterTarget extends RedisAccess {
  readonly nodes: readonly RedisAddress[];
}

/** A Redis whose master is asked of Sentinels. */
export interface SentinelTarget extends RedisAccess {
  readonly sentinels: readonly RedisAddress[];
  /** What the Sentinels call it. */
  readonly name: string;
  /** For the Sentinels themselves. */
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

/** Where a Redis is: a Unix socket, a URL as ioredis reads it, a Cluster, or behind Sentinels. */
export type RedisTarget =
  | { readonly path: string }
  | { readonly url: string }
  | ClusterTarget
  | SentinelTarget;

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/**
 * Reads the setting REDIS_URL: one server, several nodes of a Cluster with commas between them,
 * `redis+cluster://` and an address that all its nodes have, or `redis+sentinel://`, the Sentinels, and
 * the name of their master. Throws for what names none.
 */
export function redisTarget(url: string): RedisTarget {
  if (url.startsWith("/")) return { path: url };
  if (url.startsWith("unix:")) return { path: url.slice("unix:".length).replace(/^\/+/, "/") };
  const [, scheme, kind, rest = ""] =
    /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(.*)$/.exec(url) ?? [];
  if (kind === "sentinel") {
    const [, login, hosts = "", name = "", options] = SENTINELS.exec(rest) ?? [];
    if (name === "") throw new Error("REDIS_URL: Sentinels are named as HOST:PORT,HOST:PORT/NAME");
    const given = new URLSearchParams(options);
    const [sentinelUsername, sentinelPassword] = ["username", "password"].map(
      (field) => given.get(`sentinel_${field}`) ?? undefined,
    );
    return {
      ...accessOf(url, scheme, login),
      name: decoded(name),
      sentinels: addressesOf(hosts, SENTINEL_PORT),
      ...(sentinelUsername !== undefined && { sentinelUsername }),
      ...(sentinelPassword !== undefined && { sentinelPassword }),
    };
  }
  const [, login, hosts = ""] = /^(?:(.*)@)?([^@]*?)\/?$/.exec(rest) ?? [];
  if (kind === "cluster" || hosts.includes(",")) {
    return { ...accessOf(url, scheme, login), nodes: addressesOf(hosts, REDIS_PORT) };
  }
  return { url };
}

/** Login, addresses, name and options. A password may hold what separates them. */
const SENTINELS = /^(?:(.*)@)?([^@/]+)\/([^/?]+)(?:\?(.*))?$/;
const ADDRESS = /^(?:rediss?:\/\/)?(?:\[([\da-f:.]+)\]|([^\s:/?#[\]]+))(?::(\d{1,5}))?$/i;

/** As `redisTarget` reads it. */
export function redisUrl(target: RedisTarget): string {
  return "path" in target ? `unix:${target.path}` : target.url;
}

function accessOf(url: string, scheme: string | undefined, login: string | undefined): RedisAccess {
  const [username = "", ...rest] = (login ?? "").split(":");
  const password = rest.join(":");
  return {
    url,
    tls: scheme === "rediss",
    ...(username !== "" && { username: decoded(username) }),
    ...(password !== "" && { password: decoded(password) }),
  };
}

/** No message shows what was given: a part of a password may stand where none is expected. */
function addressesOf(hosts: string, byDefault: number): readonly RedisAddress[] {
  return hosts.split(",").map((text, at) => {
    const [, v6, name, port] = ADDRESS.exec(text) ?? [];
    const host = v6 ?? name;
    if (host === undefined) {
      throw new Error(
        `REDIS_URL: address ${at + 1} is none. It is HOST or HOST:PORT, with no path`,
      );
    }
    return { host, port: port === undefined ? byDefault : Number(port) };
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("REDIS_URL: a % in a name or password is written as %25");
  }
}
