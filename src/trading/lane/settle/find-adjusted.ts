import { type AdjustIntent, isMeantBy, planAdjust, positionsFor } from "../../../domain/adjust.ts";
import type { ClOrdId, OrderId } from "../../../domain/ids.ts";
import { exitsIn, protectsAll } from "../../../domain/asked-exits.ts";
import { type IntentRecord, type Outcome, soFarOf } from "../../../domain/intent.ts";
import type { IntentResult } from "../../../domain/intent-result.ts";
import type { AskedExits } from "../../../domain/working-exits.ts";
import { counted, type Fill, isClosed, type OrderReport, sign } from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";
import { openedBy } from "../../../domain/overtaking.ts";
import { isCovered } from "../../reads/protection.ts";
import { entryIdOf } from "../adjust/entry-id.ts";
import { readSnapshot, type Snapshot } from "../read-snapshot.ts";
import { CLOCK_SLACK_MS, soughtClose, type SoughtOrder } from "./find-nameless.ts";
import { type Finding, findSent, type FoundOrder } from "./find-placed.ts";
import { findProtection } from "./find-legs.ts";
import type { SentCancel } from "../../../domain/carried-plan.ts";

type Adjusted = Extract<IntentResult, { kind: "ADJUST" }>;

/** One order of the adjustment as the broker shows it, by its report or by its fills. */
export interface ShownOrder extends Pick<OrderReport, "orderId" | "contract" | "side" | "cumQty"> {
  readonly clOrdId: ClOrdId;
  /** Absent where only fills are left of it. */
  readonly report?: OrderReport;
}

/** All that is found of an interrupted adjustment. */
interface Found {
  /** Without the entry. */
  readonly closes: readonly ShownOrder[];
  readonly entry?: { readonly shown: ShownOrder; readonly found: FoundOrder };
  readonly canceledOrderIds: readonly OrderId[];
  readonly snapshot: Snapshot;
  /** What became of the exits of what stood, where they were begun. */
  readonly protection?: Finding;
}

/**
 * What became of an adjustment that was interrupted. Nothing more of it is sent: what was found is
 * what it achieved, what it cancelled among it, and it ends as lost where that is nothing.
 */
export async function findAdjusted(
  record: IntentRecord,
  intent: AdjustIntent,
  broker: Broker,
): Promise<Finding> {
  const { accountId, intentId, clOrdIds, exitPlan } = record;
  const entryId = entryIdOf(intentId);
  const looked = await lookAtOrders(record, clOrdIds, broker);
  const shown = looked.filter((one) => one !== undefined);
  const entry = shown.find(({ clOrdId }) => clOrdId === entryId);
  const { contract, terms } = intent;
  const found = entry && (await findSent(record, entryId, { ...terms, contract }, broker));
  const closes = shown.filter((one) => one !== entry);
  const protection = record.plan && (await findProtection(record, broker));
  const snapshot = await readSnapshot(accountId, broker, (code) => isMeantBy(intent, code));
  const isShown = (clOrdId: ClOrdId) => shown.some((one) => one.clOrdId === clOrdId);
  const closesMissing = exitPlan?.closes.filter(({ clOrdId }) => !isShown(clOrdId)) ?? [];
  const isEntryMissing = clOrdIds.includes(entryId) && entry === undefined;
  const seen = protection?.kind === "absent" ? `. ${protection.waiting}` : "";
  return {
    kind: "absent",
    waiting: `It was interrupted; the broker shows ${shown.length} of its orders, and is asked again${seen}`,
    sought: [
      ...closesMissing.map(soughtClose),
      ...(isEntryMissing ? [soughtEntry(intent)] : []),
      ...(protection?.kind === "absent" ? protection.sought : []),
    ],
    afterwards: judge(intent, {
      closes,
      canceledOrderIds: [...(await findCanceled(record, broker)).keys()],
      snapshot,
      ...(protection !== undefined && { protection }),
      ...(entry !== undefined && found !== undefined && { entry: { shown: entry, found } }),
    }),
  };
}

