import { beforeAll, beforeEach } from "vitest";
import type { AccountId } from "../../src/domain/ids.ts";
import type { BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import type { ExchangeSimulator } from "../simulators/exchange/start.ts";
import { ExchangeGateway, type ExchangeGatewayOptions } from "./exchange-gateway.ts";
import { accountNames, type Settings, startGateway, type TestGateway } from "./gateway.ts";

/**
 * One gateway for all tests of a file: a start costs more CPU time than most tests. Each test has an
 * account to itself, at the usual prices, and must leave everything but its account as it was.
 */
export function shareGateway(accounts: number, settings: Settings = {}) {
  const nextAccount = accountNames(accounts);
  let gateway: TestGateway;
  let account: AccountId;
  beforeAll(async () => {
    const options = { settings: { PAPER_ACCOUNTS: `1-${accounts}`, ...settings } };
    gateway = await startGateway(options);
    return gateway.stop;
  });
  beforeEach(() => {
    gateway.quoteAsUsual();
    account = nextAccount();
  });
  return {
    get gateway() {
      return gateway;
    },
    get account() {
      return account;
    },
    /** The account's path in the API. */
    get root() {
      return `/v1/accounts/${account}`;
    },
  };
}

/**
 * One gateway for all tests of a file or a block, on an exchange simulator. Each test takes a connection
 * with one account, which it may break: the others stay connected. Prices are common to all.
 */
export function shareConnections(
  simulator: () => ExchangeSimulator,
  count: number,
  capabilities: Partial<BrokerCapabilities> = {},
  options: ExchangeGatewayOptions = {},
) {
  let views: readonly ExchangeGateway[];
  let taken = 0;
  beforeAll(async () => {
    views = await ExchangeGateway.startSeveral(simulator(), count, capabilities, options);
    return views[0]?.stop;
  });
  return (): ExchangeGateway => {
    const view = views[taken];
    if (view === undefined) throw new Error(`There are only ${count} connections`);
    taken += 1;
    return view;
  };
}
