/** Where a Redis is: a Unix socket, or a URL as ioredis reads it. */
export type RedisTarget = { readonly path: string } | { readonly url: string };

/** Reads the setting REDIS_URL. */
export function redisTarget(url: string): RedisTarget {
  if (url.startsWith("/")) return { path: url };
  if (url.startsWith("unix:")) return { path: url.slice("unix:".length).replace(/^\/+/, "/") };
  return { url };
}

/** As `redisTarget` reads it. */
export function redisUrl(target: RedisTarget): string {
  return "path" in target ? `unix:${target.path}` : target.url;
}
