import { STRATEGY_ALERT_ID } from "../../../domain/declared/strategy-alert-id.ts";
import { numberOr } from "../../parts/typed-text.ts";
import type { Profile, Webhook } from "./types.ts";

export const ACTIONS = [
  ["strategy", "What the strategy does"],
  ["buy", "Always buy"],
  ["sell", "Always sell"],
  ["close", "Always close"],
] as const;
export type DraftAction = (typeof ACTIONS)[number][0];

export const LEG_UNITS = [
  ["none", "None"],
  ["ticks", "Ticks from the fill"],
  ["points", "Points from the fill"],
  ["price", "At a price"],
] as const;
export type LegUnit = (typeof LEG_UNITS)[number][0];

export interface DraftLeg {
  readonly unit: LegUnit;
  /** A number, or a placeholder such as {{plot("Stop")}}. */
  readonly value: string;
}

/** What a person chose in the builder. */
export interface Draft {
  readonly profile: Profile;
  readonly action: DraftAction;
  /** Empty: the chart's. */
  readonly symbol: string;
  /** Empty: the strategy's, or without one the webhook's. */
  readonly qty: string;
  readonly stopLoss: DraftLeg;
  readonly takeProfit: DraftLeg;
  /** The name of an exit plan; empty: none. */
  readonly exitPlan: string;
  readonly webhook: Pick<Webhook, "exitPlan" | "sentBy">;
}

/** In which units a profile's words can give an exit. */
export function legUnitsOf({ profile, action }: Draft): readonly LegUnit[] {
  switch (profile) {
    case "native":
    case "position":
      return ["none", "ticks", "points", "price"];
    case "traderspost":
      return ["none", "points", "price"];
    case "pickmytrade":
      return ["none", "price"];
    case "crosstrade":
      // Its distances are signed, so they need a side that is known.
      return action === "strategy" ? ["none", "price"] : ["none", "ticks", "points", "price"];
  }
}

/** The strategy's own position is the target, so nothing else can be. */
export const actionsOf = (profile: Profile): readonly DraftAction[] =>
  profile === "position" ? ["strategy"] : ACTIONS.map(([action]) => action);

export const takesLegs = ({ action }: Draft): boolean => action !== "close";
export const takesQty = (draft: Draft): boolean =>
  draft.action !== "close" && draft.profile !== "position" && !saysPosition(draft);

/** Whether a plan takes out what its orders open. */
export const followsPlan = (draft: Draft): boolean =>
  planNameOf(draft) !== undefined || (draft.webhook.exitPlan !== null && takesLegs(draft));

/** A strategy closes by orders too: beside a plan they must not open the other side. */
export const saysPosition = (draft: Draft): boolean =>
  draft.profile === "native" &&
  draft.action === "strategy" &&
  draft.webhook.sentBy !== "indicator" &&
  followsPlan(draft);

/** Only our own words can name a plan. */
export const takesPlan = (draft: Draft): boolean => draft.profile === "native" && takesLegs(draft);

/** The plan that the message names: it is instead of a stop-loss and a take-profit. */
export function planNameOf(draft: Draft): string | undefined {
  return takesPlan(draft) && draft.exitPlan !== "" ? draft.exitPlan : undefined;
}

/**
 * Whether every order of the strategy would get the exits of the message, the orders that leave a
 * position too: those exits could open one.
 */
export function hangsExitsOnExits(chosen: Draft): boolean {
  const { action, profile, stopLoss, takeProfit } = asSayable(chosen);
  const followsOrders =
    profile !== "position" && profile !== "traderspost" && !saysPosition(chosen);
  const hasExits = planNameOf(chosen) !== undefined || isGiven(stopLoss) || isGiven(takeProfit);
  return action === "strategy" && followsOrders && hasExits;
}

/** The message to paste into the alert. */
export function messageOf(chosen: Draft): string {
  const draft = asSayable(chosen);
  switch (draft.profile) {
    case "native":
      return json(nativeOf(draft));
    case "position":
      return json(positionOf(draft));
    case "traderspost":
      return json(tradersPostOf(draft));
    case "crosstrade":
      return crossTradeOf(draft);
    case "pickmytrade":
      return json(pickMyTradeOf(draft));
  }
}

/** A unit that was chosen before, and that these words cannot say, asks for no exit. */
function asSayable(draft: Draft): Draft {
  const units = legUnitsOf(draft);
  const sayable = (leg: DraftLeg): DraftLeg =>
    units.includes(leg.unit) ? leg : { unit: "none", value: "" };
  return {
    ...draft,
    stopLoss: sayable(draft.stopLoss),
    takeProfit: sayable(draft.takeProfit),
  };
}

/** The exits that the profile's words can give, as far as they are given. */
export function sayableLegs(draft: Draft) {
  const { stopLoss, takeProfit } = asSayable(draft);
  const given = (leg: DraftLeg) => (isGiven(leg) ? leg : undefined);
  return { stopLoss: given(stopLoss), takeProfit: given(takeProfit) };
}

type Fields = Record<string, unknown>;

const json = (fields: Fields): string => JSON.stringify(fields, undefined, 2);
const symbolOf = ({ symbol }: Draft): string => symbol.trim() || "{{ticker}}";

/** Makes an alert that is sent again the same one; an alert without a strategy has no order id. */
const alertIdOf = ({ action }: Draft): string =>
  action === "strategy" ? STRATEGY_ALERT_ID : `${action} {{ticker}} {{timenow}}`;

