import type { OrderReport } from "../../../../src/domain/order.ts";
import { sign } from "../../../../src/domain/order.ts";
import type { Finding } from "../invariants.ts";
import {
  type AccountRecord,
  type Ask,
  asksForStop,
  changesExits,
  type Rest,
  type Sent,
} from "../record.ts";

/** 1, for the model's own lots: otherwise they would prove nothing. */
export const lotsAreThePosition = ({ rests }: AccountRecord): readonly Finding[] =>
  rests
    .filter(({ net, shown }) => net !== shown)
    .map(({ at, net, shown }) => ({ at, what: `lots come to ${net}, held are ${shown}` }));

/** 15: except if a person has ended the stop or placed another one. */
export const stopsStand = (record: AccountRecord): readonly Finding[] =>
  record.rests.flatMap((rest): Finding[] => {
    const { asks } = record;
    const asked = asks.filter((ask) => asksForStop(ask) && !isReplaced(asks, ask));
    const guarded = asked.filter(({ id }) => rest.owners.includes(id));
    const wanted = rest.owners.filter((owner) => guarded.some(({ id }) => id === owner)).length;
    const stands = sum(closing(rest).filter(({ stopPx }) => stopPx !== undefined));
    const first = Math.min(...guarded.map(({ at }) => at));
    if (stands >= wanted || isReported(record, first)) return [];
    const after = record.takenBackAt.length > 0 ? ", after a fill was taken back" : "";
    return [{ at: rest.at, what: `stops for ${stands} of ${wanted}, ${rest.net} held${after}` }];
  });

/** 16: the two legs of a pair count once. */
export const exitsAreForWhatIsHeld = ({ rests, sent }: AccountRecord): readonly Finding[] =>
  rests.flatMap((rest): Finding[] => {
    const legs = rest.working.filter(
      (order) => order.role !== "ORDER" && order.ordStatus !== "HELD",
    );
    const isCounted = ({ role, linkedOrderId }: OrderReport) =>
      role === "STOP_LOSS" || !legs.some(({ orderId }) => orderId === linkedOrderId);
    const qty = sum(legs.filter(isCounted));
    const held = Math.abs(rest.net);
    if (qty <= held) return [];
    const wasRefused = sent.some((one) => one.at < rest.at && one.isRefused && cuts(one));
    const after = wasRefused ? ", after a change of exits was refused" : "";
    return [{ at: rest.at, what: `exits for ${qty}, ${rest.net} held${after}` }];
  });

const cuts = ({ kind, order }: Sent): boolean =>
  (kind === "cancel" || kind === "modify") && order !== undefined && order.role !== "ORDER";

const closing = ({ working, net }: Rest): readonly OrderReport[] =>
  working.filter(({ side, ordStatus }) => sign(side) * net < 0 && ordStatus !== "HELD");

const isReplaced = (asks: readonly Ask[], { nth }: Ask): boolean =>
  asks.some((other) => other.nth > nth && changesExits(other));

/** By an alarm, or in the outcome of a request. */
const isReported = ({ alarms, asks }: AccountRecord, since: number): boolean =>
  alarms.some(({ at }) => at > since) ||
  asks.some(
    ({ ended }) => ended !== undefined && ended.at > since && speaksOfTrouble(ended.outcome),
  );

function speaksOfTrouble(outcome: NonNullable<Ask["ended"]>["outcome"]): boolean {
  if (outcome.kind !== "done" || !("problems" in outcome.result)) return false;
  return (outcome.result.problems ?? []).length > 0;
}

const sum = (orders: readonly OrderReport[]): number =>
  orders.reduce((total, { leavesQty }) => total + leavesQty, 0);
