import type { ClOrdId } from "../../../domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../../domain/intent.ts";
import {
  beforeSending,
  type LaneDeps,
  type LaneTask,
  mayHaveBegun,
  STORE_CLOCK_SLACK_MS,
} from "../lane-deps.ts";
import { entryIdOf } from "./entry-id.ts";

/** An adjustment has at most three rounds of a cancel and a close, a cancel before and one after. */
const MOST_LOOKED_FOR = 8;

/**
 * Looks for orders of an adjustment that the store shows as unsent (`mayHaveBegun`). Where the broker
 * has any, the adjustment is not begun again: it is looked up like one that was interrupted.
 */
export async function findBegun(deps: LaneDeps, task: LaneTask): Promise<Outcome | undefined> {
  if (!mayHaveBegun(task)) return undefined;
  const found = await findOwn(task);
  if (found.length === 0) return undefined;
  for (const clOrdId of found) {
    const refused = await beforeSending(deps, task, { clOrdId });
    if (refused !== undefined && !task.isBegun) return refused;
  }
  return { kind: "unknown", reason: "It was begun before; what became of it is looked up" };
}

async function findOwn({ record, broker }: LaneTask): Promise<readonly ClOrdId[]> {
  const { accountId, intentId, acceptedAt } = record;
  const counted = Array.from({ length: MOST_LOOKED_FOR }, (_, index) =>
    clOrdIdOf(intentId, index + 1),
  );
  const fills = await broker.fills(accountId, acceptedAt - STORE_CLOCK_SLACK_MS);
  const filled = new Set(fills.map(({ clOrdId }) => clOrdId));
  const looked = await Promise.all(
    [...counted, entryIdOf(intentId)].map(async (clOrdId) => {
      const isThere =
        filled.has(clOrdId) || (await broker.findOrder(accountId, clOrdId)) !== undefined;
      return isThere ? [clOrdId] : [];
    }),
  );
  return looked.flat();
}
