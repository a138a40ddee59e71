import type { IntentRecord } from "../../domain/intent.ts";
import { type ClOrdId, legIdOf } from "../../domain/ids.ts";
import type { GivenBack, SentClose } from "../../domain/carried-plan.ts";
import { isClosed, sign } from "../../domain/order.ts";
import { entryIdOf } from "./adjust/entry-id.ts";
import { type Close, hasFailed, newProgress, type Progress, standsAs } from "./closing/progress.ts";
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
  const { outcome } = record;
  const settled = outcome !== undefined && "settled" in outcome ? outcome.settled : [];
  const endedOf = ({ clOrdId }: { readonly clOrdId: ClOrdId }) =>
    settled.find((one) => one.clOrdId === clOrdId);
  const closes = looked.flatMap(({ close, shown }) => {
    if (shown !== undefined) return asClose(close, shown);
    const ended = endedOf(close);
    return ended === undefined || !("contract" in close)
      ? []
      : [{ ...close, ...ended, isOver: true }];
  });
  // One that the broker refused is tried again.
  const refused = closes.filter(hasFailed);
  const { unsent = 0, given: all = [] } = exitPlan ?? {};
  const given = all.filter((back) => endedOf(back) === undefined);
  const isBack = await shownAgain(given, task);
  const absent = [
    ...looked
      .filter(({ close, shown }) => shown === undefined && endedOf(close) === undefined)
      .map(({ close }) => close),
    ...given.filter((_, index) => isBack[index] !== true),
  ];
  const names = absent.map(({ clOrdId }) => clOrdId).join(" and ");
  const missing = `It was interrupted; the broker does not show its close ${names}, and is asked again`;
  // Retries of a close that the broker does not take are spaced further and further apart.
  const waitMs = Math.min(LONGEST_WAIT_MS, WAIT_MS * unsent);
  const isProven = absent.length === 0 || settler.isProven(record, look, missing, waitMs);
  const { opens } = exitPlan ?? {};
  const aim = exitPlan?.aim ?? (record.outcome?.kind === "held" ? record.outcome.aim : undefined);
  const progress: Progress = {
    ...newProgress(),
    closes: [
      ...closes.filter((close) => !hasFailed(close)),
      // It may still come.
      ...(isProven ? [] : absent.flatMap((close) => asClose(close, undefined))),
    ],
    unsent: unsent + refused.length + (isProven ? absent.length : 0),
    // As long as the write-ahead names them, the broker would be asked for them again.
    notPlaced: [...refused, ...all.filter((back) => endedOf(back) !== undefined)].map(
      ({ clOrdId }) => clOrdId,
    ),
    given: given.filter((_, index) => !isProven || isBack[index] === true),
    canceled: await findCanceled(record, broker),
    goesOn: true,
    sent: lastSent(record),
    ...(aim !== undefined && { aim }),
    ...(opens !== undefined && { opens }),
  };
  for (const cancel of exitPlan?.cancels ?? []) progress.cancels.set(cancel.orderId, cancel);
  return { progress, ...(!isProven && { missing }) };
}

/** Whether the broker shows one, of each pair of exits that was to be placed again. */
async function shownAgain(
  given: readonly GivenBack[],
  { record, broker }: LaneTask,
): Promise<readonly boolean[]> {
  return await Promise.all(
    given.map(async ({ clOrdId }) => {
      const legs = (["TAKE_PROFIT", "STOP_LOSS"] as const).map((leg) => legIdOf(clOrdId, leg));
      const found = await Promise.all(legs.map((leg) => broker.findOrder(record.accountId, leg)));
      return found.some((leg) => leg !== undefined && leg.ordStatus !== "REJECTED");
    }),
  );
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
  return counted.reduce((most, clOrdId) => Math.max(most, nthOf({ intentId }, clOrdId)), 0);
}

const nthOf = ({ intentId }: Pick<IntentRecord, "intentId">, clOrdId: ClOrdId): number =>
  Number(clOrdId.slice(intentId.length + 1));
