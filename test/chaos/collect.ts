import { mastersOf } from "../../src/store/redis/redis-client.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { accountId, connectionId, intentId } from "../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../src/domain/intent.ts";
import { decodeIntent, RECORD_FIELDS } from "../../src/store/intents/intent-record.ts";
import { type ApiClient, apiClient } from "../support/http-client.ts";
import { laneName } from "../../queues/lane.ts";
import { symbolOf } from "./broker-view.ts";
import type { Cluster } from "./cluster.ts";
import { isCopied, readCopying } from "./collect-copies.ts";
import { openEvaluations, readEvaluating } from "./collect-slots.ts";
import type { TradingStrategy } from "./evaluating.ts";
import type { FollowedLeader } from "./following.ts";
import type { AccountEnd, Evaluating, History, Holdings, StoredIntent } from "./history.ts";
import type { Guarding } from "./guarding.ts";
import type { Call } from "./ledger.ts";

const POLL_MS = 300;
const SCAN_COUNT = 1_000;

/** A run that is looked at. */
export interface Watched {
  readonly cluster: Cluster;
  readonly apiKey: string;
  readonly groups: readonly FollowedLeader[];
  readonly strategies: readonly TradingStrategy[];
}

/** What is known of it without asking. */
export interface Loaded extends Pick<Evaluating, "untilAt" | "faults"> {
  readonly calls: readonly Call[];
  readonly guarding: Guarding;
}

/** Takes every fault away, and gets up whatever is down. */
export async function heal({ members, wires, store, broker }: Cluster): Promise<void> {
  await store.heal();
  for (const { proxy, connection } of wires) {
    proxy.clear();
    await broker.delayAnswers(connection, 0);
  }
  for (const member of members) {
    if (!member.isRunning) member.start();
  }
}

