import { clOrdIdOf, isUnsettled } from "../../src/domain/intent.ts";
import { type ClOrdId, intentIdOf, type IntentId, legOf, sentIdOf } from "../../src/domain/ids.ts";
import { entryIdOf } from "../../src/trading/lane/adjust/entry-id.ts";
import { aimedAt, findBadShape, findMove } from "./adjusted.ts";
import { type BrokerView, readBrokerLog, type SentOrder } from "./broker-view.ts";
import {
  copiesHaveTheirEvents,
  followersHoldNothingElse,
  followersOnTarget,
  noFollowerStopped,
  oldOpensNothing,
} from "./copies.ts";
import { groupBy } from "./group-by.ts";
import type { History, Holdings, StoredIntent } from "./history.ts";
import {
  guardsJudge,
  guardsOnlyClose,
  lockedIsFlat,
  lockedIsNotSent,
  locksLast,
} from "./guards.ts";
import { type Call, isSafe, isToldAccepted, isToldDone } from "./ledger.ts";
import { findRepeat } from "./same-alert.ts";
import {
  noSlotLeft,
  slotsBegunInTime,
  slotsSendOnce,
  slotsToldOnce,
  strategiesHoldOneEntry,
  toldSlotsAreTrue,
} from "./slots.ts";
import { noSlotInVain } from "./slots-in-vain.ts";
import type { Finding, Verdict, Violation } from "./verdict.ts";

/** The history with what the checks look up in it. */
interface Facts extends History, BrokerView {
  /**
   * Exits that an adapter placed itself for an entry whose broker takes none along: part of that
   * entry's one order, and named after it. They are in no order with what is accepted after it.
   */
  readonly exits: readonly SentOrder[];
  readonly byId: ReadonlyMap<string, StoredIntent>;
  readonly byRequest: ReadonlyMap<string, readonly StoredIntent[]>;
  readonly sentFor: ReadonlyMap<string, readonly SentOrder[]>;
  readonly orderIds: ReadonlySet<string>;
  readonly byAccount: ReadonlyMap<string, readonly StoredIntent[]>;
}

type Check = (facts: Facts) => Finding;

/**
 * A flatten goes round three times, for each contract held, and once more so where it was
 * interrupted; a cancel may place two legs again. An adjustment closes as a flatten does, and has one
 * order more: what opens, or what closes a part.
 */
const MOST_ORDERS = {
  PLACE: 1,
  MODIFY: 0,
  CANCEL: 2,
  PROTECT: 4,
  FLATTEN: 6,
  CANCEL_ENTRIES: 0,
  ADJUST: 7,
  // A cancel, and an order at the market.
  TIMEOUT: 1,
} as const;

/** Of these, all that were accepted place one order at most. */
const PLACING: ReadonlySet<string> = new Set(["PLACE", "ADJUST"]);

/** "Rules for money": these say that nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set(["DENIED", "NOTSENT", "EXPIRED", "WITHDRAWN"]);

const CHECKS: Readonly<Record<string, Check>> = {
  "nothing accepted is lost": nothingLost,
  "no order is doubled": nothingDoubled,
  "orders leave in the order of acceptance": inOrder,
  "every order has its intent": everyOrderHasItsIntent,
  "not sent is true": notSentIsTrue,
  "what is stopped is not sent": stoppedIsNotSent,
  "done is true": doneIsTrue,
  "exits that were told are there": toldExitsStand,
  "a flatten only closes": flattensOnlyClose,
  "an adjustment closes first, and opens once": adjustmentsInShape,
  "an adjustment ends where it aims": adjustmentsOnAim,
  "positions agree on all sides": positionsAgree,
  "nothing is left unsettled": nothingUnsettled,
  "no more orders than intents": noMoreOrdersThanIntents,
  "a copy has its event, and is told": copiesHaveTheirEvents,
  "a follower never holds what its leader did not come to": followersHoldNothingElse,
  "followers hold what their leaders come to": followersOnTarget,
  "what a leader did long ago opens nothing": oldOpensNothing,
  "no follower is stopped": noFollowerStopped,
  "every slot is told once": slotsToldOnce,
  "a slot sends once, and what it decided": slotsSendOnce,
  "a strategy holds one entry, or nothing": strategiesHoldOneEntry,
  "what a slot is told to come to is true": toldSlotsAreTrue,
  "no slot is begun late": slotsBegunInTime,
  "no slot is left open": noSlotLeft,
  "no slot is in vain but for a fault": noSlotInVain,
  "no entry is sent once its account is locked": lockedIsNotSent,
  "what is locked is flat in time": lockedIsFlat,
  "a lock lasts until its time": locksLast,
  "guards only close": guardsOnlyClose,
  "guards are judged at the end": guardsJudge,
};

/** Holds a run against everything that must be true of every run. */
export function judge(history: History): readonly Verdict[] {
  const facts = gather(history);
  return Object.entries(CHECKS).map(([name, check]) => ({ name, ...check(facts) }));
}

