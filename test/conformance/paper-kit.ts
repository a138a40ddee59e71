import { LACKS_NOTHING } from "../../src/domain/broker-lacks.ts";
import { createPaperAdapter, type PaperBroker } from "../../src/brokers/paper/adapter.ts";
import type { PaperProduct } from "../../src/brokers/paper/exchange/product.ts";
import { createManualFeed } from "../../src/brokers/paper/feed/manual-feed.ts";
import { NOTHING, parseDecimal } from "../../src/domain/contracts/decimal.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import { ticks, tickSize } from "../../src/domain/contracts/price.ts";
import type { BrokerStateStore } from "../../src/trading/ports.ts";
import type { BrokerUnderTest } from "./broker-under-test.ts";

/** What the paper broker can do by itself. */
export const PAPER_CAPABILITIES = {
  nativeBracket: true,
  nativeOco: true,
  trailsFromMarket: true,
  keepsHours: false,
  cancelEndsLinkedLeg: true,
  refusesDuplicates: true,
  lacks: LACKS_NOTHING,
};

const PRODUCT: PaperProduct = {
  tickSize: tickSize("0.25"),
  tickValue: "12.50",
  currency: "USD",
  isExpired: () => false,
};
const NEVER_OPEN: PaperProduct = { ...PRODUCT, hours: { timeZone: "America/New_York", parts: [] } };

const PRODUCTS: Readonly<Record<string, PaperProduct>> = {
  ESZ2026: PRODUCT,
  NQZ2026: PRODUCT,
  RTYZ2026: NEVER_OPEN,
};

const FEES: Readonly<Record<string, string>> = { ESZ2026: "2.25", NQZ2026: "0.62" };

/** The paper broker in this process, on prices set by hand and the given store. */
export function createPaperUnderTest({
  state,
  ...given
}: Pick<BrokerUnderTest, "loseNextAnswer" | "close"> & {
  readonly state: BrokerStateStore;
}): BrokerUnderTest {
  const feed = createManualFeed();
  const start = () =>
    createPaperAdapter({
      connectionId: connectionId("paper"),
      settings: { accounts: "1-2", sessionHours: true, startBalance: 50_000 },
      feed,
      product: (contract) => PRODUCTS[contract],
      state,
      now: Date.now,
      feeOf: (contract) => parseDecimal(FEES[contract] ?? "0") ?? NOTHING,
      // One day, so that no case runs across the end of one.
      dayBeganAt: () => 0,
    });
  let adapter: PaperBroker = start();
  return {
    ...given,
    adapter,
    account: accountId("paper-1"),
    otherAccount: accountId("paper-2"),
    contract: "ESZ2026" as ContractCode,
    otherContract: "NQZ2026" as ContractCode,
    closedContract: "RTYZ2026" as ContractCode,
    unknownContract: "XXZ2026" as ContractCode,
    setMarket: (contract, { bid, ask, bidQty = 1_000, askQty = 1_000 }) =>
      feed.set(contract, { bid: ticks(bid), ask: ticks(ask), bidQty, askQty }),
    setBars: (contract, minutes, bars) => feed.setBars(contract, minutes, bars),
    tellsQuotes: true,
    money: {
      currency: "USD",
      tickValue: PRODUCT.tickValue,
      feePerSide: FEES["ESZ2026"] ?? "0",
      tells: ["cash", "netLiquidation", "realizedPnl", "openPnl", "fees"],
      tellsFeeOfFill: true,
    },
    breakSession: () => adapter.breakSession(new Error("The link was cut")),
    setActive: (account, isActive) => adapter.setActive(account, isActive),
    restart: () => (adapter = start()),
  };
}
