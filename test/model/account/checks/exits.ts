import type { Outcome } from "../../../../src/domain/intent.ts";
import { sign } from "../../../../src/domain/order.ts";
import type { Finding } from "../invariants.ts";
import { type AccountRecord, type Ask, type Filled, isExit, named } from "../record.ts";

/** Two exits may fill before one of them can be made smaller. */
const LEGS_CUT_WITHIN_MS = 2_000;

/** 5: except if two filled before either was reported. */
export function anExitNeverTurns(record: AccountRecord): readonly Finding[] {
  return record.fills
    .filter((fill) => fill.opened > 0 && fill.cameClear && closesOnly(fill))
    .filter((fill) => !mayHaveCrossed(record, fill))
    .map((fill) => ({ at: fill.at, what: `${described(fill)} of ${fill.order.role}` }));
}

function closesOnly({ ask, order }: Filled): boolean {
  if (ask === undefined || ask.what === "timeout") return false;
  return order.role !== "ORDER" || (isExit(ask) && order.ordType === "MARKET");
}

function mayHaveCrossed({ fills, takenBackAt }: AccountRecord, fill: Filled): boolean {
  const { order, cameAt, at, quietMs, time } = fill;
  if (takenBackAt.some((back) => back > cameAt && back < at)) return true;
  const others = fills.filter((other) => other.at < at && other.order.orderId !== order.orderId);
  if (order.role === "ORDER") return others.some((other) => other.at > cameAt);
  return quietMs < LEGS_CUT_WITHIN_MS || others.some((other) => other.time === time);
}

/** 6: while the market is closed, a close would only cost the exits. */
export const nothingIsCancelledInVain = ({ sent }: AccountRecord): readonly Finding[] =>
  sent.flatMap(({ kind, ask, order, marketIsClosed, net, at, isRefused }): Finding[] => {
    if (kind !== "cancel" || !marketIsClosed || net === 0 || isRefused) return [];
    if (ask === undefined || !isExit(ask) || order === undefined) return [];
    const isLeg = order.role !== "ORDER" && order.ordStatus !== "HELD";
    const protects = isLeg && sign(order.side) * net < 0;
    return protects ? [{ at, what: `${order.role} goes for ${named(ask)}` }] : [];
  });

/** 7: within a second of the refusal. */
export const stopsComeBack = ({ taken }: AccountRecord): readonly Finding[] =>
  taken
    .filter(({ before, after }) => after < before)
    .map(({ at, ask, before, after }) => ({
      at,
      what: `stops for ${after} of ${before} after the refused ${named(ask)}`,
    }));

/** 8: until the close is found or proven absent. A person may still ask for exits. */
export const nothingIsPutBackUnproven = ({ sent }: AccountRecord): readonly Finding[] =>
  sent.flatMap(({ kind, ask, at, during }): Finding[] => {
    if (kind !== "protect" || during === undefined) return [];
    if (ask !== undefined && ask.of === undefined) return [];
    const who = ask === undefined ? "by itself" : named(ask);
    return [{ at, what: `exits are put back during ${named(during)}: ${who}` }];
  });

const NOTHING_DONE: ReadonlySet<Outcome["kind"]> = new Set(["rejected", "notSent"]);

/** 9: `done` only if the goal was seen; `notSent` and `rejected` only if nothing was carried out. */
export const doneIsSeen = ({ asks, sent, takenBackAt }: AccountRecord): readonly Finding[] =>
  asks.flatMap((ask): Finding[] => {
    const { ended, what } = ask;
    if (ended === undefined) return [];
    const { at, outcome, owners } = ended;
    const isEarlier = (id: string) => asks.some((other) => other.id === id && other.nth < ask.nth);
    const left = owners.filter(isEarlier).length;
    if (outcome.kind === "done" && what === "exit" && left > 0) {
      return [{ at, what: `done with ${left} held: ${named(ask)}` }];
    }
    if (!NOTHING_DONE.has(outcome.kind)) return [];
    // A fill that was taken back has carried nothing out.
    if (takenBackAt.some((backAt) => backAt < at)) return [];
    const carried = sent.filter((one) => one.ask === ask && one.at < at && !one.isRefused);
    if (carried.length === 0) return [];
    const deeds = carried.map(({ kind, order }) => `${kind} ${order?.role ?? ""}`);
    return [{ at, what: `${outcome.kind}, but carried out: ${deeds.join(", ")} of ${named(ask)}` }];
  });

/** The broker's clock and the store's may differ by so much, ms. */
const CLOCKS_DIFFER_MS = 2_000;

const isByHandThen = (
  { ask, at, time, order }: AccountRecord["fills"][number],
  exit: Pick<Ask, "at" | "time">,
): boolean =>
  ask === undefined &&
  order.role === "ORDER" &&
  at > exit.at &&
  time <= exit.time + CLOCKS_DIFFER_MS;

/** 11: an exit closes only contracts that were asked for before it, or by hand about then. */
export const anExitSparesWhatCameAfter = ({ fills, asks }: AccountRecord): readonly Finding[] =>
  fills.flatMap((fill): Finding[] => {
    const { ask, closed, at, order } = fill;
    // A stop that was given back fills whenever its level is reached.
    if (order.role !== "ORDER") return [];
    if (ask === undefined || ask.of !== undefined || !isExit(ask)) return [];
    const isLater = (id: string) => asks.some((other) => other.id === id && other.nth > ask.nth);
    // The exit means these, though the oldest go: no clock separates them from earlier ones.
    const byHand = fills.filter((other) => isByHandThen(other, ask));
    const most = byHand.reduce((sum, { opened }) => sum + opened, 0);
    const isBeyond = closed.filter(isLater).length > most;
    return isBeyond ? [{ at, what: `${described(fill)} takes what came after` }] : [];
  });

export const described = ({ side, qty, before, after, ask }: Filled): string =>
  `${side} ${qty}, ${before} to ${after}, by ${ask === undefined ? "hand" : named(ask)}`;
