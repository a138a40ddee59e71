import type { Lifecycle } from "./lifecycle.ts";
import type { AccountId, ConnectionId } from "../domain/ids.ts";
import { identities } from "../trading/connections/account-directory.ts";
import { CopyGroupDirectory } from "../trading/copying/copy-group-directory.ts";
import { BrokerClocks, stampOf } from "../trading/copying/broker-clocks.ts";
import { Copier } from "../trading/copying/copier.ts";
import { CopyOutcomes, type CopyObserver } from "../trading/copying/copy-outcomes.ts";
import { type DriftFigures, DriftWatch } from "../trading/copying/drift-watch.ts";
import { LeaderOrders } from "../trading/copying/leader-orders.ts";
import { LeaderTurns } from "../trading/copying/leader-turns.ts";
import { createMendDrift } from "../trading/copying/mend-drift.ts";
import { MirrorMemory } from "../trading/copying/mirror-memory.ts";
import { MirrorOrders } from "../trading/copying/mirror-orders.ts";
import { createMirrorPass } from "../trading/copying/mirror-pass.ts";
import type { PlannedCopy } from "../trading/copying/plan-copies.ts";
import { createReadMirrored } from "../trading/copying/read-mirrored.ts";
import { createSendCopies, type SendCopies } from "../trading/copying/send-copies.ts";
import { copyIdOf } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import { followChanges, oneAtATime } from "./follow-changes.ts";
import { waitFor } from "./wait-for.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";
import type { FollowerStates } from "../trading/copying/follower-states.ts";

/** What hands on what leaders do, for the leaders whose connection this process owns. */
export interface CopyWorks {
  readonly figures: () => DriftFigures;
  /** By how much the store's clock is ahead of a broker's; undefined while that is not known. */
  readonly clockOffsetMs: (connection: ConnectionId) => number | undefined;
  readonly start: (lifecycle: Lifecycle) => Promise<void>;
}

const MS_PER_SECOND = 1_000;
/** How often followers are compared with their leaders, and lost words are made up for. */
const LOOK_MS = 1_000;

export function composeCopies(
  base: Foundation,
  owner: Owner,
  links: Links,
  observer: CopyObserver,
): CopyWorks {
  const { accounts, config, stores } = base;
  const { intents, copyGroups, copyNews: news, copyLog: log } = stores;
  const { reports, followers: states } = owner;
  const groups = new CopyGroupDirectory(copyGroups, {
    identityOf: identities(accounts),
    isOneMarket: base.isOneMarket,
  });
  const isHere = (leader: AccountId) =>
    owner.isHere(leader) && owner.sessionOf(leader) !== undefined;
  const shared = {
    ...base,
    ...stores,
    ...links,
    observer,
    groups,
    news,
    log,
    isHere,
    copyId: copyIdOf,
  };
  const exitMaxAgeMs = config.EXIT_MAX_AGE_SECONDS * MS_PER_SECOND;
  const send: SendCopies = createSendCopies({
    ...shared,
    patientLog: base.patient.copyLog,
    follow: (copy) => outcomes.follow(copy),
    exitMaxAgeMs,
  });
  const outcomes = new CopyOutcomes({ ...shared, send });
  const elapsed = () => performance.now();
  const clocks = new BrokerClocks(elapsed);
  const connectionOf = (account: AccountId) => accounts.find(account)?.connectionId;
  const copying = {
    ...shared,
    outcomes,
    send,
    mirrors: stores.copyMirrors,
    leaderOrders: new LeaderOrders(),
    memory: new MirrorMemory(elapsed, Date.now()),
    elapsed,
    brokerNow: (leader: AccountId, storeNow: number) => {
      const connection = connectionOf(leader);
      return connection === undefined ? storeNow : clocks.now(connection, storeNow);
    },
    inTurn: new LeaderTurns().inTurn,
    isActive: (account: AccountId) => accounts.find(account)?.active === true,
    onCopied: (copies: readonly PlannedCopy[]) => {
      for (const copy of copies) {
        if (copy.kind === "skip") observer.copySkipped(copy.entry, copy.reason);
      }
    },
    onError: observer.copyingFailed,
    waitFor,
  };
  const orders = new MirrorOrders({ ...copying, pass: createMirrorPass(copying) });
  const copier = new Copier({ ...copying, readMirrored: createReadMirrored(copying) });
  const mend = createMendDrift({ ...shared, intents, send });
  // What its orders and its leader's fill at different times has not drifted.
  const isOpen: CopyOutcomes["isOpen"] = (account, contract) =>
    outcomes.isOpen(account, contract) || orders.isFilling(account, contract);
  const watch = new DriftWatch({ ...shared, states, outcomes, isOpen, mend, elapsed });
  reports.onFills((account) => copier.wake(account));
  reports.onReport((account, report) => {
    const connection = connectionOf(account);
    const stampedAt = stampOf(report);
    if (connection !== undefined && stampedAt !== undefined) {
      // Before that it is what a new session has found.
      clocks.record(connection, { stampedAt, isLive: owner.sessionOf(account) !== undefined });
    }
    orders.onReport(account, report);
  });
  const running = { groups, copier, orders, watch, states, clocks };
  return {
    figures: () => watch.figures(),
    clockOffsetMs: (connection) => clocks.offsetMs(connection),
    start: async (lifecycle) => await startCopies(base, running, lifecycle),
  };
}

async function startCopies(
  { channels, changes, keys, log, stores: { intents } }: Foundation,
  {
    groups,
    copier,
    orders,
    watch,
    states,
    clocks,
  }: {
    readonly groups: CopyGroupDirectory;
    readonly copier: Copier;
    readonly orders: MirrorOrders;
    readonly watch: DriftWatch;
    readonly states: FollowerStates;
    readonly clocks: BrokerClocks;
  },
  lifecycle: Lifecycle,
): Promise<void> {
  const load = oneAtATime(async () => {
    await groups.load();
    copier.wakeAll();
  });
  const look = async () => {
    clocks.noteStoreNow(await intents.now());
    await load();
    // First: what it ends is on its way then, and not taken for drift.
    await orders.look();
    const before = states.drifted();
    await watch.look();
    const after = states.drifted();
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    for (const { account } of [...before, ...after]) {
      changes.publish({ accountId: account }, "overview");
    }
  };
  const followed = await followChanges({
    listen: async (hear) => await channels.listen(keys.copyChanges, hear),
    onNews: load,
    look,
    everyMs: LOOK_MS,
    onError: (error) => log.warn("Copy groups could not be looked at", { error }),
  });
  lifecycle.started("copying", async () => {
    await Promise.all([followed.stop(), copier.stop(), orders.stop()]);
  });
  await groups.load();
}
