import type { Config } from "../../config/index.ts";
import type { ConnectionPlan } from "./connection-owner.ts";
import { createPaperAdapter, type PaperBroker } from "./paper/adapter.ts";
import { type PaperSettings, PaperSettingsError } from "./paper/config.ts";
import { type FeeOfRoot, FeeTableError, readFeeTable } from "../domain/fee-table.ts";
import { NOTHING } from "../domain/contracts/decimal.ts";
import type { PaperProduct } from "./paper/exchange/product.ts";
import { loadPaperFeed } from "./paper/feed/paper-feed.ts";
import type { PriceFeed } from "./paper/feed/price-feed.ts";
import {
  type Contract,
  type ContractCode,
  parseContractCode,
  rootOfCode,
} from "../domain/contracts/contract.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Product } from "../domain/contracts/product.ts";
import type { BrokerStateStore } from "../trading/ports.ts";

export interface PaperConnectionDeps {
  readonly connectionId: ConnectionId;
  readonly config: Config;
  readonly contracts: ContractDirectory;
  readonly state: BrokerStateStore;
  readonly now: () => number;
  /** When the broker's day of an instant began. */
  readonly dayBeganAt: (at: number) => number;
  /** A test's hand on the prices, instead of the feed that the settings name. */
  readonly feed?: PriceFeed | undefined;
  /** Hears of each adapter that is made; a test's hand on the broker. */
  readonly onOpen?: (paper: PaperBroker) => void;
}

/** The built-in demo broker, on the gateway's own contract table and store. */
export async function openPaperPlan(deps: PaperConnectionDeps): Promise<ConnectionPlan> {
  const { contracts, now, onOpen } = deps;
  const settings = paperSettings(deps.config);
  const product = createPaperProducts(contracts);
  const feed = deps.feed ?? (await loadPaperFeed(settings, { now, productOf: contracts.product }));
  const feeOfRoot = readPaperFees(settings.fees, contracts);
  const feeOf = (contract: ContractCode) => feeOfRoot(rootOfCode(contract)) ?? NOTHING;
  const { connectionId, state, dayBeganAt } = deps;
  const given = { connectionId, settings, feed, product, state, now, feeOf, dayBeganAt };
  return {
    connectionId,
    open: () => {
      const paper = createPaperAdapter(given);
      onOpen?.(paper);
      return paper;
    },
  };
}

function readPaperFees(text: string, contracts: ContractDirectory): FeeOfRoot {
  try {
    return readFeeTable(text, (root) => contracts.product(root) !== undefined);
  } catch (error) {
    if (!(error instanceof FeeTableError)) throw error;
    throw new PaperSettingsError(`PAPER_FEES: ${error.message}`);
  }
}

function paperSettings(config: Config): PaperSettings {
  return {
    accounts: config.PAPER_ACCOUNTS,
    feed: config.PAPER_FEED,
    seed: config.PAPER_SEED,
    barSpeed: config.PAPER_BAR_SPEED,
    barsLoop: !config.PAPER_BARS_ONCE,
    sessionHours: config.PAPER_SESSION_HOURS,
    startBalance: config.PAPER_START_BALANCE,
    fees: config.PAPER_FEES,
    ...(config.PAPER_BAR_FILE !== undefined && { barFile: config.PAPER_BAR_FILE }),
    ...(config.PAPER_BAR_ROOT !== undefined && { barRoot: config.PAPER_BAR_ROOT }),
  };
}

/** Each contract is described once: the paper broker asks at every order. */
function createPaperProducts(contracts: ContractDirectory) {
  const known = new Map<ContractCode, PaperProduct>();
  return (code: ContractCode): PaperProduct | undefined => {
    const described = known.get(code);
    if (described !== undefined) return described;
    const contract = parseContractCode(code);
    const product = contract && contracts.product(contract.root);
    if (contract === undefined || product === undefined) return undefined;
    const paper = toPaperProduct(contract, product, contracts);
    known.set(code, paper);
    return paper;
  };
}

function toPaperProduct(
  contract: Contract,
  product: Product,
  contracts: ContractDirectory,
): PaperProduct {
  const { tickSize, tickValue, currency, hours } = product;
  return {
    tickSize,
    tickValue,
    currency,
    isExpired: (nowMs) => contracts.hasEnded(contract, nowMs),
    hours,
  };
}
