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
import { GuardKeeper, type GuardKeeperDeps } from "../trading/guards/guard-keeper.ts";
import { createReadFacts } from "../trading/guards/read-facts.ts";
import { createReadOthers } from "../trading/guards/read-others.ts";
import { createSchedules, type Schedules } from "../trading/guards/schedules.ts";
import type { BrokerGuards } from "../trading/money/ports.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import type { Foundation } from "./open-foundation.ts";

interface GuardParts {
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  readonly quoteOf: GuardKeeperDeps["quoteOf"];
  /** Resolves once all that was reported of the account is stored. */
  readonly fillsStored: GuardKeeperDeps["fillsStored"];
  readonly elapsed: () => number;
}

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
    store: patient.guardStore,
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
export const ownedOf =
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
