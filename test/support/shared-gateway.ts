import { beforeAll, beforeEach } from "vitest";
import type { AccountId } from "../../src/domain/ids.ts";
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
