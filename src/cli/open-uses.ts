import { contracts as products } from "../../config/contracts.ts";
import { closures, holidays } from "../../config/holidays.ts";
import { otherExchanges } from "../../config/other-exchanges.ts";
import type { Config } from "../../config/index.ts";
import { openDestinationQueue } from "../../queues/destination-queue.ts";
import { composeDestinationUses, openConfiguredChannels } from "../app/compose-destination-uses.ts";
import { composeConnectionUses } from "../app/compose-gateway.ts";
import { composeGuardUses } from "../app/compose-guard-uses.ts";
import type { Lifecycle } from "../app/lifecycle.ts";
import type { OpenStore } from "../app/open-store.ts";
import type { OpenStores, Stores } from "../app/open-stores.ts";
import { createBrokerCatalog, type OpenCatalog } from "../brokers/broker-catalog.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { BROKER_KINDS } from "../brokers/broker-kinds.ts";
import { createSecretBox } from "../data-folder/sealing-key.ts";
import { createContractDirectory } from "../domain/contracts/contract-directory.ts";
import { toProblems } from "../http/requests/problems.ts";
import type { Logger } from "../observability/logger.ts";
import type { ConnectionUses } from "../trading/connections/connection-uses.ts";
import type { GuardUses } from "../trading/guards/guard-uses.ts";
import { createExpectedFee } from "../trading/money/expected-fee.ts";
import type { DestinationUses } from "../trading/notify/destination-uses.ts";
import { createDescribeContract } from "../trading/orders/describe-contract.ts";

interface Parts extends Pick<OpenStores, "accounts"> {
  readonly store: OpenStore;
  readonly stores: Stores;
  readonly config: Config;
  readonly log: Logger;
}

export interface CommandConnections {
  readonly connections: ConnectionUses;
  readonly catalog: OpenCatalog;
}

const openContracts = () =>
  createContractDirectory({ products, holidays, closures, otherExchanges });

export function openCommandConnections(
  { stores, accounts, config, log }: Parts,
  kinds: BrokerKinds = BROKER_KINDS,
): CommandConnections {
  const catalog = createBrokerCatalog(kinds, config, toProblems);
  const secrets = createSecretBox(config);
  const contracts = openContracts();
  const connections = composeConnectionUses({
    ...stores,
    accounts,
    catalog,
    log,
    secrets,
    contracts,
  });
  return { connections, catalog };
}

export function openCommandGuards({ stores, accounts, config }: Parts): GuardUses {
  const contracts = openContracts();
  return composeGuardUses({
    ...stores,
    accounts,
    describe: createDescribeContract(contracts),
    expectedFee: createExpectedFee(config.EXPECTED_FEES, contracts),
    statusOf: async (id) => (await stores.leases.read(id))?.status ?? "DISCONNECTED",
    // Their owner is another process, and the command line asks none.
    askBrokerGuards: async () => undefined,
    now: Date.now,
  });
}

export async function openCommandDestinations(
  { store, stores, accounts, config, log }: Parts,
  lifecycle: Lifecycle,
): Promise<DestinationUses> {
  const queue = await openDestinationQueue({
    redis: store.worker,
    prefix: store.keys.destinationQueue,
    onError: (error) => log.warn("The gateway was not reached", { error }),
  });
  lifecycle.started("the queue of destinations", queue.close);
  const opened = openConfiguredChannels(config);
  const secrets = createSecretBox(config);
  return composeDestinationUses({ ...stores, accounts, secrets, opened, queue });
}