const FIRED_AT = "{{timenow}}";

const actionOf = ({ action }: Draft): string =>
  action === "strategy" ? "{{strategy.order.action}}" : action;

/** Undefined where the webhook's default is to hold. */
function qtyOf({ action, qty }: Draft): string | number | undefined {
  if (qty.trim() !== "") return numberOr(qty.trim());
  return action === "strategy" ? "{{strategy.order.contracts}}" : undefined;
}

const isGiven = ({ unit, value }: DraftLeg): boolean => unit !== "none" && value.trim() !== "";

/** One exit as an object, each unit under the profile's name for it. */
function legAs(leg: DraftLeg, names: Readonly<Partial<Record<LegUnit, string>>>) {
  const name = names[leg.unit];
  return isGiven(leg) && name !== undefined ? { [name]: numberOr(leg.value.trim()) } : undefined;
}

function legsAs(draft: Draft, stop: Record<string, string>, target = stop): Fields {
  if (!takesLegs(draft)) return {};
  const stopLoss = legAs(draft.stopLoss, stop);
  const takeProfit = legAs(draft.takeProfit, target);
  return {
    ...(takeProfit !== undefined && { takeProfit }),
    ...(stopLoss !== undefined && { stopLoss }),
  };
}

const OUR_UNITS = { ticks: "ticks", points: "offset", price: "price" };

function nativeOf(draft: Draft): Fields {
  const alertId = alertIdOf(draft);
  if (draft.action === "close") return { action: "close", firedAt: FIRED_AT, alertId };
  const qty = qtyOf(draft);
  const exitPlan = planNameOf(draft);
  if (saysPosition(draft)) {
    return {
      symbol: symbolOf(draft),
      position: "{{strategy.position_size}}",
      prev_market_position: "{{strategy.prev_market_position}}",
      prev_market_position_size: "{{strategy.prev_market_position_size}}",
      ...(exitPlan !== undefined && { exitPlan }),
      firedAt: FIRED_AT,
      alertId,
    };
  }
  return {
    action: actionOf(draft),
    symbol: symbolOf(draft),
    ...(qty !== undefined && { qty }),
    ...(exitPlan === undefined ? legsAs(draft, OUR_UNITS) : { exitPlan }),
    firedAt: FIRED_AT,
    alertId,
  };
}

function positionOf(draft: Draft): Fields {
  return {
    symbol: symbolOf(draft),
    action: actionOf(draft),
    market_position: "{{strategy.market_position}}",
    market_position_size: "{{strategy.market_position_size}}",
    prev_market_position: "{{strategy.prev_market_position}}",
    prev_market_position_size: "{{strategy.prev_market_position_size}}",
    ...legsAs(draft, OUR_UNITS),
    firedAt: FIRED_AT,
    alertId: alertIdOf(draft),
  };
}

function tradersPostOf(draft: Draft): Fields {
  const { action } = draft;
  const said = { time: FIRED_AT, alertId: alertIdOf(draft) };
  if (action === "close") return { ticker: symbolOf(draft), action: "exit", ...said };
  const quantity = qtyOf(draft);
  return {
    ticker: symbolOf(draft),
    action: actionOf(draft),
    ...(action === "strategy" && { sentiment: "{{strategy.market_position}}" }),
    ...(quantity !== undefined && { quantity }),
    ...legsAs(
      draft,
      { points: "amount", price: "stopPrice" },
      { points: "amount", price: "limitPrice" },
    ),
    ...said,
  };
}

function crossTradeOf(draft: Draft): string {
  const { action } = draft;
  const qty = qtyOf(draft);
  const fields =
    action === "close"
      ? ["command=CLOSEPOSITION", `instrument=${symbolOf(draft)}`]
      : [
          "command=PLACE",
          `instrument=${symbolOf(draft)}`,
          `action=${actionOf(draft)}`,
          ...(qty === undefined ? [] : [`qty=${qty}`]),
          "order_type=MARKET",
          "tif=DAY",
          ...crossTradeLeg("take_profit", draft.takeProfit, action === "buy"),
          ...crossTradeLeg("stop_loss", draft.stopLoss, action !== "buy"),
        ];
  return [...fields, `firedAt=${FIRED_AT}`, `alertId=${alertIdOf(draft)}`].join("; ");
}

/** Plus is above the market and minus below it. */
function crossTradeLeg(name: string, leg: DraftLeg, isAbove: boolean): readonly string[] {
  if (!isGiven(leg)) return [];
  const value = leg.value.trim();
  return [
    leg.unit === "price"
      ? `${name}=${value}`
      : `${name}=${isAbove ? "+" : "-"}${value} ${leg.unit}`,
  ];
}

function pickMyTradeOf(draft: Draft): Fields {
  const { action, stopLoss, takeProfit } = draft;
  const quantity = qtyOf(draft);
  const price = (leg: DraftLeg) => numberOr(leg.value.trim());
  return {
    symbol: symbolOf(draft),
    date: FIRED_AT,
    data: actionOf(draft),
    ...(action !== "close" && {
      ...(quantity !== undefined && { quantity }),
      price: "{{close}}",
      order_type: "MKT",
      ...(isGiven(takeProfit) && { tp: price(takeProfit) }),
      ...(isGiven(stopLoss) && { sl: price(stopLoss) }),
    }),
    alertId: alertIdOf(draft),
  };
}
