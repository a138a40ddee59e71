import { contractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Aim, Holding } from "../../domain/alert.ts";
import type { Intent } from "../../domain/intent.ts";
import { prepareTerms } from "../../domain/order-ticket.ts";
import { heldBackOf, type Strategy } from "../../domain/strategies/strategy.ts";
import { errors } from "../../errors.ts";
import type { Evaluation } from "./ports.ts";

/** Whether a decision is carried out, or why it is not; empty where nothing is to change. */
export function sendingOf(
  strategy: Pick<Strategy, "mode" | "enabled">,
  { targetQty, dryRun }: Evaluation,
): Pick<Evaluation, "sends" | "heldBack"> {
  if (targetQty === undefined || dryRun === true) return {};
  const heldBack = heldBackOf(strategy);
  return heldBack === undefined ? { sends: true } : { heldBack };
}

/**
 * The intent that carries a decision out: "be in on that side", or "be out", decided on the lane from
 * what is held then. So a decision that is carried out twice, or late, doubles nothing.
 */
export function intentOf(
  { symbol, qty, bracket }: Pick<Strategy, "symbol" | "qty" | "bracket">,
  { targetQty = 0, netQty = 0, openedAt }: Evaluation,
  contracts: ContractDirectory,
): Intent {
  const resolution = contracts.resolve(symbol, openedAt);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  const { contract, product, isFrontMonth } = resolution;
  const side = targetQty > 0 ? "BUY" : "SELL";
  const isEntry = targetQty !== 0;
  const ticket = { ordType: "MARKET", ...(isEntry && bracket && { bracket }) } as const;
  const terms = prepareTerms(ticket, product, isEntry ? side : undefined);
  if (!terms.ok) throw errors.validationFailed(terms.problems);
  const aim: Aim = isEntry
    ? { to: "enter", side, qty, whenHeld: "refuse", whenOpposite: "close", whenWorking: "refuse" }
    : { to: "close", percent: 100, holding: holdingOf(netQty) };
  return {
    kind: "ADJUST",
    contract: contractCode(contract),
    ...(isFrontMonth && { isFrontMonth }),
    aim,
    terms: terms.value,
    // A position that was not there when it was decided is none of its business.
    ...(isEntry && { onlyWhen: netQty === 0 ? ["FLAT"] : ["FLAT", holdingOf(netQty)] }),
  };
}

const holdingOf = (netQty: number): Holding => (netQty > 0 ? "LONG" : "SHORT");
