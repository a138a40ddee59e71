import { slotIdOf } from "../../src/app/new-ids.ts";
import type { StrategyId } from "../../src/domain/ids.ts";
import { sign } from "../../src/domain/order.ts";
import { SLOT_MAX_AGE_MS } from "../../src/trading/strategies/run-slot.ts";
import type { BrokerView, SentOrder } from "./broker-view.ts";
import { SLOT_EVERY_MS, type TradingStrategy } from "./evaluating.ts";
import type { History, StoredIntent, ToldSlot } from "./history.ts";
import type { Finding, Violation } from "./verdict.ts";

type Known = History & {
  readonly sentFor: ReadonlyMap<string, BrokerView["sent"]>;
  readonly byId: ReadonlyMap<string, StoredIntent>;
};

/** Timers and Redis' clock count whole ms. */
const EARLY_MS = 50;

/** Every slot that a strategy had is in its log, by itself or among those that were missed together. */
export function slotsToldOnce({ evaluating: { strategies, slots, untilAt } }: History): Finding {
  let checked = 0;
  const violations: Violation[] = [];
  for (const strategy of strategies) {
    const own = slots.filter(({ strategyId }) => strategyId === strategy.strategyId);
    const told = new Map<number, number>();
    for (const one of own) {
      const covered = slotsOf(one);
      if (covered.length !== (one.missedSlots ?? 1)) {
        const what = `${inWords(one.missedFromAt ?? 0)} to ${inWords(one.slotAt)} is told as ${one.missedSlots} slots`;
        violations.push(ofSlot(strategy, one.slotAt, what));
      }
      for (const at of covered) told.set(at, (told.get(at) ?? 0) + 1);
    }
    const had = slotsBetween(strategy.firstSlotAt, untilAt);
    checked += had.length;
    for (const at of new Set([...had, ...told.keys()])) {
      const times = told.get(at) ?? 0;
      const isSlot = (at - strategy.firstSlotAt) % SLOT_EVERY_MS === 0;
      const what = isSlot ? `is told ${times} times` : "is no slot of it";
      if (isSlot && times === 1) continue;
      violations.push(ofSlot(strategy, at, `${inWords(at)} ${what}`));
    }
  }
  return { checked, violations };
}

/** One intent at most, of the slot's own id, and what it sends fits the decision. */
export function slotsSendOnce({
  evaluating: { slots },
  guarding,
  intents,
  sentFor,
}: Known): Finding {
  // Strategies that guards refuse are not told of here.
  const guarded = new Set(guarding.accounts);
  const own = intents.filter(({ via, account }) => via === "strategy" && !guarded.has(account));
  const bySlot = new Map(slots.map((slot) => [slot.evaluationId, slot]));
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const { intentId, account } of own) {
    const fail = (what: string) => violations.push({ account, intentIds: [intentId], what });
    const slot = bySlot.get(intentId);
    if (seen.has(intentId)) fail("a slot has two intents");
    seen.add(intentId);
    if (slot?.intentId !== intentId) fail("an intent of no slot");
    else if (slot.account !== account) fail(`a slot of ${slot.account} sent it`);
  }
  for (const slot of slots) {
    const { strategyId, slotAt, evaluationId } = slot;
    const derived: string = slotIdOf(strategyId as StrategyId, slotAt);
    if (derived !== evaluationId) violations.push(ofTold(slot, "its id is not its slot's"));
    const excess = findExcess(slot, sentFor.get(evaluationId) ?? []);
    if (excess !== undefined) violations.push(ofTold(slot, excess));
  }
  return { checked: own.length + slots.length, violations };
}

/** A close that was not shown as done in time is closed once more, of what is still held. */
const MOST_CLOSES = 3;

function findExcess({ verdict }: ToldSlot, orders: readonly SentOrder[]): string | undefined {
  const closes = orders.filter(({ op }) => op === "closePosition").length;
  const others = orders.length - closes;
  const mayClose = verdict === "exit" ? MOST_CLOSES : 0;
  const mayPlace = verdict === "enterLong" ? 1 : 0;
  if (closes <= mayClose && others <= mayPlace) return undefined;
  return `${verdict} sent ${others} orders and ${closes} closes`;
}