function gather(history: History): Facts {
  const byId = new Map(history.intents.map((intent) => [intent.intentId, intent]));
  const isClose = (clOrdId: string) => history.closesByOrder && isMeantToClose(clOrdId, byId);
  const view = readBrokerLog(history.log, isClose);
  const [exits, sent] = divide(view.sent, (order) => isExitOfEntry(order, byId));
  return {
    ...history,
    ...view,
    sent,
    exits,
    byId,
    byRequest: groupBy(history.intents, ({ requestId }) => requestId),
    sentFor: groupBy(sent, ({ intentId }) => intentId ?? ""),
    orderIds: new Set(sent.map(({ entry }) => entry.orderId ?? "")),
    byAccount: groupBy(history.intents, ({ account }) => account),
  };
}

function nothingLost({ calls, byId, orderIds }: Facts) {
  let checked = 0;
  const violations: Violation[] = [];
  for (const { account, plan, attempts } of calls) {
    const own = new Set(attempts.map(({ requestId }) => requestId));
    for (const attempt of attempts.filter(isToldAccepted)) {
      checked += 1;
      const { intentId = "", orderId } = attempt.told;
      const intent = byId.get(intentId);
      const fail = (what: string) => violations.push({ account, intentIds: [intentId], what });
      const told = `call ${plan.number} was told ${attempt.status} ${attempt.told.outcome ?? ""}`;
      if (intent === undefined) fail(`${told}, and there is no record`);
      else if (!own.has(intent.requestId)) fail(`${told}, of another call`);
      else if (isToldDone(attempt)) {
        if (intent.state !== "DONE") fail(`${told}, and the record says ${intent.state}`);
        const isOrder = intent.kind === "PLACE" || orderId !== undefined;
        if (isOrder && !orderIds.has(orderId ?? "")) fail(`${told}, and the broker has no order`);
      } else if (isUnsettled(intent.state)) fail(`${told}, and it is still ${intent.state}`);
    }
  }
  return { checked, violations };
}

function nothingDoubled({ calls, byRequest, sent, exits, sentFor, byId, byAccount }: Facts) {
  const violations: Violation[] = [];
  for (const orders of groupBy(
    [...sent, ...exits],
    (order) => `${order.account} ${order.clOrdId}`,
  ).values()) {
    const [first] = orders;
    if (first === undefined || orders.length === 1) continue;
    const { account, intentId = "", clOrdId } = first;
    const what = `${clOrdId} was accepted ${orders.length} times`;
    violations.push({ account, intentIds: [intentId], what });
  }
  for (const [intentId, orders] of sentFor) {
    const intent = byId.get(intentId);
    if (intent === undefined || orders.length <= MOST_ORDERS[intent.kind]) continue;
    const what = `a ${intent.kind} has ${orders.length} orders`;
    violations.push({ account: intent.account, intentIds: [intentId], what });
  }
  for (const call of calls) {
    const { account, plan } = call;
    // One that is done counts too where nothing was to be sent: a copy of it had to be known.
    const acted = intentsOf(call, byRequest).filter(
      ({ state, intentId }) => state === "DONE" || sentFor.has(intentId),
    );
    const repeat = findRepeat(plan, acted, byAccount.get(account) ?? []);
    if (repeat === undefined) continue;
    const intentIds = repeat.map(({ intentId }) => intentId);
    const what = `call ${plan.number} (${repeat[0].kind}) was carried out ${acted.length} times`;
    violations.push({ account, intentIds, what });
  }
  return { checked: sent.length + calls.length, violations };
}

/**
 * An order that was sent after one that was accepted later. Only one that had to wait behind an
 * unknown outcome may be passed, and only by what reduces risk and did not wait itself. So may a later
 * close of an exit that goes on.
 */
