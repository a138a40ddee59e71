import { Cluster, Redis } from "ioredis";
import { runIdOf } from "../redis/connectors.ts";
import { mastersOf, type RedisClient } from "../redis/redis-client.ts";
import type { RedisTarget, SentinelTarget } from "../redis/redis-target.ts";

const ANSWER_WITHIN_MS = 1_000;

/**
 * Asks those who decide it whether a server is still the master, and nobody is about to take its place:
 * the Sentinels, or the other masters of its Cluster. Undefined where nobody decides it.
 */
export function whoIsMaster(
  redis: RedisClient,
  target: RedisTarget,
): ((runId: string) => Promise<boolean>) | undefined {
  if ("sentinels" in target) return async (runId) => await sentinelsAgree(target, runId);
  if (redis instanceof Cluster) return async (runId) => await mastersAgree(redis, runId);
  return undefined;
}

/** More than half of them answer, and none of those sees it down or being replaced. */
async function sentinelsAgree(target: SentinelTarget, runId: string): Promise<boolean> {
  const { sentinels, name, tls, sentinelUsername, sentinelPassword } = target;
  const views = await answersOf(
    sentinels.map(async ({ host, port }) => {
      const sentinel = new Redis({
        host,
        port,
        ...(tls && { tls: {} }),
        ...(sentinelUsername !== undefined && { username: sentinelUsername }),
        ...(sentinelPassword !== undefined && { password: sentinelPassword }),
        connectTimeout: ANSWER_WITHIN_MS,
        commandTimeout: ANSWER_WITHIN_MS,
        retryStrategy: () => null,
      });
      sentinel.on("error", () => undefined);
      try {
        return (await sentinel.call("SENTINEL", "MASTER", name)) as readonly string[];
      } finally {
        sentinel.disconnect();
      }
    }),
  );
  const says = (view: readonly string[], field: string) => view[view.indexOf(field) + 1];
  return (
    views.length > sentinels.length / 2 &&
    views.every((view) => says(view, "runid") === runId && says(view, "flags") === "master")
  );
}

/** More than half of the masters, itself among them, and none that answers sees it otherwise. */
async function mastersAgree(redis: Cluster, runId: string): Promise<boolean> {
  const masters = mastersOf(redis);
  const own = masters.find((node) => runIdOf(node) === runId);
  if (own === undefined) return false;
  const id = String(await own.cluster("MYID"));
  const others = masters.filter((node) => node !== own);
  const views = await answersOf(others.map(async (node) => String(await node.cluster("NODES"))));
  const isMaster = (view: string) => {
    const line = view.split("\n").find((one) => one.startsWith(id));
    const [, , flags = "", , , , , , slots] = line?.split(" ") ?? [];
    return flags.includes("master") && !flags.includes("fail") && slots !== undefined;
  };
  return views.length + 1 > masters.length / 2 && views.every(isMaster);
}

async function answersOf<Answer>(asked: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(asked);
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
