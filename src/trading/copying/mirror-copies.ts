import {
  ORDER_PRICES,
  declaredPrice,
  type OrdType,
  PRICES_AS_MET,
} from "../../domain/declared/order-types.ts";
import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { Mirror, MirrorStep } from "../../domain/copying/copy-mirror.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import type { LegLevel, OrderReport, Bracket } from "../../domain/order.ts";
import type { Ask } from "./mirror-memory.ts";
import type { CopyId, PlannedCopy } from "./plan-copies.ts";
import type { CopyEntry } from "./ports.ts";
import type { DescribeContract, ContractTerms } from "../orders/describe-contract.ts";
import type { OrderValues } from "../../domain/order-change.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { formatTicks, tickSize, type Ticks } from "../../domain/contracts/price.ts";

/** Whose step it is, and when it was planned. */
export interface MirrorStepOf {
  readonly group: Pick<CopyGroup, "groupId" | "userId" | "leader" | "maxAgeSeconds">;
  readonly follower: AccountId;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** The clock of the leader's broker, Unix ms. */
  readonly brokerNow: number;
}

export interface MirrorCopyDeps {
  readonly copyId: CopyId;
  readonly describe: DescribeContract;
}

type Step<Kind extends MirrorStep["kind"]> = Extract<MirrorStep, { kind: Kind }>;

/** The id of the copy that places the order that stands for a leader's. */
export function placeIdOf(
  { copyId }: MirrorCopyDeps,
  { group, follower }: MirrorStepOf,
  order: Pick<OrderReport, "orderId">,
): IntentId {
  return copyId(group.groupId, follower, `order ${order.orderId}`);
}

/** What is asked again while it is needed; undefined of what is sent once. */
export function askOf({ follower }: MirrorStepOf, step: MirrorStep): Ask | undefined {
  switch (step.kind) {
    case "change":
      return { of: `change ${step.mirror.copyId}`, values: wordOfValues(step) };
    case "cancel":
      return { of: `cancel ${step.mirror.copyId}`, values: "" };
    case "protect":
      return { of: `protect ${follower} ${step.contract}`, values: wordOfLevels(step) };
    case "place":
    case "skip":
      return undefined;
  }
}

function wordOfValues({ values }: Step<"change">): string {
  const { orderQty = "" } = values;
  return [orderQty, ...ORDER_PRICES.map((name) => values[name] ?? "")].join(" ");
}

function wordOfLevels({ heldQty, levels }: Step<"protect">): string {
  const priceOf = (level: LegLevel | undefined) => (level?.by === "price" ? level.price : "");
  return `${heldQty} ${priceOf(levels.takeProfit)} ${priceOf(levels.stopLoss)}`;
}

/** `attempt` tells what is asked again of one order or position apart. */
export function toMirrorCopy(
  deps: MirrorCopyDeps,
  of: MirrorStepOf,
  step: MirrorStep,
  attempt: number,
): PlannedCopy {
  switch (step.kind) {
    case "skip":
      return skipped(deps, of, step);
    case "place":
      return placed(deps, of, step);
    case "change":
      return changed(deps, of, step, attempt);
    case "cancel":
      return canceled(deps, of, step, attempt);
    case "protect":
      return protectedAt(deps, of, step, attempt);
  }
}

function skipped(deps: MirrorCopyDeps, of: MirrorStepOf, step: Step<"skip">): PlannedCopy {
  const { leaderOrder } = step;
  // Not that of its place, which may come later.
  const event = `skipped order ${leaderOrder.orderId}`;
  const entry = entryOf(of, deps.copyId(of.group.groupId, of.follower, event), leaderOrder);
  return { kind: "skip", entry, reason: step.reason, isExit: false };
}

function placed(deps: MirrorCopyDeps, of: MirrorStepOf, step: Step<"place">): PlannedCopy {
  const { leaderOrder, order, isExit } = step;
  const { contract } = order;
  const decisions = [wordsOfOrder(order, deps.describe(contract))];
  const copyId = placeIdOf(deps, of, leaderOrder);
  const entry = { ...entryOf(of, copyId, leaderOrder), contract, decisions };
  const mostMs = of.group.maxAgeSeconds * 1_000;
  const leftMs = mostMs - (of.brokerNow - leaderOrder.transactTimeAt);
  return {
    ...sent(entry, { kind: "PLACE", order }, isExit),
    entryMaxAgeMs: Math.max(0, Math.min(leftMs, mostMs)),
  };
}

function changed(
  deps: MirrorCopyDeps,
  of: MirrorStepOf,
  step: Step<"change">,
  attempt: number,
): PlannedCopy {
  const { mirror, own, values, leaderOrder, isExit } = step;
  const { leaderOrderId, contract } = mirror;
  const at = leaderOrder?.transactTimeAt ?? "ended";
  const event = `change ${leaderOrderId} ${at} ${wordOfValues(step)} ${attempt}`;
  const decisions = [wordsOfValues(values, deps.describe(contract))];
  const id = deps.copyId(of.group.groupId, of.follower, event);
  const entry = { ...entryOf(of, id, leaderOrder), contract, leaderOrderId, decisions };
  // By its identifier it was found.
  const clOrdId = own.clOrdId ?? ("" as NonNullable<typeof own.clOrdId>);
  const intent = { kind: "MODIFY", orderId: own.orderId, clOrdId, change: values } as const;
  return sent(entry, intent, isExit);
}