function inOrder({ sent, byId }: Facts) {
  let checked = 0;
  const violations: Violation[] = [];
  for (const [account, orders] of groupBy(sent, (order) => order.account)) {
    let newest: StoredIntent | undefined;
    let newestThatMayNotPass: StoredIntent | undefined;
    for (const { intentId = "", clOrdId, reduces } of orders) {
      const intent = byId.get(intentId);
      if (intent === undefined) continue;
      checked += 1;
      const goesOn = isMeantToClose(clOrdId, byId) && clOrdId !== firstIdOf(intent);
      const before = intent.wasHeld || goesOn ? newestThatMayNotPass : newest;
      if (before !== undefined && before.seq > intent.seq) {
        const what = `number ${intent.seq} (${intent.kind}) was sent after number ${before.seq} (${before.kind})`;
        violations.push({ account, intentIds: [intent.intentId, before.intentId], what });
      }
      newest = later(newest, intent);
      if (!reduces || intent.wasHeld) newestThatMayNotPass = later(newestThatMayNotPass, intent);
    }
  }
  return { checked, violations };
}

function everyOrderHasItsIntent({ sent, exits, byId }: Facts) {
  const all = [...sent, ...exits];
  const violations = all.flatMap(({ account, clOrdId, intentId = "" }): Violation[] => {
    // Of exits, what they are exits of was written ahead.
    const written = sentIdOf(clOrdId as ClOrdId);
    if (byId.get(intentId)?.clOrdIds.includes(written) === true) return [];
    const what = `no record says that it sent ${clOrdId}`;
    return [{ account, intentIds: [intentId], what }];
  });
  return { checked: all.length, violations };
}

function notSentIsTrue({ intents, calls, byRequest, sentFor }: Facts) {
  let checked = 0;
  const violations: Violation[] = [];
  for (const { intentId, account, state, kind } of intents) {
    const saysSo = UNSENT.has(state) || (PLACING.has(kind) && ["LOST", "REJECTED"].includes(state));
    if (!saysSo) continue;
    checked += 1;
    if (!sentFor.has(intentId)) continue;
    violations.push({ account, intentIds: [intentId], what: `${state}, and it has an order` });
  }
  for (const { account, plan, attempts } of calls) {
    for (const attempt of attempts.filter(isSafe)) {
      checked += 1;
      const ids = (byRequest.get(attempt.requestId) ?? []).map(({ intentId }) => intentId);
      if (!ids.some((id) => sentFor.has(id))) continue;
      const what = `call ${plan.number} was told that it is safe to repeat, and it has an order`;
      violations.push({ account, intentIds: ids, what });
    }
  }
  return { checked, violations };
}

/** A limit and the end of a webhook hold for the very next request. */
function stoppedIsNotSent({ calls, byRequest, sentFor }: Facts) {
  const stopped = calls.filter(({ stoppedBy }) => stoppedBy !== undefined);
  const violations = stopped.flatMap((call): Violation[] => {
    const ids = intentsOf(call, byRequest).map(({ intentId }) => intentId);
    const isSent = ids.some((id) => sentFor.has(id));
    // What has no webhook is not even accepted; what is beyond a limit may be, and is denied then.
    const isAccepted = call.stoppedBy === "webhook" && ids.length > 0;
    if (!isSent && !isAccepted) return [];
    const came = isSent ? "has an order" : "was accepted";
    const what = `call ${call.plan.number} was stopped by its ${call.stoppedBy}, and ${came}`;
    return [{ account: call.account, intentIds: ids, what }];
  });
  return { checked: stopped.length, violations };
}

function doneIsTrue({ intents, sentFor }: Facts) {
  const done = intents.filter(({ state, kind }) => state === "DONE" && kind === "PLACE");
  const violations = done.flatMap(({ account, intentId }): Violation[] => {
    const orders = sentFor.get(intentId)?.length ?? 0;
    return orders === 1
      ? []
      : [{ account, intentIds: [intentId], what: `done with ${orders} orders` }];
  });
  return { checked: done.length, violations };
}

/** Where nothing was told of a missing exit, the position counts as protected. */
function toldExitsStand({ intents, sent, exits }: Facts) {
  const told = intents.filter(({ exits: told }) => told === "standing");
  const protectedIds = new Set([
    ...sent.filter(({ hasExits }) => hasExits).map(({ clOrdId }) => clOrdId),
    ...exits.map(({ clOrdId }) => sentIdOf(clOrdId as ClOrdId)),
  ]);
  const violations = told.flatMap(({ account, intentId, clOrdIds }): Violation[] => {
    if (clOrdIds.some((id) => protectedIds.has(id))) return [];
    return [{ account, intentIds: [intentId], what: "its exits were told, and never placed" }];
  });
  return { checked: told.length, violations };
}

