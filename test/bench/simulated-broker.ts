import { fileURLToPath } from "node:url";
import { accountId } from "../../src/domain/ids.ts";
import { startExchangeSimulator } from "../simulators/exchange/start.ts";
import { ACCOUNTS } from "./contender.ts";
import type { SlowBroker } from "./slow-account.ts";

const GATEWAY = fileURLToPath(new URL("./gateway-on-simulator.ts", import.meta.url));

/** The exchange simulator as a broker whose accounts can be slowed one by one. */
export async function startSimulatedBroker(): Promise<SlowBroker> {
  const exchange = await startExchangeSimulator();
  return {
    program: ["--import", "tsx", GATEWAY],
    settings: { SIMULATOR_URL: exchange.url, SIMULATOR_ACCOUNTS: String(ACCOUNTS) },
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => `sim-${index + 1}`),
    slowDown: async (account, ms) => {
      const ops = ["submitOrder"] as const;
      await exchange.control({ knob: "delay", account: accountId(account), ms, ops });
    },
    stop: exchange.stop,
  };
}