function canceled(
  deps: MirrorCopyDeps,
  of: MirrorStepOf,
  { mirror, own, reason }: Step<"cancel">,
  attempt: number,
): PlannedCopy {
  const { leaderOrderId, contract } = mirror;
  const id = deps.copyId(of.group.groupId, of.follower, `cancel ${leaderOrderId} ${attempt}`);
  const what = "leavesQty" in own ? `Its order for ${own.leavesQty}` : "Its order";
  const decisions = [`${what} is cancelled: ${reason}`];
  const entry = { ...entryOf(of, id, undefined), contract, leaderOrderId, decisions };
  return sent(entry, { kind: "CANCEL", orderId: own.orderId }, true);
}

function protectedAt(
  deps: MirrorCopyDeps,
  of: MirrorStepOf,
  step: Step<"protect">,
  attempt: number,
): PlannedCopy {
  const { contract, levels, leaderAt } = step;
  const event = `exits ${contract} ${wordOfLevels(step)} ${leaderAt} ${attempt}`;
  const id = deps.copyId(of.group.groupId, of.follower, event);
  const decisions = wordsOfLevels(levels, deps.describe(contract));
  const entry = { ...entryOf(of, id, undefined), leaderAt, contract, decisions };
  return sent(entry, { kind: "PROTECT", contract, levels }, true);
}

/** What is changed or cancelled keeps no entry waiting: what it is for is looked at all the time. */
function sent(
  entry: CopyEntry,
  intent: Intent,
  isExit: boolean,
): Extract<PlannedCopy, { kind: "send" }> {
  const opens = intent.kind === "PLACE" || intent.kind === "MODIFY";
  return {
    kind: "send",
    entry,
    intent,
    entryMaxAgeMs: RESIZED_WITHIN_MS,
    isExit,
    ...(isExit && opens && { exitsOnly: EXITS_ONLY }),
  };
}

const RESIZED_WITHIN_MS = 5_000;
const EXITS_ONLY = "The leader's order only takes something off, and so does what stands for it";

function entryOf(
  { group, follower, now }: MirrorStepOf,
  copyId: IntentId,
  leaderOrder: OrderReport | undefined,
): CopyEntry {
  const { groupId, userId, leader } = group;
  return {
    copyId,
    groupId,
    userId,
    leader,
    follower,
    cause: "order",
    leaderAt: leaderOrder?.transactTimeAt ?? now,
    notedAt: now,
    ...(leaderOrder && {
      leaderContract: leaderOrder.contract,
      leaderSide: leaderOrder.side,
      leaderQty: leaderOrder.orderQty,
      leaderOrderId: leaderOrder.orderId,
    }),
    decisions: [],
  };
}

/** What is noted of an order before it is placed. */
export function newMirror(
  deps: MirrorCopyDeps,
  of: MirrorStepOf,
  { leaderOrder, order }: Step<"place">,
): Mirror {
  return {
    copyId: placeIdOf(deps, of, leaderOrder),
    groupId: of.group.groupId,
    leader: of.group.leader,
    leaderOrderId: leaderOrder.orderId,
    contract: order.contract,
    side: order.side,
    filledBefore: leaderOrder.cumQty,
    notedAt: of.now,
  };
}

type Sized = Pick<ContractTerms, "tickSize">;

const kindOf = (ordType: OrdType): string =>
  ordType === "MARKET" ? "at the market" : ordType.toLowerCase().replaceAll("_", " ");

/** "Buy 2 at 25010.25, limit; take-profit at 25020". */
export function wordsOfOrder(order: PreparedOrder, terms: Sized): string {
  const { side, orderQty, ordType, bracket } = order;
  const action = side === "BUY" ? "Buy" : "Sell";
  const levels = PRICES_AS_MET.filter((name) => declaredPrice(name).counts === "price");
  const prices = levels.flatMap((name) => order[name] ?? []);
  const at = prices.map((one) => ` at ${text(one, terms)}`).join(" and then");
  const legs = bracket === undefined ? [] : wordsOfLevels(bracket, terms);
  return [`${action} ${orderQty}${at}, ${kindOf(ordType)}`, ...legs].join("; ");
}

/** What is changed of an order. */
export function wordsOfValues(values: OrderValues, terms: Sized): string {
  const { orderQty } = values;
  const changes = [
    ...(orderQty === undefined ? [] : [`quantity ${orderQty}`]),
    ...ORDER_PRICES.flatMap((name) => {
      const price = values[name];
      return price === undefined ? [] : [`${declaredPrice(name).called} ${text(price, terms)}`];
    }),
  ];
  return `Its order is changed: ${changes.join(", ")}`;
}

/** Where exits are put. */
export function wordsOfLevels({ takeProfit, stopLoss }: Bracket, terms: Sized): readonly string[] {
  const words = (leg: string, level: LegLevel | undefined) =>
    level?.by === "price" ? [`${leg} at ${text(level.price, terms)}`] : [];
  return [...words("take-profit", takeProfit), ...words("stop-loss", stopLoss)];
}

const text = (price: Ticks, { tickSize: size }: Sized): string =>
  size === undefined ? "its level" : formatTicks(price, tickSize(size));