function flattensOnlyClose({ sent, byId }: Facts) {
  const own = sent.filter(({ intentId = "" }) => byId.get(intentId)?.kind === "FLATTEN");
  const violations = own.flatMap(({ account, clOrdId, intentId = "", op }): Violation[] => {
    if (op === "closePosition") return [];
    const what = `${clOrdId} of a flatten is no close of what was held`;
    return [{ account, intentIds: [intentId], what }];
  });
  return { checked: own.length, violations };
}

function adjustmentsInShape({ sentFor, byId }: Facts) {
  let checked = 0;
  const violations: Violation[] = [];
  for (const [intentId, orders] of sentFor) {
    const intent = byId.get(intentId);
    if (intent?.kind !== "ADJUST") continue;
    checked += 1;
    const what = findBadShape(intentId, orders);
    if (what === undefined) continue;
    violations.push({ account: intent.account, intentIds: [intentId], what });
  }
  return { checked, violations };
}

/** Only where the broker's log can tell: nothing else of the account traded in between. */
function adjustmentsOnAim({ intents, trades }: Facts) {
  let checked = 0;
  const violations: Violation[] = [];
  for (const { intentId, account, aim, problems } of intents) {
    if (aim === undefined || problems?.length !== 0) continue;
    const move = findMove(intentId, trades.get(account) ?? []);
    const aimed = move && aimedAt(aim, move.before);
    if (move === undefined || aimed === undefined) continue;
    checked += 1;
    if (move.after === aimed) continue;
    const what = `${JSON.stringify(aim)} led from ${move.before} to ${move.after}, not to ${aimed}`;
    violations.push({ account, intentIds: [intentId], what });
  }
  return { checked, violations };
}

function positionsAgree({ ends, filled }: Facts) {
  const violations = Object.entries(ends).flatMap(([account, { broker, gateway }]): Violation[] => {
    const fills = withoutZeros(Object.fromEntries(filled.get(account) ?? []));
    const sides = [fills, broker, gateway].map(inWords);
    if (new Set(sides).size === 1) return [];
    const what = `fills say ${sides[0]}, the broker ${sides[1]}, the gateway ${sides[2]}`;
    return [{ account, intentIds: [], what }];
  });
  return { checked: Object.keys(ends).length, violations };
}

function nothingUnsettled({ intents, jobsLeft }: Facts) {
  const violations = intents
    .filter(({ state }) => isUnsettled(state))
    .map(({ account, intentId, state, reason }) => {
      return { account, intentIds: [intentId], what: `still ${state}: ${reason}` };
    });
  if (jobsLeft > 0) violations.push({ account: "", intentIds: [], what: `${jobsLeft} jobs left` });
  return { checked: intents.length, violations };
}

function noMoreOrdersThanIntents({ intents, sent }: Facts) {
  const places = intents.filter(({ kind }) => PLACING.has(kind)).length;
  const orders = sent.filter(({ op }) => op === "submitOrder").length;
  const what = `${orders} orders for ${places} intents`;
  return {
    checked: orders,
    violations: orders > places ? [{ account: "", intentIds: [], what }] : [],
  };
}

const firstIdOf = ({ intentId }: StoredIntent) => clOrdIdOf(intentId as IntentId, 1);

/** What a flatten sends, and of an adjustment all but its entry. */
function isMeantToClose(clOrdId: string, byId: Facts["byId"]): boolean {
  const intent = byId.get(intentIdOf(clOrdId as ClOrdId) ?? "");
  if (intent?.kind === "FLATTEN") return true;
  return intent?.kind === "ADJUST" && clOrdId !== entryIdOf(intent.intentId as IntentId);
}

function isExitOfEntry({ op, clOrdId, intentId = "" }: SentOrder, byId: Facts["byId"]): boolean {
  const isExit = op === "submitProtection" && legOf(clOrdId as ClOrdId) !== undefined;
  return isExit && PLACING.has(byId.get(intentId)?.kind ?? "");
}

function divide<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function intentsOf({ attempts }: Call, byRequest: Facts["byRequest"]): StoredIntent[] {
  return attempts.flatMap(({ requestId }) => byRequest.get(requestId) ?? []);
}

function later(one: StoredIntent | undefined, other: StoredIntent): StoredIntent {
  return one !== undefined && one.seq > other.seq ? one : other;
}

export function withoutZeros(holdings: Holdings): Holdings {
  return Object.fromEntries(Object.entries(holdings).filter(([, net]) => net !== 0));
}

function inWords(holdings: Holdings): string {
  const rows = Object.entries(holdings).map(([contract, net]) => `${contract} ${net}`);
  return rows.length === 0 ? "flat" : rows.toSorted().join(", ");
}
