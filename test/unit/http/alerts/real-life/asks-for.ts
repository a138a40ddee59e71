import { planAdjust } from "../../../../../src/domain/adjust.ts";
import { type ContractCode, rootOfCode } from "../../../../../src/domain/contracts/contract.ts";
import type { Intent } from "../../../../../src/domain/intent.ts";
import {
  type Bracket,
  type LegLevel,
  type NewOrderSingle,
  sign,
} from "../../../../../src/domain/order.ts";
import type { Submission } from "../../../../../src/trading/orders/submit-intent.ts";

type Held = Readonly<Record<string, number>>;

/**
 * The orders that a submission leads to in an account that holds so much, in one line; prices are in ticks. An
 * order that opens or grows a position is named by its refusal's code where a message may only take out.
 */
export function asksFor({ intent, test, exitsOnlyCode }: Submission, held: Held): string {
  const asked = inWords(intent, { held, refusedWith: exitsOnlyCode });
  return test === true ? `test: ${asked}` : asked;
}

interface Account {
  readonly held: Held;
  readonly refusedWith: string | undefined;
}

const grows = ({ contract, side, orderQty }: Order, held: Held): boolean => {
  const before = held[contract] ?? 0;
  return Math.abs(before + sign(side) * orderQty) > Math.abs(before);
};

function inWords(intent: Intent, account: Account): string {
  switch (intent.kind) {
    case "PLACE": {
      const { order, isFrontMonth, handling } = intent;
      const { held, refusedWith } = account;
      if (refusedWith !== undefined && grows(order, held)) return refusedWith;
      return [orderText(order, isFrontMonth), ...extra(handling)].join(" ");
    }
    case "ADJUST":
      return [adjustText(intent, account), ...extra(intent.handling)].join(" ");
    case "FLATTEN": {
      const { mustHold, root, contract, cancelResting } = intent;
      const before = cancelResting ? "cancel what rests, " : "";
      const only = mustHold === undefined ? "" : ` if nothing but ${mustHold} is held`;
      return `${before}close ${contract ?? root ?? "all"}${only}`;
    }
    case "CANCEL_ENTRIES":
      return `cancel entries of ${intent.contract ?? intent.root ?? "all"}`;
    case "PROTECT": {
      const { contract, isFrontMonth } = intent;
      const name = contract === undefined ? "what is held" : nameOf(contract, isFrontMonth);
      const asked = "levels" in intent ? legsText(intent.levels) : [JSON.stringify(intent)];
      return ["protect", name, ...asked].join(" ");
    }
    case "CANCEL":
    case "MODIFY":
    case "TIMEOUT":
      throw new Error(`no alert asks for ${intent.kind}`);
  }
}

/** `ES=ESZ2026` where only the root is named, `ESZ2026` where that contract is. */
const nameOf = (contract: ContractCode, isFrontMonth: true | undefined): string =>
  isFrontMonth === true ? `${rootOfCode(contract)}=${contract}` : contract;

type Order = Omit<NewOrderSingle, "clOrdId">;

function orderText(order: Order, isFrontMonth: true | undefined): string {
  const { contract, side, orderQty, ordType, timeInForce, bracket, ...prices } = order;
  const own = Object.entries(prices).map(([name, value]) => `${name} ${String(value)}`);
  const name = nameOf(contract, isFrontMonth);
  return [side, orderQty, name, ordType, timeInForce, ...own, ...legsText(bracket)].join(" ");
}

function legsText({ takeProfit, stopLoss }: Bracket = {}): readonly string[] {
  const target = takeProfit === undefined ? [] : [`target ${levelText(takeProfit)}`];
  return stopLoss === undefined ? target : [...target, `stop ${levelText(stopLoss)}`];
}

const levelText = (level: LegLevel): string =>
  level.by === "price" ? `at ${level.price}` : `${level.distance} away`;

const extra = (handling: object | undefined): readonly string[] =>
  handling === undefined ? [] : [JSON.stringify(handling)];

function adjustText(
  intent: Extract<Intent, { kind: "ADJUST" }>,
  { held, refusedWith }: Account,
): string {
  const positions = Object.entries(held).map(([code, netQty]) => ({
    contract: code as ContractCode,
    netQty,
  }));
  const plan = planAdjust(intent, { positions, working: [] }, (contract) => contract);
  const before = intent.cancelFirst === true ? ["cancel what rests"] : [];
  if (plan.kind === "nothing") return [...before, "nothing to do"].join(", ");
  if (plan.kind === "refuse") return [...before, plan.code].join(", ");
  const { closes, reduce, protect, entry, problem } = plan;
  return [
    ...before,
    ...closes.map(({ contract, netQty }) => `close ${netQty} ${contract}`),
    ...(reduce === undefined ? [] : [orderText(reduce, undefined)]),
    ...(protect === undefined ? [] : [`protect ${protect.netQty} ${protect.contract}`]),
    ...(entry === undefined ? [] : [refusedWith ?? orderText(entry, undefined)]),
    ...(problem === undefined ? [] : [problem]),
  ].join(", ");
}
