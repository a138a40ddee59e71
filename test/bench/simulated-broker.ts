import { accountId } from "../../src/domain/ids.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { startExchangeSimulator } from "../simulators/exchange/start.ts";
import type { Programs } from "./build.ts";
import { ACCOUNTS } from "./contender.ts";
import type { SlowBroker } from "./slow-account.ts";

export interface SimulatedBroker extends SlowBroker {
  /** Everything it saw, from entry number `from` on. */
  readonly log: (from: number) => Promise<readonly LogEntry[]>;
}

/** The exchange simulator as a broker whose accounts can be slowed one by one. */
export async function startSimulatedBroker(
  programs: Programs,
  accounts = ACCOUNTS,
): Promise<SimulatedBroker> {
  const exchange = await startExchangeSimulator([programs.exchangeSimulator]);
  return {
    program: [programs.gatewayOnSimulator],
    settings: { SIMULATOR_URL: exchange.url, SIMULATOR_ACCOUNTS: String(accounts) },
    accounts: Array.from({ length: accounts }, (_, index) => `sim-1-${index + 1}`),
    slowDown: async (account, ms) => {
      const ops = ["submitOrder"] as const;
      await exchange.control({ knob: "delay", account: accountId(account), ms, ops });
    },
    log: async (from) => await exchange.log(from),
    stop: exchange.stop,
  };
}
