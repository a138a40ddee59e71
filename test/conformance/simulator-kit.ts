import { LACKS_NOTHING } from "../../src/domain/broker-lacks.ts";
import type { BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { accountId, type ConnectionId, connectionId } from "../../src/domain/ids.ts";
import { createExchangeAdapter, type ExchangeAdapterDeps } from "../simulators/exchange/adapter.ts";
import type { ExchangeSimulator } from "../simulators/exchange/start.ts";
import type { BrokerUnderTest } from "./broker-under-test.ts";

/** A broker under test of which its own cases know a little more. */
export interface SimulatedBroker extends BrokerUnderTest {
  readonly connection: ConnectionId;
  readonly url: string;
}

/** All that a broker may be able to do. */
export const ALL_CAPABILITIES: BrokerCapabilities = {
  nativeBracket: true,
  nativeOco: true,
  trailsFromMarket: true,
  keepsHours: true,
  cancelEndsLinkedLeg: true,
  refusesDuplicates: true,
  lacks: LACKS_NOTHING,
};

let cases = 0;

/**
 * One broker process serves all cases. Each case has a connection and contracts of its own, so that
 * what an earlier one left working takes nothing from it. The broker can do what `deps.capabilities`
 * says, when it says anything.
 */
export async function createSimulatedOn(
  { control, url }: ExchangeSimulator,
  deps: Partial<ExchangeAdapterDeps> = {},
): Promise<SimulatedBroker> {
  cases += 1;
  const year = 2026 + cases;
  const connection = connectionId(`sim-${cases}`);
  const { refusesDuplicates = true, ...abilities } = deps.capabilities ?? {};
  await control({ knob: "abilities", connection, ...abilities });
  if (!refusesDuplicates) await control({ knob: "duplicates", policy: "accept", connection });
  const start = () =>
    createExchangeAdapter({ connectionId: connection, url, accounts: 2, ...deps });
  return {
    connection,
    url,
    adapter: start(),
    account: accountId(`${connection}-1`),
    otherAccount: accountId(`${connection}-2`),
    contract: `ESZ${year}` as ContractCode,
    otherContract: `NQZ${year}` as ContractCode,
    closedContract: `RTYZ${year}` as ContractCode,
    unknownContract: `XXZ${year}` as ContractCode,
    setMarket: async (contract, market) => {
      await control({ knob: "quote", contract, ...market });
    },
    breakSession: async () => {
      await control({ knob: "closeSessions", connection });
    },
    loseNextAnswer: async (isCarriedOut) => {
      await control({ knob: "loseNextAnswer", connection, isCarriedOut });
    },
    setActive: async (account, isActive) => {
      await control({ knob: "active", account, isActive });
    },
    restart: start,
  };
}
