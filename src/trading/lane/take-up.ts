import type { IntentRecord } from "../../domain/intent.ts";
import type { SentClose } from "../../domain/carried-plan.ts";
import { isClosed, sign } from "../../domain/order.ts";
import { entryIdOf } from "./adjust/entry-id.ts";
import { type Close, newProgress, type Progress, standsAs } from "./end-rest.ts";
import type { LaneTask } from "./lane-deps.ts";
import { findCanceled, lookAtOrders, type ShownOrder } from "./settle/find-adjusted.ts";
import type { UnknownSettler } from "./settle/settle-unknown.ts";

/** The wait for each close that the broker did not take. */
const WAIT_MS = 600;
const LONGEST_WAIT_MS = 60_000;

export interface TakenUp {
  readonly progress: Progress;
  /** Which closes may still reach the broker, in words. */
  readonly missing?: string;
}

/**
 * How far an interrupted or waiting exit has come. A close that the broker shows neither as an order
 * nor by its fills may still arrive until its absence is proven; no other is sent beside it until then.
 */
export async function takeUp(
  task: LaneTask,
  settler: Pick<UnknownSettler, "look" | "isProven">,
): Promise<TakenUp> {
  const { record, broker } = task;
  const { clOrdIds, exitPlan } = record;
  const look = settler.look(record);
  const sent: readonly (SentClose | Pick<SentClose, "clOrdId">)[] =
    exitPlan?.closes ?? clOrdIds.map((clOrdId) => ({ clOrdId }));
  const found = await lookAtOrders(
    record,
    sent.map(({ clOrdId }) => clOrdId),
    broker,
  );
  const looked = sent.map((close, index) => ({ close, shown: found[index] }));
  const absent = looked.filter(({ shown }) => shown === undefined);
  const names = absent.map(({ close }) => close.clOrdId).join(" and ");
  const { unsent = 0 } = exitPlan ?? {};
  const missing = `It was interrupted; the broker does not show its close ${names}, and is asked again`;
  // Retries of a close that the broker does not take are spaced further and further apart.
  const waitMs = Math.min(LONGEST_WAIT_MS, WAIT_MS * unsent);
  const isProven = absent.length === 0 || settler.isProven(record, look, missing, waitMs);
  const { aim, opens } = exitPlan ?? {};
  const progress: Progress = {
    ...newProgress(),
    closes: looked.flatMap(({ close, shown }) =>
      shown === undefined && isProven ? [] : asClose(close, shown),
    ),
    unsent: unsent + (isProven ? absent.length : 0),
    canceled: await findCanceled(record, broker),
    goesOn: true,
    sent: lastSent(record),
    ...(aim !== undefined && { aim }),
    ...(opens !== undefined && { opens }),
  };
  for (const cancel of exitPlan?.cancels ?? []) progress.cancels.set(cancel.orderId, cancel);
  return { progress, ...(!isProven && { missing }) };
}

function asClose(
  sent: SentClose | Pick<SentClose, "clOrdId">,
  shown: ShownOrder | undefined,
): readonly Close[] {
  if (shown === undefined) {
    return "contract" in sent ? [{ ...sent, cumQty: 0, isOver: false }] : [];
  }
  const { clOrdId, contract, side, orderId, cumQty, report } = shown;
  // A close that only its fills show does not work any more.
  const isOver = report === undefined || isClosed(report.ordStatus);
  const order = report && { order: standsAs(report) };
  return [{ clOrdId, contract, direction: -sign(side), orderId, cumQty, isOver, ...order }];
}

/** How many of its identifiers are used already. */
function lastSent({ intentId, clOrdIds }: IntentRecord): number {
  const counted = clOrdIds.filter((clOrdId) => clOrdId !== entryIdOf(intentId));
  return Math.max(0, ...counted.map((clOrdId) => Number(clOrdId.slice(intentId.length + 1))));
}
