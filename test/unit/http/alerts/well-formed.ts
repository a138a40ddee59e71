import { expect } from "vitest";
import type { Aim, AlertRequest, OrderTerms, ReadAlert } from "../../../../src/domain/alert.ts";
import { NOISY_DECIMALS, parseDecimal } from "../../../../src/domain/contracts/decimal.ts";
import { EXCHANGES } from "../../../../src/http/alerts/read-symbol.ts";
import type {
  BracketTicket,
  LegTicket,
  WrittenNumber,
} from "../../../../src/domain/contracts/tick-reader.ts";

import type { ExitPlanTicket } from "../../../../src/domain/exits/exit-plan.ts";
import type { SizeTicket } from "../../../../src/domain/order-handling.ts";

import { planIn } from "./read-with-profile.ts";

/** What everything behind the reading relies on, whatever was sent. */
export function expectWellFormed(alert: ReadAlert): void {
  refuseHoles(alert, "alert");
  expectRequest(alert.request);
  const { maxAgeMs = 1, firedAt = 1, senderAlertId = "-", unread } = alert;
  expect({ maxAgeMs, isAge: maxAgeMs >= 0 && maxAgeMs <= 86_400_000 }).toMatchObject({
    isAge: true,
  });
  expect({ firedAt, isInstant: !Number.isNaN(new Date(firedAt).getTime()) }).toMatchObject({
    isInstant: true,
  });
  expectShort(senderAlertId, 1_000);
  expect(unread.length).toBeLessThanOrEqual(50);
}

/** A hole that JSON would keep silent about, or turn into something else. */
function refuseHoles(value: unknown, path: string): void {
  if (value === undefined || value === null || Number.isNaN(value)) {
    throw new Error(`${path} is ${String(value)}`);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${path} is endless`);
  if (typeof value !== "object") return;
  for (const [name, one] of Object.entries(value)) refuseHoles(one, `${path}.${name}`);
}

function expectRequest(request: AlertRequest): void {
  switch (request.kind) {
    case "order": {
      const { symbol, side, orderQty, ...terms } = request.ticket;
      expectSymbol(symbol);
      expect(["BUY", "SELL"]).toContain(side);
      expectQty(orderQty);
      return expectTerms(terms);
    }
    case "adjust":
      expectSymbol(request.symbol);
      expectAim(request.aim);
      return expectTerms(request.terms);
    case "flatten":
    case "cancel":
      if (request.symbol !== undefined) expectSymbol(request.symbol);
      return;
    case "exit":
      return expectSymbol(request.symbol);
    case "protect":
      expectSymbol(request.symbol);
      return expectLegs(request.legs);
    default:
      throw new Error(`nobody knows ${JSON.stringify(request satisfies never)}`);
  }
}

function expectAim(aim: Aim): void {
  switch (aim.to) {
    case "position":
      if (!Number.isSafeInteger(aim.netQty)) throw new Error(`netQty is ${aim.netQty}`);
      return;
    case "close":
      if ("qty" in aim) return expectQty(aim.qty);
      if (!(aim.percent > 0 && aim.percent <= 100)) throw new Error(`percent is ${aim.percent}`);
      return;
    case "reverse":
      if (aim.qty !== undefined) expectQty(aim.qty);
      return;
    case "order":
    case "add":
    case "enter":
      return expectQty(aim.qty);
    default:
      throw new Error(`nobody knows ${JSON.stringify(aim satisfies never)}`);
  }
}

const ORD_TYPES = ["MARKET", "LIMIT", "STOP", "STOP_LIMIT", "TRAILING_STOP"];
const TIMES_IN_FORCE = ["DAY", "GTC", "IOC", "FOK"];

function expectTerms(terms: OrderTerms): void {
  const { ordType, timeInForce = "DAY", limitPrice, stopPrice, trailOffset, bracket } = terms;
  expect(ORD_TYPES).toContain(ordType);
  expect(TIMES_IN_FORCE).toContain(timeInForce);
  for (const price of [limitPrice, stopPrice, trailOffset]) expectNumber(price);
  if (bracket !== undefined) expectLegs(bracket);
  if (terms.exitPlan !== undefined) expectPlan(planIn(terms));
  if (bracket !== undefined && terms.exitPlan !== undefined) throw new Error("exits by two ways");
  if (terms.size !== undefined) expectSize(terms.size, terms);
  expectQty(terms.timeout?.afterSeconds ?? 1);
}

function expectLegs({ takeProfit, stopLoss }: BracketTicket): void {
  const legs = [takeProfit, stopLoss].filter((leg) => leg !== undefined);
  if (legs.length === 0) throw new Error("a bracket without legs");
  for (const leg of legs) expectLeg(leg);
}

function expectLeg(leg: LegTicket): void {
  const given = Object.keys(leg);
  if (given.length !== 1) throw new Error(`a leg is given by ${given.join(" and ") || "nothing"}`);
  for (const level of [leg.price, leg.offset, leg.ticks]) expectNumber(level);
}

/** As a reader leaves it: each level is given by one thing, and something is there to leave by. */
function expectPlan({ targets = [], stop, breakeven, trailing }: ExitPlanTicket): void {
  const { target, ...after } = breakeven?.after ?? {};
  const others = [
    trailing?.from,
    trailing?.distance,
    target === undefined ? breakeven && after : {},
  ];
  const parts = targets.map((part) => ({ ...part, share: undefined, qty: undefined }));
  const levels = [...parts, stop, ...others];
  if (targets.length === 0 && stop === undefined && trailing === undefined) {
    throw new Error("a plan without exits");
  }
  for (const level of levels.filter((one) => one !== undefined)) {
    const given: WrittenNumber[] = Object.values(level).filter((one) => one !== undefined);
    if (given.length > 1) throw new Error("a level is given twice");
    for (const written of given) expectNumber(written);
  }
  for (const { qty = 1 } of targets) expectQty(qty);
}

/** Exactly one of the two ways in which an entry is sized, above nothing. */
function expectSize(size: SizeTicket, terms: OrderTerms): void {
  const [value, ...others] = [size.risk, size.riskPercent].filter((one) => one !== undefined);
  if (value === undefined || others.length > 0 || !(Number(value) > 0)) {
    throw new Error(`a size is ${JSON.stringify(size)}`);
  }
  const stop = terms.bracket?.stopLoss ?? planIn(terms).stop;
  if (stop === undefined) throw new Error("a size without a stop");
}

function expectNumber(written: WrittenNumber | undefined): void {
  if (written === undefined || typeof written === "number") return;
  if (parseDecimal(written, NOISY_DECIMALS) === undefined) {
    throw new Error(`${written} is no number`);
  }
}

/** Exchanges from fields of their own come before the symbol. */
function expectSymbol(symbol: string): void {
  const parts = symbol.split(":");
  for (const part of parts.slice(0, -1)) expect(part.length).toBeLessThanOrEqual(32);
  expect(parts.length - 1).toBeLessThanOrEqual(EXCHANGES.length + 32);
  expectShort(parts.at(-1) ?? "", 32);
}

function expectShort(text: string, max: number): void {
  if (typeof text === "string" && text.trim() !== "" && text.length <= max) return;
  throw new Error(`${JSON.stringify(text)} is no text of 1 to ${max} characters`);
}

function expectQty(qty: number): void {
  if (!Number.isSafeInteger(qty) || qty < 1) throw new Error(`a quantity is ${qty}`);
}