/** Its size depended on the position at that time. */
function soughtEntry(intent: AdjustIntent): SoughtOrder {
  const { contract, isFrontMonth } = intent;
  const side = openedBy(intent)?.side;
  return { contract, side, ...(isFrontMonth && { isFrontMonth }) };
}

/** Orders of an intent as the broker shows them; undefined in the place of one that it does not show. */
export async function lookAtOrders(
  { accountId, sentAt, acceptedAt }: IntentRecord,
  clOrdIds: readonly ClOrdId[],
  broker: Broker,
): Promise<readonly (ShownOrder | undefined)[]> {
  if (clOrdIds.length === 0) return [];
  const fills = await broker.fills(accountId, (sentAt ?? acceptedAt) - CLOCK_SLACK_MS);
  return await Promise.all(
    clOrdIds.map(async (clOrdId) =>
      shownOrder(clOrdId, await broker.findOrder(accountId, clOrdId), fills),
    ),
  );
}

/** One order by its report, or by its fills where only they are left. */
function shownOrder(
  clOrdId: ClOrdId,
  report: OrderReport | undefined,
  fills: readonly Fill[],
): ShownOrder | undefined {
  if (report !== undefined) {
    const { orderId, contract, side, cumQty } = report;
    return { clOrdId, orderId, contract, side, cumQty, report };
  }
  const own = fills.filter((fill) => fill.clOrdId === clOrdId);
  const [first] = own;
  if (first === undefined) return undefined;
  const { orderId, contract, side } = first;
  const cumQty = counted(own).reduce((sum, { lastQty }) => sum + lastQty, 0);
  return { clOrdId, orderId, contract, side, cumQty };
}

function judge(intent: AdjustIntent, found: Found): Outcome {
  const { closes, entry, snapshot, canceledOrderIds } = found;
  const traded = closes.filter(({ cumQty }) => cumQty > 0);
  const working = closes.filter(({ report }) => report && !isClosed(report.ordStatus));
  const placed = entry?.found.kind === "done" ? entry.found.result : undefined;
  const protection = outcomeOf(found);
  const isDone = traded.length > 0 || canceledOrderIds.length > 0 || placed !== undefined;
  const isInVain = !isDone && working.length === 0;
  if (isInVain && protection?.kind !== "done") return protection ?? inVain(found);

  const { contract = intent.contract, order } = placed ?? {};
  const held = positionsFor(intent, snapshot.positions);
  const shown = held.find((one) => one.contract === contract);
  const result: Adjusted = {
    kind: "ADJUST",
    contract,
    closed: traded.map(({ side, cumQty, orderId, contract: closed }) => ({
      contract: closed,
      netQty: -sign(side) * cumQty,
      orderId,
    })),
    canceledOrderIds,
    ...(entry !== undefined &&
      order !== undefined && { order: { ...order, ...sizeOf(entry.shown) } }),
    netQty: shown?.netQty ?? 0,
    exits: exitsAfter(intent, found),
    problems: problemsOf(intent, found),
  };
  return { kind: "done", result };
}

function outcomeOf({ protection }: Found): Outcome | undefined {
  return protection?.kind === "settled" ? protection.outcome : protection?.afterwards;
}

/** Of what stands, and what was not opened by its own order. */
function exitsAfter(intent: AdjustIntent, found: Found): AskedExits {
  const { bracket } = intent.terms;
  const protection = outcomeOf(found);
  if (protection?.kind === "done" && protection.result.kind === "PROTECT") {
    return { ...protection.result, kind: "standing" };
  }
  const [held] = positionsFor(intent, found.snapshot.positions);
  if (bracket === undefined || !protectsAll(intent.aim) || held === undefined) return NONE;
  const { contract } = held;
  const missing = exitsIn(bracket).filter((exit) => !isCovered(held, exit, found.snapshot.working));
  return missing.length === 0 ? NONE : { kind: "missing", contract, exits: missing };
}

const NONE = { kind: "none" } as const;

