import type { Cluster, Redis } from "ioredis";

/** One server, or all of a Cluster: a command goes where its key lies. */
export type RedisClient = Redis | Cluster;
