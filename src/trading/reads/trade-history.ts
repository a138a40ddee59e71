import {
  type ContractCode,
  MONTH_CODES,
  parseContractCode,
} from "../../domain/contracts/contract.ts";
import { plainSymbol } from "../../domain/contracts/symbol.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { execId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { type PageFilters, readCursor, requireWithin, writeCursor } from "./page-cursor.ts";
import type { FillPosition } from "./fill-pages.ts";
import type { AccountViews } from "./ports.ts";
import type { AccountReads } from "./account-reads.ts";

export interface TradeHistoryDeps {
  readonly accounts: AccountDirectory;
  readonly views: AccountViews;
  readonly contracts: ContractDirectory;
}

/** What was traded under a symbol: every month of a root, or one contract as it is written. */
interface TradedSymbol {
  readonly root: string;
  readonly contract?: {
    /** 1 to 12. */
    readonly month: number;
    /** The year's last digits: as many as were written. */
    readonly year: string;
  };
}

/** The trades of an account, as far back as the store keeps them. */
export function createReadTrades(deps: TradeHistoryDeps): AccountReads["readTrades"] {
  return async function readTrades({ userId, receivedAt }, accountId, request) {
    await deps.accounts.require(userId, accountId);
    const { limit, cursor, symbol, ...range } = request;
    const traded =
      symbol === undefined ? undefined : resolveTraded(deps.contracts, symbol, receivedAt);
    const filters = [accountId, range.fromAt, range.beforeAt, ...wordsOf(traded)];
    const after = cursor === undefined ? undefined : readPosition(cursor, filters, range);

    const { next, ...page } = await deps.views.fills(accountId, {
      limit,
      ...range,
      ...(traded !== undefined && { isOf: (code: ContractCode) => wasTraded(traded, code) }),
      ...(after !== undefined && { after }),
    });
    if (next === undefined) return page;
    return { ...page, nextCursor: writeCursor({ at: next.at, id: next.execId }, filters) };
  };
}

const wordsOf = (traded: TradedSymbol | undefined): PageFilters => [
  traded?.root,
  traded?.contract?.month,
  traded?.contract?.year,
];

function readPosition(
  cursor: string,
  filters: PageFilters,
  range: { readonly fromAt?: number; readonly beforeAt?: number },
): FillPosition {
  const position = readCursor(cursor, filters);
  requireWithin(position, range);
  return { at: position.at, execId: execId(position.id) };
}

/**
 * A symbol of the past. One that resolves to nothing because its contract has expired was traded all
 * the same; whatever else is wrong with a symbol is refused as everywhere.
 */
function resolveTraded(contracts: ContractDirectory, symbol: string, nowMs: number): TradedSymbol {
  const parsed = contracts.parse(symbol);
  const resolution = contracts.resolve(symbol, nowMs);
  if (parsed.kind !== "contract") {
    if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
    return { root: resolution.contract.root };
  }
  const { root, month, year } = parsed;
  if (resolution.kind === "unknown") {
    const front = contracts.resolve(plainSymbol(symbol).slice(0, -`X${year}`.length), nowMs);
    const isListed = contracts.product(root)?.cycle.includes(MONTH_CODES.charAt(month - 1));
    if (front.kind === "unknown" || isListed !== true) {
      throw errors.unknownSymbol(symbol, resolution.reason);
    }
  }
  return { root, contract: { month, year } };
}

/** Trades are shown with one digit of their year: whoever asks by what is shown finds them all. */
function wasTraded({ root, contract }: TradedSymbol, code: ContractCode): boolean {
  const traded = parseContractCode(code);
  if (traded?.root !== root) return false;
  if (contract === undefined) return true;
  return traded.month === contract.month && String(traded.year).endsWith(contract.year);
}
