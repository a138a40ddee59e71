import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { BrokerReadError, type BrokerReads, type ConnectionBoard } from "../ports.ts";
import type { HoldingReads } from "./read-holdings.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import { createReadTrades } from "./trade-history.ts";
import type { AccountReads } from "./account-reads.ts";
import type { AccountViews } from "./ports.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { AccountView, StoredAccount } from "../connections/ports.ts";

export interface ReadAccountDeps {
  readonly accounts: AccountDirectory;
  readonly views: AccountViews;
  readonly contracts: ContractDirectory;
  readonly intents: IntentStore;
  readonly board: ConnectionBoard;
  readonly reads: BrokerReads;
  readonly holdings: HoldingReads;
  readonly requireConnection: RequireConnection;
}

type Reads = Omit<AccountReads, "readOverview">;

/** Everything that `/v1` reads of accounts: from the read model, working orders from the broker. */
export function createAccountReads(deps: ReadAccountDeps): Reads {
  const { accounts, intents, board, reads, requireConnection, holdings } = deps;

  const present = ({
    accountId,
    name,
    broker,
    environment,
    ...rest
  }: StoredAccount): AccountView => ({
    accountId,
    name,
    broker,
    environment,
    connectionId: rest.connectionId,
    ...(rest.currency !== undefined && { currency: rest.currency }),
    active: rest.active,
    connectionStatus: board.status(rest.connectionId),
  });

  return {
    listAccounts: async ({ userId }) => {
      await accounts.load();
      return accounts.of(userId).map(present);
    },

    readPositions: async ({ userId }, accountId) => {
      const account = await accounts.require(userId, accountId);
      return await holdings.ofOne(account);
    },

    readTrades: createReadTrades(deps),

    readWorkingOrders: async ({ userId }, accountId) => {
      const account = await accounts.requireActive(userId, accountId);
      requireConnection(account.connectionId);
      return await reads.workingOrders(account.connectionId, accountId).catch(refuseRead);
    },

    findIntent: async ({ userId }, accountId, id) => {
      await accounts.require(userId, accountId);
      const record = await intents.find(accountId, id);
      if (record === undefined) throw errors.notFound("intent");
      return record;
    },

    listUnsettledIntents: async ({ userId }, accountId) => {
      await accounts.require(userId, accountId);
      return await intents.unsettled(accountId);
    },
  };
}

/** A broker that cannot be read is not an empty answer. */
function refuseRead(error: unknown): never {
  throw error instanceof BrokerReadError ? errors.brokerUnavailable(error) : error;
}