/** The broker had an order of it and refused it, or had none. */
function inVain({ closes, entry }: Found): Outcome {
  if (entry?.found.kind === "rejected") return entry.found;
  const refused = closes.find(({ report }) => report !== undefined)?.report;
  if (refused !== undefined) {
    return { kind: "rejected", reason: refused.text ?? "The broker ended the close unfilled" };
  }
  const reason =
    "The broker never had an order of it. What rests in the symbol may be cancelled, exits of the position among it";
  return { kind: "lost", reason };
}

function problemsOf(intent: AdjustIntent, found: Found): readonly string[] {
  const { closes, entry } = found;
  const protection = outcomeOf(found);
  const unprotected = protection?.kind === "done" ? undefined : protection;
  const isFilling = closes.some(({ report }) => report && !isClosed(report.ordStatus));
  const rejected = entry?.found.kind === "rejected" ? entry.found : undefined;
  return [
    ...(isFilling ? ["A close is still being filled"] : []),
    ...(unprotected === undefined ? [] : [`Its exits are not as asked: ${unprotected.reason}`]),
    ...(rejected === undefined ? [] : [`The order was not placed: ${rejected.reason}`]),
    ...(isReached(intent, found) ? [] : ["It was interrupted, and nothing more of it is sent"]),
  ];
}

/** Whether all of it was done, as far as what was found and what is held can tell. */
function isReached(intent: AdjustIntent, { closes, entry, snapshot }: Found): boolean {
  // One that was refused is reported as refused.
  if (entry !== undefined) return true;
  const { aim } = intent;
  const held = positionsFor(intent, snapshot.positions);
  const closed = closes.reduce((sum, { cumQty }) => sum + cumQty, 0);
  switch (aim.to) {
    case "position": {
      const { contract, isFrontMonth } = intent;
      const { bracket: _, ...terms } = intent.terms;
      const only = {
        kind: "ADJUST",
        contract,
        aim,
        terms,
        ...(isFrontMonth && { isFrontMonth }),
      } as const;
      return planAdjust(only, snapshot, String).kind === "nothing";
    }
    case "close":
      if (held.length === 0) return true;
      return "qty" in aim ? closed >= aim.qty : aim.percent < 100 && closed > 0;
    case "enter":
      // Only a part of the other side was to go, and the rest of it is there.
      return aim.whenOpposite === "reduceIfLess" && closed >= aim.qty && held.length > 0;
    case "order":
    case "reverse":
    case "add":
      return false;
  }
}

/** Of an order that only its fills tell of, what it was larger than they are is not known. */
const sizeOf = ({ side, cumQty, report }: ShownOrder) => ({
  side,
  orderQty: report?.orderQty ?? cumQty,
});

/** What was cancelled of what was to be, as far as it was said or the broker shows it. */
export async function findCanceled(
  { exitPlan, outcome, accountId, sentAt, acceptedAt }: IntentRecord,
  broker: Pick<Broker, "findOrder" | "workingOrders" | "fills">,
): Promise<Map<OrderId, SentCancel>> {
  const soFar = soFarOf(outcome);
  const said = new Set(soFar && "canceledOrderIds" in soFar ? soFar.canceledOrderIds : []);
  const isCanceled = async (clOrdId: ClOrdId | undefined) =>
    clOrdId !== undefined && (await broker.findOrder(accountId, clOrdId))?.ordStatus === "CANCELED";
  const cancels = exitPlan?.cancels ?? [];
  const hasForeign = cancels.some(({ clOrdId }) => clOrdId === undefined);
  // A broker shows an order without a name of ours only while it works.
  const seen = hasForeign
    ? [
        ...(await broker.workingOrders(accountId)),
        ...(await broker.fills(accountId, (sentAt ?? acceptedAt) - CLOCK_SLACK_MS)),
      ]
    : [];
  const canceled = new Map<OrderId, SentCancel>();
  for (const cancel of cancels) {
    const { orderId, clOrdId } = cancel;
    const isGone = clOrdId === undefined && !seen.some((one) => one.orderId === orderId);
    if (said.has(orderId) || isGone || (await isCanceled(clOrdId))) canceled.set(orderId, cancel);
  }
  return canceled;
}
