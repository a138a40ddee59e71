import type { AccountId, ConnectionId, UserId } from "../../domain/ids.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { CredentialStore } from "../people/ports.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { ConnectionUses, ConnectionView } from "../connections/connection-uses.ts";
import type { OpenWork, OverviewStore, Standing, Unseen } from "./overview.ts";
import {
  type BlockedConnection,
  countUnprotected,
  findTroubles,
  type StoreTrouble,
} from "./overview-troubles.ts";
import type { FindFailingStrategies } from "../strategies/strategy-views.ts";
import type { Holding, HoldingReads } from "./read-holdings.ts";
import { BrokerReadError, type OwnersTroubles, type Unread } from "../ports.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { AccountReads } from "./account-reads.ts";

export interface ReadOverviewDeps {
  readonly accounts: AccountDirectory;
  readonly holdings: Pick<HoldingReads, "of">;
  readonly listConnections: ConnectionUses["listConnections"];
  /** Of the lanes of these accounts; those at rest may be left out. */
  readonly openWork: (accounts: ReadonlySet<AccountId>) => Promise<readonly OpenWork[]>;
  /** Throws `BrokerReadError` when the process that holds the connection does not answer. */
  readonly troublesOf: (connection: ConnectionId) => Promise<OwnersTroubles>;
  readonly findFailingStrategies: FindFailingStrategies;
  readonly overview: OverviewStore;
  readonly credentials: Pick<CredentialStore, "webhooks">;
  /** What keeps accepted orders from being safe in the store, in words. */
  readonly storeTroubles: () => readonly StoreTrouble[];
  readonly intents: Pick<IntentStore, "now">;
}

/** What is asked of each account is asked of thousands, in parts, and of one at rest it is little. */
export function createReadOverview(
  deps: ReadOverviewDeps,
): Pick<AccountReads, "readStanding" | "readOverview"> {
  const { accounts, openWork, overview, intents, findFailingStrategies, storeTroubles } = deps;
  return {
    readStanding: async ({ userId }) => await readStanding(userId),
    readOverview: async ({ userId }) => {
      const standing = await readStanding(userId);
      return { ...standing, alerts: await overview.alertTraffic(userId, standing.asOf) };
    },
  };

  async function readStanding(userId: UserId): Promise<Standing> {
    const [asOf] = await Promise.all([intents.now(), accounts.load()]);
    const own = accounts.of(userId);
    const ids = new Set(own.map(({ accountId }) => accountId));
    const nameOf = (id: AccountId) => accounts.find(id)?.name ?? id;
    const [{ connections, found, silent, held: blocked }, seen, failing, work, switches, webhooks] =
      await Promise.all([
        askOwners(userId, deps),
        deps.holdings.of(own),
        findFailingStrategies(userId),
        openWork(ids),
        overview.killSwitches(userId, [...ids]),
        deps.credentials.webhooks(userId),
      ]);
    const total = addUp(work);
    const holdings = doubting(seen, blocked);
    const isOwn = ({ account }: Unread) => account === undefined || ids.has(account);
    return {
      asOf,
      connections: {
        total: connections.length,
        connected: connections.filter(({ status }) => status === "CONNECTED").length,
      },
      killSwitch: { active: switches.ofUser, accounts: switches.accounts.length },
      unknownOutcomes: total.unknown,
      unprotectedPositions: countUnprotected({ holdings, work }),
      holdings: byNeed(holdings),
      unseen: unseenOf(
        own,
        holdings,
        seenConnections(connections, [silent, blocked.map(({ connection }) => connection)].flat()),
      ),
      waiting: total.waiting,
      ...(total.waiting > 0 && { oldestWaitingMs: total.oldestMs }),
      troubles: findTroubles({
        now: asOf,
        nameOf,
        holdings,
        connections,
        work,
        switches,
        outOfStep: found.flatMap(({ outOfStep }) => outOfStep).filter((id) => ids.has(id)),
        unread: found.flatMap(({ unread }) => unread).filter(isOwn),
        drifted: found.flatMap(({ astray }) => astray).filter(({ account }) => ids.has(account)),
        guards: found
          .flatMap(({ guards = [] }) => guards)
          .filter(({ accountId }) => ids.has(accountId)),
        plans: found
          .flatMap(({ plans = [] }) => plans)
          .filter(({ accountId }) => ids.has(accountId)),
        failing,
        unclear: webhooks.filter(isUnclear),
        silent,
        store: storeTroubles(),
        blocked,
      }),
    };
  }
}

