import type { SizeTicket } from "../../../../domain/order-handling.ts";
import { type AlertFields, MAX_QTY } from "../../alert-fields.ts";
import type { SaidExits } from "../../exit-terms.ts";

const QUANTITY_TYPES = [
  "fixed_quantity",
  "percent_of_position",
  "risk_dollar_amount",
  "risk_percent",
] as const;
type QuantityType = (typeof QUANTITY_TYPES)[number];

const OF_NOTIONAL =
  "is not done: a future is not paid for by its price, so it buys no number of contracts: write a quantity in contracts, or risk_percent with a stopLoss";

export const REFUSED_QUANTITY_TYPES = {
  dollar_amount: OF_NOTIONAL,
  percent_of_equity: OF_NOTIONAL,
} as const;

/** How much of a position: contracts, or a share of it. */
export type Part = { readonly qty: number } | { readonly percent: number };
export const ALL: Part = { percent: 100 };

/**
 * Of an exit none at all, which templates send that name what is left, means all of it: the alert asks
 * to get out. A part of a contract is a whole one, and a sign says only which side is held.
 */
export function readPart(fields: AlertFields): Part {
  const type = readQuantityType(fields);
  refuseRisk(fields, type);
  const size = Math.abs(Number(fields.number("quantity") ?? 0));
  if (size === 0 && fields.has("quantity")) fields.overlook("quantity");
  if (size === 0) return ALL;
  if (type === "percent_of_position") return size < 100 ? { percent: size } : ALL;
  return { qty: Math.min(MAX_QTY, Math.max(1, Math.floor(size))) };
}

/**
 * Of an `exit` as templates send it that size their entries by a risk: what that may lose says nothing of
 * how much is to go, and the alert asks to get out.
 */
export function readExitPart(fields: AlertFields): Part {
  const written = fields.text("quantityType")?.toLowerCase();
  if (written !== "risk_dollar_amount" && written !== "risk_percent") return readPart(fields);
  fields.ignore("quantity");
  for (const name of ["quantity", "quantityType"]) if (fields.has(name)) fields.overlook(name);
  return ALL;
}

/** Of a turn, which is as large as what is left of it unless it says otherwise. */
export function readWholeQty(fields: AlertFields): number | undefined {
  const type = readQuantityType(fields);
  if (type === "percent_of_position") return refuseShare(fields);
  refuseRisk(fields, type);
  return readQty(fields);
}

/** Contracts, or what may be lost at the stop. */
export interface EntrySize {
  readonly qty?: number;
  readonly size?: SizeTicket;
}

/** Neither of the two where the alert does not say. */
export function readEntrySize(fields: AlertFields, exits: SaidExits): EntrySize {
  const type = readQuantityType(fields);
  switch (type) {
    case "percent_of_position":
      refuseShare(fields);
      return {};
    case "fixed_quantity": {
      const qty = readQty(fields);
      return qty === undefined ? {} : { qty };
    }
    case "risk_dollar_amount":
    case "risk_percent": {
      if (exits.stop === undefined) fields.problem("quantityType", needsStop(type));
      const size = readRisk(fields, type);
      return size === undefined ? {} : { size };
    }
  }
}

const needsStop = (type: QuantityType): string =>
  `${type} needs a stopLoss with stopPrice, amount or percent: the risk is counted to it`;

function readRisk(
  fields: AlertFields,
  type: "risk_dollar_amount" | "risk_percent",
): SizeTicket | undefined {
  if (fields.isOff("quantity")) {
    return fields.problem("quantity", `is needed with ${type}: it is what may be lost`);
  }
  if (type === "risk_percent") {
    const riskPercent = fields.percent("quantity");
    return riskPercent === undefined ? undefined : { riskPercent };
  }
  const risk = fields.number("quantity");
  if (risk === undefined) return undefined;
  return Number(risk) > 0 ? { risk } : fields.problem("quantity", "must be money above 0");
}

function refuseShare(fields: AlertFields): undefined {
  const message = "percent_of_position belongs to exits: an entry's quantity is in contracts";
  return fields.problem("quantityType", message);
}

function refuseRisk(fields: AlertFields, type: QuantityType): void {
  if (type === "fixed_quantity" || type === "percent_of_position") return;
  const message = `${type} is of entries alone: write a quantity in contracts`;
  fields.problem("quantityType", message);
}

/** A part of a contract is rounded down, as the service does with futures. */
function readQty(fields: AlertFields): number | undefined {
  const written = fields.number("quantity");
  if (written === undefined) return undefined;
  const qty = Math.floor(Number(written));
  if (qty >= 1 && qty <= MAX_QTY) return qty;
  return fields.problem("quantity", `must be from 1 to ${MAX_QTY} contracts`);
}

function readQuantityType(fields: AlertFields): QuantityType {
  const names = Object.keys(REFUSED_QUANTITY_TYPES) as (keyof typeof REFUSED_QUANTITY_TYPES)[];
  const said = fields.choice("quantityType", [...QUANTITY_TYPES, ...names]);
  const type = said ?? "fixed_quantity";
  const done = QUANTITY_TYPES.find((known) => known === type);
  if (done === undefined && type in REFUSED_QUANTITY_TYPES) {
    const why = REFUSED_QUANTITY_TYPES[type as keyof typeof REFUSED_QUANTITY_TYPES];
    fields.problem("quantityType", `${type} ${why}`);
  }
  return done ?? "fixed_quantity";
}