/** Waits until nothing is under way any more; answers whether that came in time. */
export async function untilQuiet(watched: Watched, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    // Whatever fails here is up again a moment later.
    if (await isQuiet(watched).catch(() => false)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function isQuiet({ cluster, apiKey, groups }: Watched): Promise<boolean> {
  const { wires, leases, accounts, members } = cluster;
  if (!members.every(({ isUp }) => isUp)) return false;
  const standing = await Promise.all(
    wires.map((wire) => leases.read(connectionId(wire.connection))),
  );
  if (!standing.every((lease) => lease?.status === "CONNECTED")) return false;
  if ((await jobsOnLanes(cluster)) > 0) return false;
  const api = clientOf(cluster, apiKey);
  for (const account of accounts) {
    const { status, body } = await api.get(`/v1/accounts/${account}/intents?state=unsettled`);
    if (status !== 200 || body.intents.length > 0) return false;
  }
  if (!(await isCopied(cluster, groups, api))) return false;
  if ((await openEvaluations(cluster)) > 0) return false;
  const ends = await readEnds(cluster, api);
  return Object.values(ends).every(({ broker, gateway }) => isSame(broker, gateway));
}

/** Reads the run's end from all its sides. */
export async function collect(
  { cluster, apiKey, groups, strategies }: Watched,
  { calls, guarding, ...loaded }: Loaded,
): Promise<History> {
  const api = clientOf(cluster, apiKey);
  return {
    calls,
    intents: await readIntents(cluster),
    log: await cluster.broker.log(),
    closesByOrder: cluster.broker.closesByOrder,
    ends: await readEnds(cluster, api),
    jobsLeft: await jobsOnLanes(cluster),
    copying: await readCopying(cluster, groups, api),
    evaluating: { ...(await readEvaluating(cluster, strategies, api)), ...loaded },
    guarding,
  };
}

function clientOf({ members }: Cluster, apiKey: string): ApiClient {
  const ingress = members.find(({ takesCalls, isUp }) => takesCalls && isUp);
  return apiClient(ingress?.url ?? "", apiKey);
}

async function jobsOnLanes({ redis, keys, accounts }: Cluster): Promise<number> {
  const counts = await Promise.all(
    accounts.flatMap((account) =>
      ["wait", "active"].map((list) =>
        redis.llen(`${keys.lanes}:${laneName(accountId(account))}:${list}`),
      ),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function readEnds(
  { broker, accounts }: Cluster,
  api: ApiClient,
): Promise<Record<string, AccountEnd>> {
  const all = await broker.positions();
  const ends: Record<string, AccountEnd> = {};
  for (const account of accounts) {
    const { body } = await api.get(`/v1/accounts/${account}/positions`);
    const held = all.get(account) ?? [];
    ends[account] = {
      broker: Object.fromEntries(held.map(({ contract, netQty }) => [symbolOf(contract), netQty])),
      gateway: readGatewayPositions(body),
    };
  }
  return ends;
}

function readGatewayPositions(body: unknown): Holdings {
  // A gateway that does not answer shows nothing, which the checks will find.
  const { positions = [] } = (body ?? {}) as {
    readonly positions?: readonly { symbol: string; side: string; qty: number }[];
  };
  return Object.fromEntries(
    positions.map(({ symbol, side, qty }) => [symbol, side === "long" ? qty : -qty]),
  );
}

/** Every record, straight from Redis: nothing has expired within a run. */
async function readIntents({ redis, keys }: Cluster): Promise<StoredIntent[]> {
  const found = new Set<string>();
  const match = `${keys.prefix}:{*}:intent:*`;
  for (const node of mastersOf(redis)) {
    let cursor = "0";
    do {
      const [next, page] = await node.scan(cursor, "MATCH", match, "COUNT", SCAN_COUNT);
      for (const key of page) found.add(key);
      cursor = next;
    } while (cursor !== "0");
  }
  const read = await Promise.all(
    [...found].map(async (key) => toStored(key, await redis.hgetall(key))),
  );
  return read.filter((intent) => intent !== undefined);
}

/** Undefined for what has no record. */
export function toStored(
  key: string,
  hash: Readonly<Record<string, string>>,
): StoredIntent | undefined {
  const account = /\{(.*)\}/.exec(key)?.[1] ?? "";
  const id = key.slice(key.lastIndexOf(":") + 1);
  const fields = RECORD_FIELDS.map((name) => hash[name]);
  const record = decodeIntent(accountId(account), intentId(id), fields);
  if (record === undefined) return undefined;
  const { intent, outcome } = record;
  return {
    intentId: record.intentId,
    account,
    requestId: record.requestId,
    via: record.source.kind,
    kind: intent.kind,
    acceptedAt: record.acceptedAt,
    state: record.state,
    seq: Number(hash["seq"]),
    ...(hash["sentAt"] !== undefined && { sentAt: Number(hash["sentAt"]) }),
    wasHeld: hash["replyTo"] !== undefined,
    clOrdIds: record.clOrdIds,
    reason: outcome !== undefined && "reason" in outcome ? outcome.reason : "",
    ...exitsOf(intent, outcome),
    ...(intent.kind === "ADJUST" && { aim: intent.aim }),
    ...(outcome?.kind === "done" &&
      outcome.result.kind === "ADJUST" && { problems: outcome.result.problems }),
  };
}

function exitsOf(intent: Intent, ended: Outcome | undefined): Pick<StoredIntent, "exits"> {
  const hasExits = intent.kind === "PLACE" && intent.order.bracket !== undefined;
  if (!hasExits || ended?.kind !== "done" || ended.result.kind !== "PLACE") return {};
  // Nothing that it opened was to have them.
  if (ended.result.problems !== undefined) return {};
  return { exits: ended.result.order.legsUnconfirmed ? "unconfirmed" : "standing" };
}

function isSame(one: Holdings, other: Holdings): boolean {
  const symbols = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...symbols].every((symbol) => one[symbol] === other[symbol]);
}