/** The orders of a strategy are exits too, beside those of the plan. */
const isUnclear = ({ paused, options: { exitPlan, sentBy } }: Webhook): boolean =>
  !paused && exitPlan !== undefined && sentBy === undefined;

const seenConnections = (
  connections: readonly ConnectionView[],
  doubted: readonly ConnectionView[],
): ReadonlySet<ConnectionId> =>
  new Set(
    connections
      .filter((one) => one.status === "CONNECTED" && !doubted.includes(one))
      .map(({ connectionId }) => connectionId),
  );

function unseenOf(
  own: readonly StoredAccount[],
  holdings: readonly Holding[],
  seen: ReadonlySet<ConnectionId>,
): readonly Unseen[] {
  const hidden = own.filter(({ active, connectionId }) => !active || !seen.has(connectionId));
  const unknown = holdings.filter(({ protection }) => protection.kind === "unknown");
  return [
    ...hidden.map(({ accountId }) => ({ accountId })),
    ...unknown.map(({ account: { accountId }, position: { contract } }) => ({
      accountId,
      contract,
    })),
  ];
}

/** What a connection tells that is not relied on says nothing of what protects a position. */
function doubting(
  holdings: readonly Holding[],
  blocked: readonly BlockedConnection[],
): readonly Holding[] {
  const reasons = new Map(
    blocked.map(({ connection, reason }) => [connection.connectionId, reason]),
  );
  return holdings.map((holding) => {
    const reason = reasons.get(holding.account.connectionId);
    if (reason === undefined || holding.protection.kind === "missing") return holding;
    return { ...holding, protection: { kind: "unknown", reason } };
  });
}

const NEED: readonly Holding["protection"]["kind"][] = [
  "missing",
  "unknown",
  "noneAsked",
  "protected",
];

const byNeed = (holdings: readonly Holding[]): readonly Holding[] =>
  NEED.flatMap((kind) => holdings.filter(({ protection }) => protection.kind === kind));

/** The connections that are not paused; whoever holds one that stands is asked, in whichever process. */
async function askOwners(
  userId: UserId,
  { listConnections, troublesOf }: Pick<ReadOverviewDeps, "listConnections" | "troublesOf">,
) {
  const all = await listConnections({ userId });
  const connections = all.filter(({ setup }) => setup?.paused !== true);
  const standing = connections.filter(({ status }) => status === "CONNECTED");
  const silent: ConnectionView[] = [];
  const blocked: BlockedConnection[] = [];
  const found = await Promise.all(
    standing.map(async (connection) => {
      try {
        const troubles = await troublesOf(connection.connectionId);
        const { entriesHeld: reason } = troubles;
        if (reason !== undefined) blocked.push({ connection, reason });
        return troubles;
      } catch (error) {
        if (!(error instanceof BrokerReadError)) throw error;
        silent.push(connection);
        return undefined;
      }
    }),
  );
  return { connections, found: found.filter((one) => one !== undefined), silent, held: blocked };
}

/** Counts are added up; of the ages, the greatest of those that wait. */
function addUp(work: readonly OpenWork[]): Pick<OpenWork, "waiting" | "unknown" | "oldestMs"> {
  const total = { waiting: 0, unknown: 0, oldestMs: 0 };
  for (const { waiting, unknown, oldestMs } of work) {
    total.waiting += waiting;
    total.unknown += unknown;
    if (waiting > 0) total.oldestMs = Math.max(total.oldestMs, oldestMs);
  }
  return total;
}
