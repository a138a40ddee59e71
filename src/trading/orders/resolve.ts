import {
  calledRoot,
  type ContractCode,
  contractCode,
  isUnnamed,
  parseContractCode,
  rootOfCode,
  symbolOfCode,
  unnamedContract,
} from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AskedExitPlan, ExitPlanTicket } from "../../domain/exits/exit-plan.ts";
import { checkExitPlan, prepareExitPlan } from "../../domain/exits/prepare-exit-plan.ts";
import type { AskedLevels, Intent } from "../../domain/intent.ts";
import { type OrderTicket, prepareLegs, prepareOrder } from "../../domain/order-ticket.ts";
import {
  type HandledOrder,
  type HandlingTicket,
  type OrderHandling,
  prepareHandling,
} from "../../domain/order-handling.ts";
import { parseSymbol } from "../../domain/contracts/symbol.ts";
import { errors } from "../../errors.ts";
import type { BracketTicket, Prepared, PriceTerms } from "../../domain/contracts/tick-reader.ts";

/** The order on its resolved contract; fails before anything is sent (specification 2.3). */
export function resolveOrder(
  contracts: ContractDirectory,
  ticket: OrderTicket,
  nowMs: number,
): Extract<Intent, { kind: "PLACE" }> {
  const resolution = contracts.resolve(ticket.symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(ticket.symbol, resolution.reason);

  const { contract, product, isFrontMonth } = resolution;
  const prepared = prepareOrder(ticket, contractCode(contract), product);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return {
    kind: "PLACE",
    order: prepared.value,
    ...(isFrontMonth && { isFrontMonth }),
    ...handlingOf(ticket, product),
  };
}

/** What an order asks for beside being sent. Throws VALIDATION_FAILED. */
export function handlingOf(
  ticket: HandlingTicket & HandledOrder,
  terms: PriceTerms,
): { readonly handling?: OrderHandling } {
  const { handling, problems } = prepareHandling(ticket, terms);
  if (problems.length > 0) throw errors.validationFailed(problems);
  return handling === undefined ? {} : { handling };
}

/** Which of what is held a symbol means. */
export interface MeantPosition {
  readonly root: string;
  /** Given where the symbol names a full contract: that one, and no other month. */
  readonly contract?: ContractCode;
}

/**
 * An exit is meant for the contract that is held, unless its symbol names one (specification 2.3).
 * What the table does not know is looked for among the `open` contracts of the account: whatever is
 * held there can be closed by its name.
 */
export function resolvePosition(
  contracts: ContractDirectory,
  symbol: string,
  nowMs: number,
  open: readonly ContractCode[] = [],
): MeantPosition {
  const resolution = contracts.resolve(symbol, nowMs, "exit");
  if (resolution.kind === "unknown") {
    const meant = meantOf(open, symbol, contracts);
    if (meant === undefined) throw errors.unknownSymbol(symbol, resolution.reason);
    return meant;
  }
  const { contract, isFrontMonth } = resolution;
  return { root: contract.root, ...(!isFrontMonth && { contract: contractCode(contract) }) };
}

/** How an intent names what is meant. Of a root every month is, and it is read as the root of itself. */
export function namedAs({ root, contract }: MeantPosition): {
  readonly contract: ContractCode;
  readonly isFrontMonth?: true;
} {
  return contract === undefined
    ? { contract: root as ContractCode, isFrontMonth: true }
    : { contract };
}

/**
 * By the name that it is shown under, or by what a symbol of its root says. A listed root without a
 * month means its front month, in the table's words only.
 */
function meantOf(
  open: readonly ContractCode[],
  symbol: string,
  contracts: ContractDirectory,
): MeantPosition | undefined {
  const written = symbol.trim().toUpperCase();
  const isName = (code: string) => code.toUpperCase() === written;
  const named = open.find((code) => isName(code) || isName(symbolOfCode(code)));
  if (named !== undefined) return { root: rootOfCode(named), contract: named };

  const roots = new Set(open.map(rootOfCode));
  const parsed = parseSymbol(symbol, (root) => roots.has(root));
  if (parsed.kind === "unreadable" || contracts.product(parsed.root) !== undefined) {
    return undefined;
  }
  const { root } = parsed;
  if (parsed.kind === "front") return { root };
  const contract = open.find((code) => {
    const one = parseContractCode(code);
    const isMonth = one?.root === root && one.month === parsed.month;
    return isMonth && String(one.year).endsWith(parsed.year);
  });
  return contract && { root, contract };
}

/** Whether a contract is among those that are meant; without a symbol all are. */
export function isMeant(
  code: ContractCode,
  { root, contract }: Partial<MeantPosition> = {},
): boolean {
  if (contract !== undefined) return code === contract;
  return root === undefined || rootOfCode(code) === root;
}

/**
 * The same for who only closes at the market and cancels: also what its broker calls so, though it
 * does not say enough of it for an order with a price.
 */
export function isMeantToGo(code: ContractCode, meant: Partial<MeantPosition> = {}): boolean {
  if (isMeant(code, meant)) return true;
  const { root, contract } = meant;
  if (contract !== undefined) return code === unnamedContract(symbolOfCode(contract));
  return isUnnamed(code) && calledRoot(code) === root;
}

interface ProtectRequest {
  /** Absent: the one position that is open. */
  readonly symbol?: string;
  readonly legs: BracketTicket;
  readonly exitPlan?: AskedExitPlan;
}

interface AskedProtection {
  readonly legs: BracketTicket;
  readonly exitPlan: ExitPlanTicket | undefined;
}

/**
 * Which position is meant, and its levels in ticks as far as the symbol tells how large those are.
 * What is held is looked at on the lane: an entry before it may just be filling. `open` are the
 * account's open contracts, for one that the table does not know.
 */
export function resolveProtection(
  { symbol, legs, exitPlan }: ProtectRequest,
  contracts: ContractDirectory,
  nowMs: number,
  open: readonly ContractCode[],
): Extract<Intent, { kind: "PROTECT" }> {
  const asked = { legs, exitPlan: definedPlan(exitPlan, legs) };
  if (symbol === undefined) return { kind: "PROTECT", ...asWritten(asked) };
  const resolution = contracts.resolve(symbol, nowMs, "exit");
  if (resolution.kind === "unknown") {
    const meant = resolvePosition(contracts, symbol, nowMs, open);
    return { kind: "PROTECT", ...namedAs(meant), ...asWritten(asked) };
  }
  const { contract, product, isFrontMonth } = resolution;
  return {
    kind: "PROTECT",
    contract: contractCode(contract),
    ...(isFrontMonth && { isFrontMonth }),
    ...inTicks(asked, product),
  };
}

function definedPlan(
  exitPlan: AskedExitPlan | undefined,
  { takeProfit, stopLoss }: BracketTicket,
): ExitPlanTicket | undefined {
  const refuse = (message: string) => errors.validationFailed([{ path: "exitPlan", message }]);
  if (typeof exitPlan === "string") throw refuse("was not looked up by its name");
  if (exitPlan !== undefined && (takeProfit ?? stopLoss) !== undefined) {
    throw refuse("is instead of takeProfit and stopLoss: give the one or the others");
  }
  return exitPlan;
}

/** What is wrong in any contract is told now. */
function asWritten({ legs, exitPlan }: AskedProtection): AskedLevels {
  if (exitPlan === undefined) return { written: legs };
  const problems = checkExitPlan(exitPlan, "exitPlan");
  if (problems.length > 0) throw errors.validationFailed(problems);
  return { writtenPlan: exitPlan };
}

function inTicks({ legs, exitPlan }: AskedProtection, product: PriceTerms): AskedLevels {
  if (exitPlan === undefined) return { levels: valueOf(prepareLegs(legs, product)) };
  return { plan: valueOf(prepareExitPlan(exitPlan, product)) };
}

function valueOf<Value>(prepared: Prepared<Value>): Value {
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return prepared.value;
}
