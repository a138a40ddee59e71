import { intentIdOf } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { Fill } from "../../domain/order.ts";
import { slippageTicks } from "../../domain/slippage.ts";
import type { CopyEntry, CopyMeasure } from "./ports.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { AccountViews } from "../reads/ports.ts";

export interface MeasureCopyDeps {
  readonly views: Pick<AccountViews, "fills">;
  readonly describe: DescribeContract;
}

/** A copy is a handful of orders; so many fills of its account are looked through for its own. */
const FILLS_LOOKED_AT = 500;
/** Brokers' clocks are not the store's. */
const CLOCK_SLACK_MS = 60_000;

/** What is known of a copy once its intent has ended, its fills included. */
export async function measureCopy(
  { views, describe }: MeasureCopyDeps,
  entry: CopyEntry,
  record: IntentRecord,
): Promise<CopyMeasure> {
  const { sentAt, settledAt = record.acceptedAt } = record;
  const times = {
    settledMs: Math.max(0, settledAt - entry.leaderAt),
    ...(sentAt !== undefined && { sentMs: Math.max(0, sentAt - entry.leaderAt) }),
  };
  if (sentAt === undefined) return { filledQty: 0, ...times };
  const { items } = await views.fills(record.accountId, {
    limit: FILLS_LOOKED_AT,
    fromAt: record.acceptedAt - CLOCK_SLACK_MS,
  });
  const own = items.filter(
    ({ clOrdId }) => clOrdId !== undefined && intentIdOf(clOrdId) === record.intentId,
  );
  const [first] = own;
  if (first === undefined) return { filledQty: 0, ...times };

  // A copy buys or it sells; through flat it does the same twice.
  const filledQty = own.reduce((sum, { lastQty }) => sum + lastQty, 0);
  const worth = own.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0);
  const avgPx = { numerator: worth, denominator: filledQty };
  const slippage = slippageOf(entry, first, avgPx, describe);
  return {
    filledQty,
    avgPx,
    ...times,
    ...(slippage !== undefined && { slippageTicks: slippage }),
  };
}

function slippageOf(
  { leaderPx, leaderContract }: CopyEntry,
  { side, contract, terms }: Fill,
  avgPx: NonNullable<CopyMeasure["avgPx"]>,
  describe: DescribeContract,
): number | undefined {
  if (leaderPx === undefined || leaderContract === undefined) return undefined;
  const own = describe(contract, terms).tickSize;
  const leaders = describe(leaderContract).tickSize;
  if (own === undefined || leaders === undefined) return undefined;
  return slippageTicks(side, { px: avgPx, tickSize: own }, { px: leaderPx, tickSize: leaders });
}
