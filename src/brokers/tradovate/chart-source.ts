import type { ContractCode } from "../../domain/contracts/contract.ts";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import type { BarReaderDeps } from "../bar-reader.ts";
import type { Charts } from "./charts.ts";
import type { TradedContract } from "./contract-desk.ts";
import type { MarketLink } from "./market-link.ts";
import type { MarketRefusals } from "./market-refusals.ts";

export interface ChartSourceDeps {
  readonly link: Pick<MarketLink, "untilUp" | "trouble">;
  readonly charts: Pick<Charts, "ask">;
  readonly refusals: MarketRefusals;
  readonly find: (contract: ContractCode) => Promise<TradedContract | CommandFailure>;
}

const UP_WITHIN_MS = 8_000;

/** Charts of contracts, once the link is up, unless they were refused a while ago. */
export function chartSource({
  link,
  charts,
  refusals,
  find,
}: ChartSourceDeps): BarReaderDeps["find"] {
  return async (contract) => {
    const name = `bars of ${contract}`;
    const refusal = refusals.standing(name);
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    if (!(await link.untilUp(UP_WITHIN_MS))) {
      throw new BrokerReadError(link.trouble ?? "The link for market data is not up");
    }
    const traded = await find(contract);
    if ("kind" in traded) {
      if (traded.kind === "rejected") return undefined;
      throw new BrokerReadError(traded.reason);
    }
    const ask: Awaited<ReturnType<BarReaderDeps["find"]>> = {
      tickSize: traded.tickSize,
      ask: async (shape) => {
        try {
          const elements = await charts.ask(traded.symbol, shape);
          refusals.forget(name);
          return elements;
        } catch (error) {
          refusals.note(name, error);
          throw error;
        }
      },
    };
    return ask;
  };
}
