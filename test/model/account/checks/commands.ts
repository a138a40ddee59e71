import type { Finding } from "../invariants.ts";
import { type AccountRecord, type Filled, named, type Sent } from "../record.ts";
import { described } from "./exits.ts";

/** 12: a second command of one name is a double order, and so may be one without a write-ahead. */
export const nothingIsSentTwice = ({ sent }: AccountRecord): readonly Finding[] =>
  sent
    .filter(({ isTwice, isWrittenAhead }) => isTwice || !isWrittenAhead)
    .map((one) => ({
      at: one.at,
      what: `${one.name} ${one.isTwice ? "came twice" : "was not written ahead"}: ${by(one)}`,
    }));

/** 13: no fill was reported, and for what opens no lock set, between the last read of the account and the order. */
export const whatIsSentIsCurrent = ({ sent }: AccountRecord): readonly Finding[] =>
  sent
    .filter(({ kind, news }) => kind === "place" && news > 0)
    .map((one) => ({ at: one.at, what: `sent on a view with ${one.news} news since: ${by(one)}` }));

/** 14: even if the order was taken for an exit. */
export const nothingOpensUnderALock = ({ fills, takenBackAt }: AccountRecord): readonly Finding[] =>
  fills
    .filter(({ ask, order }) => ask !== undefined && order.role === "ORDER")
    .filter(({ opened, cameLocked, cameClear }) => opened > 0 && cameLocked && cameClear)
    .filter(({ order, cameAt, at }) => {
      const others = fills.filter((other) => other.order.orderId !== order.orderId);
      const meanwhile = [...others.map((other) => other.at), ...takenBackAt];
      return !meanwhile.some((when) => when > cameAt && when < at);
    })
    .map((fill) => ({
      at: fill.at,
      what: `${isPart(fill) ? "a part" : "all"} of it: ${described(fill)}`,
    }));

/** The rest of the request was refused. */
const isPart = ({ ask, order }: Filled): boolean =>
  ask?.intent.kind === "PLACE" && order.orderQty < ask.intent.order.orderQty;

const by = ({ ask }: Sent): string => (ask === undefined ? "the gateway itself" : named(ask));
