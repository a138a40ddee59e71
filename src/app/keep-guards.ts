import { randomUUID } from "node:crypto";
import { earlyCloses } from "../../config/early-closes.ts";
import { closures, holidays } from "../../config/holidays.ts";
import { tradingHours } from "../../config/trading-hours.ts";
import { createContractCalendar } from "../domain/calendar/contract-calendar.ts";
import { createSessions } from "../domain/calendar/session-close.ts";
import { contractCode, type ContractCode } from "../domain/contracts/contract.ts";
import type { AccountId } from "../domain/ids.ts";
import { understood } from "../domain/order.ts";
import { createGuardObserver } from "../observability/guard-observer.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import { AccountCloser } from "../trading/guards/close-account.ts";
import { GuardKeeper, type GuardKeeperDeps } from "../trading/guards/guard-keeper.ts";
import { createReadFacts } from "../trading/guards/read-facts.ts";
import { createGuardUses, type ManageGuardsDeps } from "../trading/guards/manage-guards.ts";
import type { GuardUses } from "../trading/guards/guard-uses.ts";
import { createReadOthers } from "../trading/guards/read-others.ts";
import { createSchedules, type Schedules } from "../trading/guards/schedules.ts";
import { createSubmitIntent } from "../trading/orders/submit-intent.ts";
import type { BrokerGuards } from "../trading/money/ports.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import { followChanges } from "./follow-changes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { guardIntentIdOf, newIntentId } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links, UseCaseParts } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";

interface GuardParts {
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  readonly quoteOf: GuardKeeperDeps["quoteOf"];
  /** Resolves once all that was reported of the account is stored. */
  readonly fillsStored: GuardKeeperDeps["fillsStored"];
  readonly elapsed: () => number;
}

const LOOK_MS = 1_000;

/** The guards of the accounts that are owned here; nothing is closed before `startGuards`. */
export function composeGuards(base: Foundation, parts: GuardParts): GuardKeeper {
  const { accounts, alarms, reading, patient, describe, expectedFee, log, now } = base;
  const readFacts = createReadFacts({
    describe,
    expectedFee,
    tradingDayAt: base.tradingDayAt,
    now,
  });
  const owned = ownedOf(base, parts);
  const bookOf = async (account: AccountId) => await reading.ledger.book(account);
  return new GuardKeeper({
    ...parts,
    store: patient.guards,
    readFacts,
    bookOf,
    othersOf: createReadOthers({ accounts, bookOf, quotes: reading.quotes, readFacts }),
    workingOf: async (account) =>
      understood((await owned(account)?.broker.workingOrders(account)) ?? []),
    balancesOf: async (account) => await reading.balances.of(account),
    brokerGuardsOf: async (account) => await guardsByBroker(owned(account), account),
    describe,
    schedules: composeSchedules(base),
    calendarsOf: async () => new Map(),
    claimSide: async () => undefined,
    epochOf: (account) => owned(account)?.ownership.epoch,
    alarms,
    observer: createGuardObserver(base),
    newLockId: randomUUID,
    onError: (accountId, error) =>
      log.warn("The guards of an account could not be looked at", { accountId, error }),
  });
}

/** The connection of an account that is owned here, up, and in step with it. */
const ownedOf =
  (
    { accounts }: Foundation,
    { connections, sessionOf }: Pick<GuardParts, "connections" | "sessionOf">,
  ) =>
  (account: AccountId): OwnedConnection | undefined => {
    const stored = accounts.find(account);
    const owned = stored && connections.find(stored.connectionId);
    const isUp = owned?.status === "CONNECTED" && owned.ownership.isOwned();
    return isUp && sessionOf(account) !== undefined ? owned : undefined;
  };

/** What cannot be read of them now is not known; the account's own guards go on. */
async function guardsByBroker(
  owned: OwnedConnection | undefined,
  account: AccountId,
): Promise<BrokerGuards | undefined> {
  return await owned?.broker.brokerGuards?.(account).catch(() => undefined);
}

function composeSchedules({ contracts, tradingDayAt }: Foundation): Schedules {
  const standIn = contracts.product("ES");
  if (standIn === undefined) throw new Error("ES is not in the contract table");
  const { daysOf } = createContractCalendar(holidays);
  const front = (root: string, at: number): ContractCode | undefined => {
    const found = contracts.frontMonth(root, at);
    return found && contractCode(found.contract);
  };
  return createSchedules(
    {
      productOf: contracts.product,
      sessionsOf: createSessions({
        hoursOf: tradingHours,
        shortDaysOf: earlyCloses,
        closures,
        standIn,
      }),
      tradingDayAt,
      contractDays: daysOf,
    },
    (rule, at) => front(("roots" in rule && rule.roots?.[0]) || standIn.root, at),
  );
}

type UseCaseMoney = Pick<UseCaseParts, "describe" | "expectedFee" | "quotes">;

/** What people and programs ask of guards, in any process. */
export function composeGuardUses(
  parts: Omit<ManageGuardsDeps, "readFacts" | "othersOf" | "newLockId"> & UseCaseMoney,
): GuardUses {
  const { accounts, ledger, quotes, describe, expectedFee, tradingDayAt, now } = parts;
  const readFacts = createReadFacts({ describe, expectedFee, tradingDayAt, now });
  const bookOf = async (account: AccountId) => await ledger.book(account);
  return createGuardUses({
    ...parts,
    readFacts,
    othersOf: createReadOthers({ accounts, bookOf, quotes, readFacts }),
    newLockId: randomUUID,
  });
}

/** From here on accounts are judged, and closed where their guards want that. */
export async function startGuards(
  base: Foundation,
  owner: Owner,
  links: Links,
  lifecycle: Lifecycle,
): Promise<void> {
  const { accounts, channels, keys, log, alarms, now } = base;
  const { guards, reports, elapsed } = owner;
  const closer = new AccountCloser({
    brokerOf: (account) => ownedOf(base, owner)(account)?.broker,
    userOf: (account) => accounts.find(account)?.userId,
    submit: createSubmitIntent({
      ...base,
      ...base.stores,
      ...links,
      settleNow: links.reads.settleNow,
      newIntentId,
      elapsed,
    }),
    intentIdOf: guardIntentIdOf,
    alarms,
    decided: (account, closing, decision) => guards.decided(account, closing, decision),
    onError: (accountId, error) =>
      log.error("An account could not be closed as its guards want", { accountId, error }),
    now,
    elapsed,
  });
  guards.closeBy((account, closings) => closer.follow(account, closings));
  reports.onReport((account) => {
    closer.noteReport(account);
    guards.noteReport(account);
  });
  reports.onFills((account) => guards.noteReport(account));
  const unlisten = await channels.listen(keys.guardChanges, (account) =>
    guards.reread(account as AccountId),
  );
  const followed = await followChanges({
    listen: async () => () => undefined,
    look: async () => await guards.look(),
    everyMs: LOOK_MS,
    onError: (error) => log.warn("Guards could not be looked at", { error }),
  });
  lifecycle.started("guards", async () => {
    unlisten();
    await followed.stop();
  });
  await followed.look();
}
