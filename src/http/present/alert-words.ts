import { hasLeft } from "../../domain/notify/told-outcome.ts";
import { ORDER_PRICES, pricesInWords } from "../../domain/declared/order-types.ts";
import type { Aim, AlertRequest, OrderTerms } from "../../domain/alert.ts";
import type { Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import type { Side } from "../../domain/order.ts";
import type { SizeRule, SizeTicket } from "../../domain/order-handling.ts";
import type { BracketTicket, LegTicket } from "../../domain/contracts/tick-reader.ts";
import type { AskedExitPlan } from "../../domain/exits/exit-plan.ts";
import { askedPlanInWords } from "./exit-plan.ts";
import { ACTION_OF, ORDER_TYPE_OF, STATUS_OF } from "../words.ts";
import { presentAverage } from "./figures.ts";
import { reasonInWords } from "./outcome.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** How an alert was understood, as one sentence for whoever wrote it. */
export function requestInWords(request: AlertRequest): string {
  switch (request.kind) {
    case "order": {
      const { symbol, side, orderQty, size, ...terms } = request.ticket;
      const what = `${ACTION_OF[side]} ${manyInWords(orderQty, size)}${symbol}`;
      return `${what}${sizeInWords(size)}${termsInWords(terms)}`;
    }
    case "adjust": {
      const { symbol, aim, terms, cancelFirst, onlyWhen } = request;
      const parts = [
        `${aimInWords(aim, symbol, terms.size)}${termsInWords(terms)}`,
        ...(cancelFirst === true ? ["resting entries are cancelled first"] : []),
        ...(onlyWhen === undefined ? [] : [`only while ${onlyWhen.join(" or ").toLowerCase()}`]),
      ];
      return parts.join("; ");
    }
    case "flatten": {
      const condition =
        request.symbol === undefined ? "" : `, if nothing but ${request.symbol} is held`;
      return `close every position and cancel every resting order of the account${condition}`;
    }
    case "exit":
      return `close ${request.symbol} and cancel what rests in it`;
    case "cancel":
      return `cancel the resting entries of ${request.symbol ?? "the account"}`;
    case "protect":
      return `protect ${request.symbol}${exitsInRequest(request.legs, request.exitPlan)}`;
  }
}

/** Where the position in a symbol is to go, and what is to be risked where that says how far. */
export function aimInWords(aim: Aim, symbol: string, size?: SizeTicket | SizeRule): string {
  return `${goalInWords(aim, symbol, size)}${sizeInWords(size)}`;
}

/** Of what is sized by its risk no quantity is known. */
const manyInWords = (qty: number, size: unknown): string => (size === undefined ? `${qty} ` : "");

function sizeInWords(size: SizeTicket | SizeRule | undefined): string {
  if (size === undefined) return "";
  const { min } = size;
  const asked = "by" in size ? ruleAsWritten(size) : size;
  const risk = asked.risk === undefined ? `${asked.riskPercent} % of the account` : asked.risk;
  return `, as many as risk ${risk}${min === undefined ? "" : `, ${min} at least`}`;
}

const ruleAsWritten = (rule: SizeRule): SizeTicket =>
  rule.by === "risk" ? { risk: rule.money } : { riskPercent: rule.percent };

function goalInWords(aim: Aim, symbol: string, size: unknown): string {
  switch (aim.to) {
    case "order":
      return `${ACTION_OF[aim.side]} ${manyInWords(aim.qty, size)}${symbol}`;
    case "position": {
      const { netQty } = aim;
      const where = netQty === 0 ? "flat" : `${netQty > 0 ? "long" : "short"} ${Math.abs(netQty)}`;
      return `bring ${symbol} to ${where}`;
    }
    case "reverse":
      return `turn ${symbol} around${aim.qty === undefined || size !== undefined ? "" : `, to ${aim.qty}`}`;
    case "close": {
      const part =
        "qty" in aim ? `${aim.qty} of` : aim.percent === 100 ? "all of" : `${aim.percent} % of`;
      const held = aim.holding === undefined ? "" : ` if it is ${aim.holding.toLowerCase()}`;
      return `close ${part} ${symbol}${held}`;
    }
    case "add":
      return `add ${manyInWords(aim.qty, size)}to ${symbol}`;
    case "enter":
      return `${enterInWords(aim.side)} ${manyInWords(aim.qty, size)}${symbol}, ${outInWords(aim)}`;
  }
}

function outInWords({ swap }: Extract<Aim, { to: "enter" }>): string {
  if (swap === undefined) return "out of the other side first";
  if (swap === "never") return "or only out of the other side where that is held";
  return "out of the other side first, which counts towards it";
}

const enterInWords = (side: Side): string => (side === "BUY" ? "go long" : "go short");

function termsInWords(terms: OrderTerms): string {
  const { ordType, bracket, exitPlan } = terms;
  const type = ordType === "MARKET" ? "" : ` as a ${ORDER_TYPE_OF[ordType]} order`;
  const prices = pricesInWords(terms, "asked", ORDER_PRICES).map((price) => ` ${price}`);
  return `${type}${prices.join("")}${exitsInRequest(bracket, exitPlan)}`;
}

function exitsInRequest(legs: BracketTicket = {}, plan?: AskedExitPlan): string {
  return `${legsInWords(legs)}${plan === undefined ? "" : `, ${askedPlanInWords(plan)}`}`;
}

function legsInWords({ takeProfit, stopLoss }: BracketTicket): string {
  const words = [
    ...(takeProfit === undefined ? [] : [`take-profit ${legInWords(takeProfit)}`]),
    ...(stopLoss === undefined ? [] : [`stop-loss ${legInWords(stopLoss)}`]),
  ];
  return words.length === 0 ? "" : `, ${words.join(", ")}`;
}

function legInWords({ price, ticks, offset, atEntry }: LegTicket): string {
  if (atEntry === true) return "at the entry's average price";
  if (price !== undefined) return `at ${price}`;
  return ticks === undefined ? `${offset} away` : `${ticks} ticks away`;
}

/** What was achieved, as one sentence. What was not is part of it. */
export function resultInWords(result: IntentResult, describe: DescribeContract): string {
  switch (result.kind) {
    case "PLACE": {
      const { order, contract, closed = [], problems = [] } = result;
      const terms = describe(contract);
      const price = presentAverage(order.avgPx, terms);
      const filled = price === null ? "" : `: ${order.cumQty} at ${price}`;
      const what = closed.map((one) => closedInWords(describe, one.contract, one.netQty));
      const isClose = closed.some(({ orderId }) => orderId === order.orderId);
      return sentences([
        ...(what.length === 0 ? [] : [`Closed ${what.join(" and ")}`]),
        ...(isClose
          ? []
          : [`The order in ${terms.symbol} is ${STATUS_OF[order.ordStatus]}${filled}`]),
        ...problems,
      ]);
    }
    case "FLATTEN": {
      const { closed, canceledOrderIds, problems } = result;
      const what = closed.map(({ contract, netQty }) => closedInWords(describe, contract, netQty));
      const nothing = what.length + canceledOrderIds.length === 0 && !hasLeft(result);
      return sentences([
        nothing ? "Nothing was open or resting" : `Closed ${what.join(" and ") || "nothing"}`,
        ...canceledInWords(canceledOrderIds.length),
        ...problems,
      ]);
    }
    case "ADJUST": {
      const { closed, canceledOrderIds, order, contract, problems } = result;
      const exits = exitsInWords(result, describe);
      const what = closed.map((one) => closedInWords(describe, one.contract, one.netQty));
      return sentences([
        ...(what.length === 0 ? [] : [`Closed ${what.join(" and ")}`]),
        ...canceledInWords(canceledOrderIds.length),
        ...exits,
        ...(order === undefined
          ? []
          : [resultInWords({ kind: "PLACE", contract, order }, describe)]),
        ...([...what, ...exits, ...problems].length === 0 && order === undefined
          ? ["The position is where it was to be: nothing was sent"]
          : []),
        ...problems,
      ]);
    }
    case "CANCEL_ENTRIES":
      return canceledInWords(result.canceledOrderIds.length)[0] ?? "Nothing was resting";
    case "PROTECT":
      return protectedInWords(result, describe);
    case "CANCEL":
    case "MODIFY":
    case "TIMEOUT":
      return "Done";
    case "TEST":
      return "A test: nothing was sent";
  }
}

function protectedInWords(
  { contract, orderQty, growsTo }: Extract<IntentResult, { kind: "PROTECT" }>,
  describe: DescribeContract,
): string {
  const { symbol } = describe(contract);
  if (growsTo === undefined) return `${symbol} is protected`;
  return `${orderQty} of ${growsTo} ${symbol} are protected, and the rest is being filled`;
}

function exitsInWords(
  { exits }: Extract<IntentResult, { kind: "ADJUST" }>,
  describe: DescribeContract,
): readonly string[] {
  if (exits?.kind !== "standing") return [];
  return [`${describe(exits.contract).symbol} is protected`];
}

function closedInWords(
  describe: DescribeContract,
  contract: Parameters<DescribeContract>[0],
  netQty: number,
): string {
  return `${Math.abs(netQty)} ${describe(contract).symbol} ${netQty > 0 ? "long" : "short"}`;
}

const canceledInWords = (count: number): readonly string[] =>
  count === 0 ? [] : [`Cancelled ${count} resting ${count === 1 ? "order" : "orders"}`];

const sentences = (parts: readonly string[]): string => parts.join(". ");

/** Why an intent ended as it did, or what it achieved. */
export function outcomeInWords(outcome: Outcome, describe: DescribeContract): string {
  return outcome.kind === "done" ? resultInWords(outcome.result, describe) : reasonInWords(outcome);
}
