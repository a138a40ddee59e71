import { type AdjustIntent, positionsFor } from "../../domain/adjust.ts";
import { SIZED_AGAINST } from "../../domain/adjust-moves.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { exposuresOf } from "../../domain/exposure.ts";
import { sign } from "../../domain/order.ts";
import type { SizeRule } from "../../domain/order-handling.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { largestAllowed } from "../../domain/sizing.ts";
import { type Guarded, type GuardedBy, guardOrder, untilJudged } from "./guard-order.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import type { Snapshot } from "./read-snapshot.ts";
import { sizeOrder } from "./size-order.ts";
import type { View } from "./view.ts";

/** What an order is sized for, and what its symbol means of what is held. */
export interface Sizing {
  readonly rule: SizeRule;
  readonly meant: { readonly contract: ContractCode; readonly isFrontMonth?: true };
  /** What is shown before it is sized, and after. */
  readonly shown: View;
  readonly read: () => Promise<View>;
}

export type SizedEntry<Order> =
  | {
      readonly kind: "sized";
      readonly order: Order;
      /** As the account was read after that: it may have taken a moment. */
      readonly view: View;
      /** Why it is another quantity than the risk allows, in words. */
      readonly problem?: string;
    }
  /** The other side is held: what is sized opens a position, and that has to go before. */
  | { readonly kind: "against" }
  | Exclude<Guarded, { kind: "pass" }>;

/**
 * The order with as many contracts as its rule allows, and no more than limits and guards do: those
 * cut it, and it is told. What would be refused with a single contract is refused as ever.
 */
export async function sizeEntry<Order extends PreparedOrder>(
  deps: LaneDeps,
  { context, record: { accountId } }: Pick<LaneTask, "context" | "record">,
  asked: Order,
  { rule, meant, shown, read }: Sizing,
): Promise<SizedEntry<Order>> {
  const by = quietly(deps);
  const judge = (orderQty: number, snapshot: Snapshot) =>
    guardOrder(context, { ...asked, orderQty }, snapshot, by);
  if (holdsAgainst(asked, meant, shown)) return AGAINST;
  const least = judge(1, shown);
  if (least.kind !== "pass") return least;

  const isFlat = shown.positions.every(({ netQty }) => netQty === 0);
  const sized = await sizeOrder(deps, accountId, asked, { rule, isFlat });
  if (sized.kind === "stop") return sized;
  await untilJudged(deps.guards, accountId, asked);
  const view = await read();
  if (holdsAgainst(asked, meant, view)) return AGAINST;
  const { qty, cappedBy } = largestAllowed(sized.orderQty, (orderQty) => {
    const guarded = judge(orderQty, view);
    return guarded.kind === "stop" ? guarded.outcome.reason : undefined;
  });
  const capped =
    cappedBy === undefined
      ? []
      : [`Of ${sized.orderQty} contracts for a risk of ${sized.risk} only ${qty} go: ${cappedBy}`];
  const problems = [...(sized.problem === undefined ? [] : [sized.problem]), ...capped];
  return {
    kind: "sized",
    order: { ...asked, orderQty: qty },
    view,
    ...(problems.length > 0 && { problem: problems.join(". ") }),
  };
}

/** The order that an adjustment opens or grows with: as it is, where nothing is to be sized. */
export async function sizeAsAsked(
  deps: LaneDeps,
  task: Pick<LaneTask, "context" | "record">,
  { contract, isFrontMonth, handling }: AdjustIntent,
  { entry, shown, read }: Pick<Sizing, "shown" | "read"> & { readonly entry: PreparedOrder },
): Promise<Exclude<SizedEntry<PreparedOrder>, { kind: "against" }>> {
  const rule = handling?.size;
  if (rule === undefined) return { kind: "sized", order: entry, view: shown };
  const meant = { contract, ...(isFrontMonth && { isFrontMonth }) };
  const sized = await sizeEntry(deps, task, entry, { rule, meant, shown, read });
  return sized.kind === "against" ? { kind: "stop", outcome: refusedAgainst } : sized;
}

const AGAINST = { kind: "against" } as const;

export const refusedAgainst = {
  kind: "denied",
  code: "POSITION_HELD",
  reason: SIZED_AGAINST,
} as const;

/** Whether the other side is held, once all has filled that fills at the market. */
export function holdsAgainst(
  { side }: Pick<PreparedOrder, "side">,
  meant: Sizing["meant"],
  snapshot: Snapshot,
): boolean {
  const expected = exposuresOf(snapshot).map(({ contract, expectedQty }) => ({
    contract,
    netQty: expectedQty,
  }));
  return positionsFor(meant, expected).some(({ netQty }) => netQty * sign(side) < 0);
}

/** The same guards; what those would refuse that only tell is noted once, when it is guarded. */
function quietly(deps: LaneDeps): GuardedBy {
  const { guards } = deps;
  return {
    ...deps,
    guards: {
      of: (account) => {
        const guard = guards.of(account);
        return { ...guard, refuse: guard.refuseQuietly ?? guard.refuse };
      },
      upToDate: (account) => guards.upToDate(account),
      reread: (account) => guards.reread(account),
    },
  };
}
