import { Cluster, Redis } from "ioredis";
import { runIdOf } from "../redis/connectors.ts";
import { mastersOf, type RedisClient } from "../redis/redis-client.ts";
import type { RedisTarget, SentinelTarget } from "../redis/redis-target.ts";

const ANSWER_WITHIN_MS = 1_000;

/** `master` where nobody is about to take its place; `replaced` where another one has. */
export type Standing = "master" | "replaced" | "unknown";

/** Of the server process with that run id. */
export type AskStanding = (runId: string) => Promise<Standing>;

/**
 * Asks those who decide it what a server is: the Sentinels, or the other masters of its Cluster.
 * Undefined where nobody decides it.
 */
export function whoIsMaster(redis: RedisClient, target: RedisTarget): AskStanding | undefined {
  if (redis instanceof Cluster) {
    return async (runId) => ((await mastersAgree(redis, runId)) ? "master" : "unknown");
  }
  if (!("sentinels" in target)) return undefined;
  return async (runId) => await askSentinels(target, redis, runId);
}

/** More than half of them have to answer, and to agree. */
async function askSentinels(
  target: SentinelTarget,
  { stream: { remoteAddress, remotePort } }: Redis,
  runId: string,
): Promise<Standing> {
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
  if (views.length <= sentinels.length / 2) return "unknown";
  // Of one that was just started again, or has just taken over, they do not know the run id yet.
  const isElsewhere = (view: readonly string[]) =>
    says(view, "ip") !== remoteAddress || says(view, "port") !== String(remotePort);
  const isIt = (view: readonly string[]) => says(view, "runid") === runId || !isElsewhere(view);
  if (views.every((view) => isIt(view) && says(view, "flags") === "master")) return "master";
  return views.every((view) => !isIt(view)) ? "replaced" : "unknown";
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
