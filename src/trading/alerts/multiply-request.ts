import type { Aim, AlertRequest } from "../../domain/alert.ts";
import { formatScaled, parseDecimal, type Scaled } from "../../domain/contracts/decimal.ts";
import type { ExitPlanTicket, PlanTargetTicket } from "../../domain/exits/exit-plan.ts";
import { movedBy } from "../../domain/strategy-move.ts";
import { errors, type GatewayError } from "../../errors.ts";

/** The most contracts that one alert may ask for, after the multiplier. */
export const MAX_ALERT_QTY = 10_000;

/** What an alert asks for with its quantity multiplied. */
export interface Multiplied {
  readonly request: AlertRequest;
  /** What was done, in words; absent where nothing was. */
  readonly decision?: string;
  /** It comes to less than one contract, so that only a way out passes; why, in words. */
  readonly exitsOnly?: string;
}

/**
 * Multiplies an alert's quantity. A multiplier is a cap on what somebody else's alert may open, so
 * it is rounded down; but it never holds an exit back: a target may come to 0, and what closes, or
 * may turn out to, is at least one contract. Throws VALIDATION_FAILED for what is too much.
 */
export function multiplyRequest(request: AlertRequest, written = "1"): Multiplied {
  const multiplier = parseDecimal(written);
  if (multiplier === undefined || formatScaled(multiplier) === "1") return { request };

  const sized = multipliedRisk(request, multiplier);
  if (sized !== undefined) return sized;

  switch (request.kind) {
    case "order": {
      const { ticket } = request;
      const { qty, ...said } = entryQty(ticket.orderQty, multiplier);
      return { request: { ...request, ticket: { ...ticket, orderQty: qty } }, ...said };
    }
    case "adjust": {
      const { aim, ...said } = multipliedAim(request.aim, multiplier);
      return { request: { ...request, aim }, ...said };
    }
    case "flatten":
    case "exit":
    case "cancel":
    case "protect":
      return { request };
  }
}

/** What an entry may lose is multiplied as its contracts would be; those follow from it on the lane. */
function multipliedRisk(request: AlertRequest, multiplier: Scaled): Multiplied | undefined {
  if (request.kind !== "order" && request.kind !== "adjust") return undefined;
  const { size } = request.kind === "order" ? request.ticket : request.terms;
  const name = size?.risk === undefined ? "riskPercent" : "risk";
  const written = parseDecimal(String(size?.[name]));
  if (size === undefined || written === undefined) return undefined;
  const product = shortened({
    units: written.units * multiplier.units,
    scale: written.scale + multiplier.scale,
  });
  const decision = `The risk is multiplied: ${formatScaled(written)} × ${formatScaled(multiplier)} is ${product}`;
  const terms = { size: { ...size, [name]: product } };
  return request.kind === "order"
    ? { request: { ...request, ticket: { ...request.ticket, ...terms } }, decision }
    : { request: { ...request, terms: { ...request.terms, ...terms } }, decision };
}

const MOST_PLACES = 12;

/** Rounded down to as many places as a written number has. */
function shortened({ units, scale }: Scaled): string {
  const surplus = Math.max(0, scale - MOST_PLACES);
  return formatScaled({ units: units / 10n ** BigInt(surplus), scale: scale - surplus });
}

/** A plan's targets with as many contracts as the multiplied quantity has for them, at least one. */
export function multiplyPlan(plan: ExitPlanTicket, written = "1"): ExitPlanTicket {
  const multiplier = parseDecimal(written);
  const { targets } = plan;
  if (multiplier === undefined || targets === undefined) return plan;
  const multiplied = ({ qty, ...target }: PlanTargetTicket): PlanTargetTicket => {
    if (qty === undefined) return target;
    const { whole } = multiply(qty, multiplier);
    return { ...target, qty: Math.min(MAX_ALERT_QTY, Math.max(1, whole)) };
  };
  return { ...plan, targets: targets.map(multiplied) };
}

type Said = Omit<Multiplied, "request">;

function multipliedAim(aim: Aim, multiplier: Scaled): Said & { readonly aim: Aim } {
  switch (aim.to) {
    case "position":
      return multipliedTarget(aim, multiplier);
    case "order":
    case "enter": {
      const { qty, ...said } = entryQty(aim.qty, multiplier);
      return { aim: { ...aim, qty }, ...said };
    }
    case "reverse": {
      if (aim.qty === undefined) return { aim };
      const { qty, ...said } = entryQty(aim.qty, multiplier);
      return { aim: { ...aim, qty }, ...said };
    }
    case "add": {
      const product = multiply(aim.qty, multiplier);
      if (product.whole < 1) throw badQty(tooLittle(product));
      const qty = atMost(product);
      return { aim: { ...aim, qty }, decision: decide(product, qty) };
    }
    case "close": {
      if (!("qty" in aim)) return { aim };
      const product = multiply(aim.qty, multiplier);
      // An exit that is refused for being small leaves everything open.
      const qty = Math.min(MAX_ALERT_QTY, Math.max(1, product.whole));
      return { aim: { ...aim, qty }, decision: decide(product, qty) };
    }
  }
}

/** Less than one contract is flat. */
function multipliedTarget(
  aim: Extract<Aim, { to: "position" }>,
  multiplier: Scaled,
): Said & { readonly aim: Aim } {
  const { netQty } = aim;
  const strategy = aim.strategy && movedBy(aim.strategy, (qty) => signedProduct(qty, multiplier));
  const moved = { ...aim, ...(strategy !== undefined && { strategy }) };
  if (netQty === 0) return { aim: moved };
  const product = multiply(Math.abs(netQty), multiplier);
  const size = atMost(product);
  const target = size === 0 ? 0 : Math.sign(netQty) * size;
  return { aim: { ...moved, netQty: target }, decision: decide(product, size) };
}

function signedProduct(netQty: number, multiplier: Scaled): number {
  const { whole } = multiply(Math.abs(netQty), multiplier);
  return whole === 0 ? 0 : Math.sign(netQty) * whole;
}

/** Of what may open and may close: which of the two it is, only the lane knows. */
function entryQty(asked: number, multiplier: Scaled): Said & { readonly qty: number } {
  const product = multiply(asked, multiplier);
  if (product.whole >= 1) {
    const qty = atMost(product);
    return { qty, decision: decide(product, qty) };
  }
  return {
    qty: 1,
    decision: `${decide(product, 1)} where it closes; it opens nothing`,
    exitsOnly: `${tooLittle(product)}, so it may not open or grow a position; exits pass`,
  };
}

interface Product {
  /** As it was asked for: `3 × 0.5`. */
  readonly asked: string;
  readonly exact: string;
  /** Rounded down. */
  readonly whole: number;
}

function multiply(qty: number, multiplier: Scaled): Product {
  const { scale } = multiplier;
  const units = BigInt(qty) * multiplier.units;
  return {
    asked: `${qty} × ${formatScaled(multiplier)}`,
    exact: formatScaled({ units, scale }),
    whole: Number(units / 10n ** BigInt(scale)),
  };
}

function atMost({ asked, whole }: Product): number {
  if (whole <= MAX_ALERT_QTY) return whole;
  throw badQty(`${asked} is more than ${MAX_ALERT_QTY} contracts`);
}

function decide({ asked, exact }: Product, qty: number): string {
  const rounded = exact === String(qty) ? "" : `, rounded to ${qty}`;
  return `The quantity is multiplied: ${asked} is ${exact}${rounded}`;
}

const tooLittle = ({ asked }: Product): string => `${asked} is less than one contract`;

function badQty(message: string): GatewayError {
  return errors.validationFailed([{ path: "qty", message }]);
}
