import type { Aim } from "../../../src/domain/alert.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Intent } from "../../../src/domain/intent.ts";
import type { Bracket } from "../../../src/domain/order.ts";
import type { PreparedTerms } from "../../../src/domain/order-ticket.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { ES, NQ } from "../../unit/trading/lane-kit.ts";
import type { AskedFor } from "./history.ts";
import type { Root, Step } from "./steps.ts";

export const CONTRACTS: Readonly<Record<Root, ContractCode>> = { ES, NQ };
const ALL = Object.values(CONTRACTS);

/** What is asked of the lane for a step, and what it is about. */
export interface Asking {
  readonly what: AskedFor;
  readonly intent: Intent;
  readonly contracts: readonly ContractCode[];
}

/** What is known when a step is taken: the bids, and what is held. */
export interface Known {
  readonly bid: (root: Root) => number;
  readonly held: (root: Root) => number;
}

/** The intents of the API's and the webhooks' words; undefined where a step makes no sense now. */
export function askingOf(step: Step, known: Known): Asking | undefined {
  switch (step.do) {
    case "enter":
      return enter(step, known);
    case "target":
      return target(step, known);
    case "exit":
      return exit(step);
    case "out":
      return out(step, known);
    case "plainExit":
      return plainExit(step, known);
    case "cancelEntries":
      return cancelEntries(step.root);
    case "protect":
      return protect(step);
    case "switch":
      return step.isOn ? cancelEntries(undefined) : undefined;
    case "market":
    case "trouble":
    case "restart":
    case "wait":
      return undefined;
  }
}

type StepOf<Name extends Step["do"]> = Extract<Step, { do: Name }>;

function enter(step: StepOf<"enter">, known: Known): Asking {
  const { root, side, qty, cancelFirst } = step;
  const contract = CONTRACTS[root];
  const wins = side === "BUY" ? 1 : -1;
  const bid = known.bid(root);
  const terms: PreparedTerms = { ...termsOf(step.type, bid, wins * step.away), ...bracketOf(step) };
  const about = { what: "entry", contracts: [contract] } as const;
  if (!cancelFirst) {
    const order = { ...terms, contract, side, orderQty: qty };
    return { ...about, intent: { kind: "PLACE", order, isFrontMonth: true } };
  }
  return { ...about, intent: adjust(root, { to: "order", side, qty }, terms, { cancelFirst }) };
}

/** A limit lies before the market, a stop behind it. */
function termsOf(type: "MARKET" | "LIMIT" | "STOP", bid: number, away: number): PreparedTerms {
  if (type === "LIMIT") return { ordType: "LIMIT", timeInForce: "GTC", price: ticks(bid - away) };
  if (type === "STOP") return { ordType: "STOP", timeInForce: "GTC", stopPx: ticks(bid + away) };
  return { ordType: "MARKET", timeInForce: "DAY" };
}

function target(step: StepOf<"target">, known: Known): Asking {
  const { root, netQty, away } = step;
  const type = away === undefined ? "MARKET" : "LIMIT";
  const terms = termsOf(type, known.bid(root), Math.sign(netQty) * (away ?? 0));
  const intent = toPosition(root, netQty, { ...terms, ...bracketOf(step) });
  return { what: "target", intent, contracts: [CONTRACTS[root]] };
}

const AT_MARKET: PreparedTerms = { ordType: "MARKET", timeInForce: "DAY" };

/** As an alert asks for it: a position speaks of the whole, so that what rests makes way. */
const toPosition = (root: Root, netQty: number, terms?: PreparedTerms) =>
  adjust(root, { to: "position", netQty }, terms, { cancelFirst: true });

function adjust(
  root: Root,
  aim: Aim,
  terms: PreparedTerms = AT_MARKET,
  { cancelFirst = false } = {},
): Extract<Intent, { kind: "ADJUST" }> {
  const contract = CONTRACTS[root];
  const first = cancelFirst ? ({ cancelFirst: true } as const) : {};
  return { kind: "ADJUST", contract, isFrontMonth: true, aim, terms, ...first };
}

function exit({ how, root }: StepOf<"exit">): Asking {
  const one = { what: "exit", contracts: [CONTRACTS[root]] } as const;
  const all = { what: "exit", contracts: ALL } as const;
  switch (how) {
    case "all":
      return { ...all, intent: { kind: "FLATTEN", cancelResting: false } };
    case "root":
      return { ...one, intent: { kind: "FLATTEN", root, cancelResting: false } };
    case "close":
      return { ...all, intent: { kind: "FLATTEN", cancelResting: true } };
    case "closeNamed":
      return { ...all, intent: { kind: "FLATTEN", mustHold: root, cancelResting: true } };
    case "exitOne":
      return { ...one, intent: { kind: "FLATTEN", root, cancelResting: true } };
    case "flatTarget":
      return { ...one, intent: toPosition(root, 0) };
    case "reduceAll":
      return { ...one, intent: adjust(root, { to: "close", percent: 100 }) };
    case "half":
      return { ...one, what: "part", intent: adjust(root, { to: "close", percent: 50 }) };
  }
}

function out(step: StepOf<"out">, known: Known): Asking | undefined {
  const { root, more } = step;
  const held = known.held(root);
  if (held === 0) return undefined;
  const orderQty = Math.max(1, Math.abs(held) + more);
  const contract = CONTRACTS[root];
  const side = held > 0 ? "SELL" : "BUY";
  const order = { ...AT_MARKET, ...bracketOf(step), contract, side, orderQty } as const;
  const what = orderQty > Math.abs(held) ? "entry" : "out";
  return { what, intent: { kind: "PLACE", order, isFrontMonth: true }, contracts: [contract] };
}

function plainExit(step: StepOf<"plainExit">, known: Known): Asking | undefined {
  const { root, type, away, less } = step;
  const held = known.held(root);
  if (held === 0) return undefined;
  const contract = CONTRACTS[root];
  const side = held > 0 ? "SELL" : "BUY";
  const terms = termsOf(type, known.bid(root), -Math.sign(held) * away);
  const order = { ...terms, contract, side, orderQty: Math.max(1, Math.abs(held) - less) } as const;
  return {
    what: "plainExit",
    intent: { kind: "PLACE", order, isFrontMonth: true },
    contracts: [contract],
  };
}

function cancelEntries(root: Root | undefined): Asking {
  const contracts = root === undefined ? ALL : [CONTRACTS[root]];
  const scope = root === undefined ? {} : { root };
  return { what: "cancelEntries", intent: { kind: "CANCEL_ENTRIES", ...scope }, contracts };
}

function protect(step: StepOf<"protect">): Asking | undefined {
  const { bracket } = bracketOf(step);
  if (bracket === undefined) return undefined;
  const contract = CONTRACTS[step.root];
  const intent = { kind: "PROTECT", contract, levels: bracket } as const;
  return { what: "protection", intent, contracts: [contract] };
}

function bracketOf({ takeProfit, stopLoss }: Pick<StepOf<"protect">, "takeProfit" | "stopLoss">): {
  readonly bracket?: Bracket;
} {
  if (takeProfit === undefined && stopLoss === undefined) return {};
  const level = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;
  return {
    bracket: {
      ...(takeProfit !== undefined && { takeProfit: level(takeProfit) }),
      ...(stopLoss !== undefined && { stopLoss: level(stopLoss) }),
    },
  };
}
