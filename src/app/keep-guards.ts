import { randomUUID } from "node:crypto";
import { contractCode } from "../domain/contracts/contract.ts";
import type { AccountId } from "../domain/ids.ts";
import { understood } from "../domain/order.ts";
import { createGuardObserver } from "../observability/guard-observer.ts";
import type { SessionOf } from "../trading/lane/connected.ts";
import { GuardKeeper, type GuardKeeperDeps } from "../trading/guards/guard-keeper.ts";
import { createReadFacts } from "../trading/guards/read-facts.ts";
import { createReadOthers } from "../trading/guards/read-others.ts";
import type { CalendarMemory } from "../trading/guards/calendar-memory.ts";
import { createClaimSide, keptSides } from "../trading/guards/opposite-sides.ts";
import { createSchedules, type Schedules } from "../trading/guards/schedules.ts";
import type { FreshQuotes } from "../trading/money/fresh-quotes.ts";
import type { BrokerGuards } from "../trading/money/ports.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import { waitFor } from "./wait-for.ts";
import type { Foundation } from "./open-foundation.ts";

interface GuardParts {
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
  readonly latestQuote: GuardKeeperDeps["latestQuote"];
  readonly quotes: FreshQuotes;
  readonly fillsStored: GuardKeeperDeps["fillsStored"];
  readonly askBalances: GuardKeeperDeps["askBalances"];
  readonly calendars: CalendarMemory;
  readonly elapsed: () => number;
}

/** What a rule for all products is shown by. */
const SHOWN_ROOT = "ES";

/** The guards of the accounts that are owned here; nothing is closed before `startGuards`. */
export function composeGuards(base: Foundation, parts: GuardParts): GuardKeeper {
  const { accounts, alarms, reading, patient, describe, expectedFee, log, now } = base;
  const readFacts = createReadFacts({
    describe,
    expectedFee,
    now,
  });
  const owned = ownedOf(base, parts);
  const bookOf = async (account: AccountId) => await reading.ledger.book(account);
  return new GuardKeeper({
    ...parts,
    priceOf: parts.quotes.known,
    now,
    askQuote: async (account, contract, side) => await parts.quotes.ask(account, contract, side),
    store: patient.guardStore,
    readFacts,
    clocksOf: (account) => accounts.clocksOf(account),
    bookOf,
    othersOf: createReadOthers({ accounts, bookOf, quotes: reading.quotes, readFacts }),
    workingOf: async (account) =>
      understood((await owned(account)?.broker.workingOrders(account)) ?? []),
    balancesOf: async (account) => await reading.balances.of(account),
    brokerGuardsOf: async (account) => await guardsByBroker(owned(account), account),
    describe,
    expectedFee,
    schedules: composeSchedules(base),
    calendarsOf: async (account) => {
      const userId = accounts.find(account)?.userId;
      return userId === undefined ? new Map() : await parts.calendars.of(userId);
    },
    keepSides: async (account, sides) => {
      const userId = accounts.find(account)?.userId;
      // Of what is not settled an order may still show up.
      const open = await patient.intents.unsettled(account);
      if (userId !== undefined && open.length === 0) {
        await patient.sides.keep(userId, account, keptSides(sides, now()));
      }
    },
    claimSide: createClaimSide({ accounts, sides: patient.sides, views: reading.views, now }),
    epochOf: (account) => owned(account)?.ownership.epoch,
    alarms,
    observer: createGuardObserver(base),
    newLockId: randomUUID,
    soon: setImmediate,
    waitFor,
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

function composeSchedules({ contracts, scheduleLookups }: Foundation): Schedules {
  return createSchedules(scheduleLookups, (rule, at) => {
    const root = ("roots" in rule && rule.roots?.[0]) || SHOWN_ROOT;
    const front = contracts.frontMonth(root, at);
    return front && contractCode(front.contract);
  });
}
