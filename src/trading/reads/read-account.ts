import { accountId } from "../../domain/ids.ts";
import { readIdCursor, writeIdCursor } from "./page-cursor.ts";
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

const LIST = "accounts";

type Reads = Omit<AccountReads, "readOverview" | "readStanding">;

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
    ...(rest.cannotCancel !== undefined && { cannotCancel: rest.cannotCancel }),
    active: rest.active,
    connectionStatus: board.status(rest.connectionId),
  });

  return {
    listAccounts: async ({ userId }, { limit, cursor }) => {
      const previous = cursor === undefined ? undefined : accountId(readIdCursor(LIST, cursor));
      // Every page is cut from all accounts: who goes from page to page does not read them each time.
      await (previous === undefined ? accounts.load() : accounts.refresh());
      const left = previous === undefined ? accounts.of(userId) : accounts.after(userId, previous);
      const items = left.slice(0, limit).map(present);
      const last = items.at(-1);
      if (left.length <= limit || last === undefined) return { items };
      return { items, nextCursor: writeIdCursor(LIST, last.accountId) };
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
