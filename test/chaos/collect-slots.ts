import type { ApiClient } from "../support/http-client.ts";
import type { Cluster } from "./cluster.ts";
import type { TradingStrategy } from "./evaluating.ts";
import type { Evaluating, ToldSlot } from "./history.ts";

/** As many as the gateway gives at once. */
const PAGE = 200;

/** As the gateway shows it; what the checks do not need is left out. */
interface EvaluationReply {
  readonly id: string;
  readonly accountId: string;
  readonly decision: ToldSlot["verdict"];
  readonly reason: string | null;
  readonly outcome: ToldSlot["outcome"];
  readonly outcomeReason: string | null;
  readonly intentId: string | null;
  readonly slotAt: string;
  readonly startedAt: string;
  readonly missed: { readonly fromAt: string; readonly slots: number } | null;
}

/** Evaluations that have begun and not ended. */
export async function openEvaluations({ redis, keys }: Cluster): Promise<number> {
  return await redis.hlen(keys.openEvaluations);
}

/** What became of every slot, as callers are told. */
export async function readEvaluating(
  cluster: Cluster,
  strategies: readonly TradingStrategy[],
  api: ApiClient,
): Promise<Omit<Evaluating, "untilAt" | "faults">> {
  const slots: ToldSlot[] = [];
  for (const { strategyId } of strategies) slots.push(...(await readSlots(strategyId, api)));
  return { strategies, slots, left: await openEvaluations(cluster) };
}

async function readSlots(strategyId: string, api: ApiClient): Promise<readonly ToldSlot[]> {
  const slots: ToldSlot[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await api.get(`/v1/strategies/${strategyId}/logs?limit=${PAGE}${after}`);
    if (reply.status !== 200) throw new Error(`A strategy's log cannot be read: ${reply.text}`);
    const logs = reply.body.logs as readonly EvaluationReply[];
    slots.push(...logs.map((log) => toTold(strategyId, log)));
    cursor = reply.body.nextCursor as string | null;
  }
  return slots;
}

function toTold(strategyId: string, told: EvaluationReply): ToldSlot {
  const { missed, intentId } = told;
  return {
    evaluationId: told.id,
    strategyId,
    account: told.accountId,
    slotAt: Date.parse(told.slotAt),
    startedAt: Date.parse(told.startedAt),
    verdict: told.decision,
    outcome: told.outcome,
    reason: told.outcomeReason ?? told.reason ?? "",
    ...(intentId !== null && { intentId }),
    ...(missed !== null && { missedFromAt: Date.parse(missed.fromAt), missedSlots: missed.slots }),
  };
}
