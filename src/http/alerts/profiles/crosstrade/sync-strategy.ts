import type { Aim, AlertRequest } from "../../../../domain/alert.ts";
import { type AlertFields, MAX_QTY } from "../../alert-fields.ts";
import type { ProfileOptions } from "../../alert-profile.ts";
import { strategyOrder } from "../position/strategy-order.ts";
import {
  holdingOf,
  MARKET_POSITIONS,
  type MarketPosition,
  readOnlyWhen,
  readOrder,
} from "./order-commands.ts";

const OUT_OF_SYNC = ["block", "flatten", "resync"] as const;

interface Sync {
  /** Where the strategy stands after this order, and where it stood before. */
  readonly now: MarketPosition;
  readonly before: MarketPosition;
  readonly outOfSync: (typeof OUT_OF_SYNC)[number];
}

/**
 * An order of a strategy that the account is to follow (`sync_strategy=true`). It is placed where
 * the account stands as the strategy did before. Where it does not: nothing is done (block), or it
 * goes flat (flatten), or to where the strategy stands now (resync).
 */
export function readSynced(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const sync = readSync(fields);
  if (sync === undefined) return undefined;
  switch (sync.outOfSync) {
    case "block":
      return readBlocked(fields, options, sync);
    case "resync":
      return readPosition(fields, options, readTarget(fields, sync.now));
    case "flatten":
      // Both ways end flat: no order can take the account further than that.
      if (sync.now === "flat") return readPosition(fields, options, 0);
      return fields.problem("out_of_sync", NO_FLATTEN);
  }
}

const NO_FLATTEN =
  "cannot be flatten for an order that opens: write block, or resync with target_quantity";

function readSync(fields: AlertFields): Sync | undefined {
  fields.refuse(
    "flatten_first",
    "is not taken with sync_strategy: the position is checked instead",
  );
  const now = fields.choice("market_position", MARKET_POSITIONS, { needed: true });
  const before = fields.choice("prev_market_position", MARKET_POSITIONS, { needed: true });
  const outOfSync = fields.choice("out_of_sync", OUT_OF_SYNC, { needed: true });
  if (now === undefined || before === undefined || outOfSync === undefined) return undefined;
  return { now, before, outOfSync };
}

function readBlocked(
  fields: AlertFields,
  options: ProfileOptions,
  { before }: Sync,
): AlertRequest | undefined {
  const order = readOrder(fields, options);
  const onlyWhen = readOnlyWhen(fields, [holdingOf(before)]);
  if (order === undefined || onlyWhen === undefined) return undefined;
  const { symbol, side, qty, terms } = order;
  return { kind: "adjust", symbol, aim: { to: "order", side, qty }, terms, onlyWhen };
}

/** How much is to be sent follows from what is held then, so it can only be sent at the market. */
function readPosition(
  fields: AlertFields,
  options: ProfileOptions,
  netQty: number | undefined,
): AlertRequest | undefined {
  const order = readOrder(fields, options, (netQty ?? 0) < 0 ? "SELL" : "BUY");
  const onlyWhen = readOnlyWhen(fields);
  if (order === undefined || netQty === undefined) return undefined;
  const { symbol, terms } = order;
  if (terms.ordType !== "MARKET") return fields.problem("order_type", "must be market here");
  const aim: Aim = { to: "position", netQty, ...strategyOrder([fields], netQty) };
  const guard = onlyWhen !== undefined && { onlyWhen };
  // Where nothing is entered there is nothing that legs could belong to.
  if (netQty === 0) return { kind: "adjust", symbol, aim, terms: { ordType: "MARKET" }, ...guard };
  return { kind: "adjust", symbol, aim, terms, ...guard };
}

/** `{{strategy.position_size}}`, signed, or the size alone. */
function readTarget(fields: AlertFields, now: MarketPosition): number | undefined {
  const name = "target_quantity";
  const written = fields.whole(name, { needed: now !== "flat", min: -MAX_QTY });
  if (written === undefined) return now === "flat" && !fields.has(name) ? 0 : undefined;
  const isOther = now === "flat" ? written !== 0 : written === 0 || (now === "long" && written < 0);
  if (isOther) return fields.problem(name, `says something else than market_position=${now}`);
  return now === "short" ? -Math.abs(written) : written;
}
