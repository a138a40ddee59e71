import { symbolOfCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { DenialCode } from "../../domain/denials.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import { type Side, sign } from "../../domain/order.ts";
import { mayOpenAgainst, OVERTAKEN, wouldOvertake } from "../../domain/overtaking.ts";
import {
  adds,
  exposureOf,
  type Exposure,
  type RiskOrder,
  worstQty,
} from "../../domain/exposure.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { EntryGuards, EntryOrder, PricedOrder } from "../guards/entry-guards.ts";
import {
  type EntryTerms,
  killed,
  type LaneDeps,
  type LaneTask,
  type Refusal,
} from "./lane-deps.ts";
import { ERRORS } from "../../errors.ts";
import { exitAtOnce } from "../../domain/reached-exit.ts";
import type { Quote } from "../../domain/quote.ts";
import type { Snapshot } from "./read-snapshot.ts";
import { isCurrentForEntry, MOST_LOOKS, type View } from "./view.ts";
import type { LaneContext } from "./ports.ts";

export type Guarded =
  | { readonly kind: "pass"; readonly adds: boolean; readonly terms: EntryTerms }
  | { readonly kind: "stop"; readonly outcome: Refusal }
  /** It must wait for earlier outcomes. */
  | { readonly kind: "park" };

/** An order as it would be at the broker. */
export interface GuardedOrder extends RiskOrder, EntryOrder {
  /** How much of `orderQty` is filled already; absent on a new order. */
  readonly cumQty?: number;
}

/** What holds an order back, besides its own account's limits. */
export interface GuardedBy extends Pick<
  LaneDeps,
  "defaultLimits" | "guards" | "quoteOf" | "isStoreTight"
> {
  readonly accounts: Pick<LaneDeps["accounts"], "find">;
  readonly exits: Pick<LaneDeps["exits"], "manages">;
}

/**
 * Decides, right before sending, whether an order may be sent. An order that opens or grows a position must
 * be within the limits and guards, the kill switch, its entry age and the side that its webhook may enter on.
 * It has no exit that the market has passed, and waits while an earlier outcome is unknown. An order that
 * reduces a position always passes, until its exit age ends ("Rules for money" 4, 6 and 10). A working order
 * that is to be changed must not be among the snapshot's `working` orders.
 */
export function guardOrder(
  context: LaneContext,
  order: GuardedOrder,
  snapshot: Snapshot,
  { accounts, defaultLimits, guards, quoteOf, isStoreTight, exits }: GuardedBy,
): Guarded {
  const exposure = exposureOf(order.contract, snapshot);
  const toFill = leftOf(order);
  const limits = { ...defaultLimits, ...context.limits };
  const guard = guards.of(context.record.accountId);
  const terms = {
    maxOrdersPerMinute: limits.maxOrdersPerMinute,
    guardVersion: guard.version,
  };

  if (!adds(toFill, exposure)) return { kind: "pass", adds: false, terms };
  // Once those outcomes are known it may turn out to be an exit, which is never refused here.
  if (context.unknown.some((one) => mayOpenAgainst(order, one))) return { kind: "park" };
  const refusal = refuseAdding(context, order, snapshot, limits);
  if (refusal !== undefined) return { kind: "stop", outcome: refusal };
  // How large the position could grow is known only once all earlier outcomes are.
  if (context.unknown.length > 0 || context.parkedBefore) return { kind: "park" };
  const outcome =
    (isStoreTight() ? denied("STORE_FULL", ERRORS.STORE_FULL.meaning) : undefined) ??
    refuseUncancellable(accounts.find(context.record.accountId), limits) ??
    refuseBySource(context, order, exposure) ??
    refusePlanned(exits, context, { ...order, held: exposure.expectedQty }) ??
    refusePassed(toFill, quoteOf(context.record.accountId, order.contract)) ??
    refuseGrowing(toFill, exposure, limits) ??
    guard.refuse(toFill, exposure, snapshot);
  return outcome === undefined ? { kind: "pass", adds: true, terms } : { kind: "stop", outcome };
}

/** The filled part is in the position already; the limit per order counts the whole order. */
function leftOf(order: GuardedOrder): GuardedOrder {
  const { cumQty = 0 } = order;
  return cumQty === 0 ? order : { ...order, orderQty: order.orderQty - cumQty };
}

/**
 * Waits until the account's guards are judged by all that was reported, and have the price that they
 * judge the order by; not for long, and never in vain: what is not judged then is refused. Answers
 * whether time has gone by.
 */
export async function untilJudged(
  guards: EntryGuards,
  account: AccountId,
  order: PricedOrder,
): Promise<boolean> {
  const judging = guards.upToDate(account);
  await judging;
  const learning = guards.of(account).learnPrice?.(order);
  await learning;
  return judging !== undefined || learning !== undefined;
}

/** An order as it is worked out from a view. */
export interface Drafted<Order extends GuardedOrder = GuardedOrder> {
  readonly order: Order;
}

/** An order as it may be sent, by the newest view that it was worked out from. */
export interface Judged<Draft> {
  readonly draft: Draft;
  readonly guarded: Guarded;
  readonly view: View;
}

/**
 * Works an order out from a view and guards it; for what adds risk it also asks the broker whether it means
 * the same contract as our table, and waits for the account's guards. An exit waits for none of it. After a
 * wait in which something was reported the account is read, and the order worked out, anew. `draft` must be
 * pure; an answer of it that is no order ends the decision. Throws `BrokerReadError` when the broker cannot be read.
 */
export async function judgeDraft<Draft extends Drafted, Stop>(
  deps: GuardedBy & Pick<LaneDeps, "watch">,
  task: Pick<LaneTask, "context" | "broker" | "record">,
  { view: first, read, draft: draftBy }: Drafting<Draft, Stop>,
): Promise<Judged<Draft> | Stop> {
  const { context, broker } = task;
  const { accountId, test } = context.record;
  const { guards } = deps;
  let view = first;
  for (let look = 1; ; look += 1) {
    const draft = draftBy(view);
    if (!isDrafted(draft)) return draft;
    const { order } = draft;
    const isRead = () => look === MOST_LOOKS || isCurrentForEntry(deps, task, view);
    if (adds(leftOf(order), exposureOf(order.contract, view))) {
      const hasWaited = await untilJudged(guards, accountId, order);
      // A guard may have acted meanwhile, and the broker not have reported it yet.
      if ((hasWaited && look === 1) || !isRead()) {
        view = await read();
        continue;
      }
    }
    const guarded = guardOrder(context, order, view, deps);
    if (guarded.kind !== "pass" || !guarded.adds) return { draft, guarded, view };
    const { unready, unpriced, claim } = guards.of(accountId);
    // A test claims nothing from other accounts.
    const refusal =
      unready ?? unpriced?.(order) ?? (test === true ? undefined : await claim?.(order));
    const doubt = refusal ?? (await doubtOf(broker, order));
    if (doubt !== undefined) return { draft, guarded: { kind: "stop", outcome: doubt }, view };
    if (isRead()) return { draft, guarded, view };
    view = await read();
  }
}

export interface Drafting<Draft, Stop> {
  readonly view: View;
  readonly read: () => Promise<View>;
  readonly draft: (view: View) => Draft | Stop;
}

const isDrafted = <Draft extends Drafted, Stop>(draft: Draft | Stop): draft is Draft =>
  typeof draft === "object" && draft !== null && "order" in draft;

async function doubtOf(
  broker: Pick<LaneTask["broker"], "contractDoubt">,
  { contract }: GuardedOrder,
): Promise<Refusal | undefined> {
  const doubt = await broker.contractDoubt(contract);
  return doubt === undefined
    ? undefined
    : denied("CONTRACT_DISPUTED", `${doubt}; only exits are sent`);
}

/** An exit beyond the market would close at once what the order opens. */
function refusePassed(order: GuardedOrder, quote: Quote | undefined): Refusal | undefined {
  const role = exitAtOnce(order, quote);
  if (role === undefined) return undefined;
  const exit = role === "TAKE_PROFIT" ? "take-profit" : "stop-loss";
  const where = (order.side === "BUY") === (role === "TAKE_PROFIT") ? "above" : "below";
  return denied(
    "VALIDATION_FAILED",
    `Its ${exit} is not ${where} the market and would close the position at once; nothing was sent`,
  );
}

/** Why no entry of an intent may be sent, whatever it is for: it is overtaken, too old, or stopped. */
export function refuseEntry({
  record,
  now,
  exitFollows,
  targetFollows,
  accountKillSwitch,
}: LaneContext): Refusal | undefined {
  // Before the age check: an overtaken order is final, however long it has waited.
  if (exitFollows || targetFollows) return OVERTAKEN;
  if (now >= record.entryExpiresAt) return expired(now - record.acceptedAt);
  return accountKillSwitch.active ? killed(accountKillSwitch) : undefined;
}

function refuseAdding(
  context: LaneContext,
  order: GuardedOrder,
  { positions }: Snapshot,
  limits: AccountLimits,
): Refusal | undefined {
  const { mayFollow } = context;
  if (mayFollow !== undefined && wouldOvertake(mayFollow, order, positions)) return OVERTAKEN;
  const refusal = refuseEntry(context);
  if (refusal !== undefined) return refusal;
  if (order.orderQty > limits.maxOrderQty) {
    return overLimit(`The order's quantity ${order.orderQty}`, `${limits.maxOrderQty} per order`);
  }
  return undefined;
}

/** A limit can only be enforced where everything that counts towards it is known. */
function refuseGrowing(
  order: GuardedOrder,
  exposure: Exposure,
  { maxPositionQty }: AccountLimits,
): Refusal | undefined {
  const worst = worstQty(order, exposure);
  if (worst.kind === "unclear") {
    const reason = `How large the position in ${symbolOfCode(order.contract)} could grow is not known: ${worst.doubt}. Only exits are sent; look at it at the broker`;
    return denied("NOT_UNDERSTOOD", reason);
  }
  if (worst.qty <= maxPositionQty) return undefined;
  const what = `The position in ${symbolOfCode(order.contract)} could grow to ${worst.qty}, which`;
  return overLimit(what, `${maxPositionQty} contracts`);
}

/** An entry whose exits could not be taken back needs a person who knows it. */
function refuseUncancellable(
  account: Pick<StoredAccount, "cannotCancel"> | undefined,
  { entriesWithoutCancel = false }: AccountLimits,
): Refusal | undefined {
  const why = account?.cannotCancel;
  if (why === undefined || entriesWithoutCancel) return undefined;
  const remedy =
    "To send entries all the same, confirm it once under Limits of the account, or set entriesWithoutCancel of its limits";
  return denied("CANNOT_CANCEL", `${why}. ${remedy}`);
}

/** Checked once nothing is unknown: only then is it certain that the order is no exit. */
function refuseBySource(
  { record: { entrySide, exitsOnly, exitsOnlyCode, source } }: LaneContext,
  order: GuardedOrder,
  { expectedQty }: Exposure,
): Refusal | undefined {
  if (exitsOnly === undefined) return refuseSide(order, expectedQty, entrySide);
  const bySource = source.kind === "copy" ? "EXITS_ONLY" : "SYMBOL_NOT_ALLOWED";
  const code = exitsOnlyCode ?? bySource;
  return { kind: "denied", code, reason: exitsOnly };
}

/**
 * An order against a position of an exit plan may be a strategy's own exit from it. It opens nothing on the
 * other side unless its webhook says that an indicator sends.
 */
export function refusePlanned(
  exits: GuardedBy["exits"],
  { record: { accountId, intent } }: Pick<LaneContext, "record">,
  { contract, side, held }: Pick<GuardedOrder, "contract" | "side"> & { readonly held: number },
): Refusal | undefined {
  const isUnclear = "handling" in intent && intent.handling?.closesPlanned === true;
  if (!isUnclear || held * sign(side) >= 0) return undefined;
  if (!exits.manages(accountId, contract, held > 0 ? "BUY" : "SELL")) return undefined;
  const reason = `An exit plan takes the ${Math.abs(held)} ${symbolOfCode(contract)} out that are held, and the order may be a strategy's exit from them: it opens nothing. Set sentBy of the webhook to strategy or indicator`;
  return denied("SENDER_UNCLEAR", reason);
}

function refuseSide(
  { side }: GuardedOrder,
  held: number,
  entrySide: Side | undefined,
): Refusal | undefined {
  if (entrySide === undefined || side === entrySide) return undefined;
  const allowed = entrySide === "BUY" ? "long" : "short";
  const closable = Math.max(0, -held * sign(side));
  const pass =
    closable === 0
      ? `nothing ${allowed} is held that it could close`
      : `a ${side.toLowerCase()} of up to ${closable} would close what is held, and passes`;
  return {
    kind: "denied",
    code: "SIDE_NOT_ALLOWED",
    reason: `Only ${allowed} positions may be opened or grown here, and this ${side.toLowerCase()} would do more than close one: ${pass}`,
  };
}

function expired(ageMs: number): Refusal {
  const seconds = Math.floor(ageMs / 1000);
  return { kind: "expired", reason: `It waited ${seconds} s, longer than an entry may; not sent` };
}

function overLimit(what: string, limit: string): Refusal {
  return denied("LIMIT_EXCEEDED", `${what} is over the account's limit of ${limit}`);
}

function denied(code: DenialCode, reason: string): Refusal {
  return { kind: "denied", code, reason };
}