/** By the broker's own order of fills: never short, and never more than one entry. */
export function strategiesHoldOneEntry({ evaluating: { strategies }, log }: History): Finding {
  const byAccount = new Map(strategies.map((one) => [one.account, one]));
  const held = new Map<string, number>();
  let checked = 0;
  const violations: Violation[] = [];
  for (const { account = "", fill, at } of log) {
    const strategy = byAccount.get(account);
    if (strategy === undefined || fill === undefined) continue;
    checked += 1;
    const net = (held.get(account) ?? 0) + sign(fill.side) * fill.lastQty;
    held.set(account, net);
    if (net >= 0 && net <= strategy.qty) continue;
    const [intentId = ""] = (fill.clOrdId ?? "").split("-");
    const what = `it held ${net}, and enters with ${strategy.qty}`;
    violations.push({ account, intentIds: [intentId], at, what });
  }
  return { checked, violations };
}

/** What a slot is told to have come to is what the gateway stored and what the broker saw. */
export function toldSlotsAreTrue({ evaluating: { slots }, byId, sentFor }: Known): Finding {
  const violations = slots.flatMap((slot): Violation[] => {
    const { evaluationId } = slot;
    const orders = sentFor.get(evaluationId)?.length ?? 0;
    const what = findUntrue(slot, { orders, state: byId.get(evaluationId)?.state });
    return what === undefined ? [] : [ofTold(slot, what)];
  });
  return { checked: slots.length, violations };
}

interface Became {
  readonly orders: number;
  readonly state: StoredIntent["state"] | undefined;
}

function findUntrue({ outcome }: ToldSlot, { orders, state }: Became): string | undefined {
  if (outcome === "pending" || outcome === "unknown") return `told ${outcome} at the end`;
  if (outcome === "done" && orders === 0) return "told done, and the broker has no order";
  if (outcome !== "done" && orders > 0) return `told ${outcome}, and it has ${orders} orders`;
  // One that never came to its lane has no record.
  const isTold = state === outcome.toUpperCase() || (state === undefined && NO_RECORD.has(outcome));
  return isTold ? undefined : `told ${outcome}, and the record says ${state ?? "nothing"}`;
}

const NO_RECORD: ReadonlySet<string> = new Set(["none", "notSent"]);

/** After it has begun: bars are waited for, and a process may be frozen for eight seconds. */
const DECIDED_WITHIN_MS = 12_000;

/** By Redis' clock: neither before its time nor ten seconds after it; what it sends, soon after that. */
export function slotsBegunInTime({
  evaluating: { slots },
  byId,
}: Pick<Known, "evaluating" | "byId">): Finding {
  const begun = slots.filter(({ verdict }) => verdict !== "missed");
  const violations = begun.flatMap((slot): Violation[] => {
    const { slotAt, startedAt, evaluationId } = slot;
    const lateMs = startedAt - slotAt;
    const sentMs = (byId.get(evaluationId)?.acceptedAt ?? slotAt) - slotAt;
    if (lateMs < -EARLY_MS || lateMs > SLOT_MAX_AGE_MS) {
      return [ofTold(slot, `it was begun ${lateMs} ms after its slot`)];
    }
    if (sentMs <= SLOT_MAX_AGE_MS + DECIDED_WITHIN_MS) return [];
    return [ofTold(slot, `its intent was accepted ${sentMs} ms after its slot`)];
  });
  return { checked: begun.length, violations };
}

export function noSlotLeft({ evaluating: { slots, left } }: History): Finding {
  const what = `${left} evaluations never ended`;
  const violations = left === 0 ? [] : [{ account: "", intentIds: [], what }];
  return { checked: slots.length, violations };
}

function slotsOf({ slotAt, missedFromAt = slotAt }: ToldSlot): readonly number[] {
  return slotsBetween(missedFromAt, slotAt);
}

export function slotsBetween(fromAt: number, untilAt: number): readonly number[] {
  const count = Math.max(0, Math.floor((untilAt - fromAt) / SLOT_EVERY_MS) + 1);
  return Array.from({ length: count }, (_, n) => fromAt + n * SLOT_EVERY_MS);
}

function ofSlot({ strategyId, account }: TradingStrategy, at: number, what: string): Violation {
  return { account, intentIds: [slotIdOf(strategyId as StrategyId, at)], at, what };
}

export function ofTold({ account, evaluationId, slotAt }: ToldSlot, what: string): Violation {
  const at = slotAt;
  return { account, intentIds: [evaluationId], at, what: `${inWords(at)}: ${what}` };
}

const inWords = (at: number): string => new Date(at).toISOString();
