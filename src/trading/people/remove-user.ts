import type { UserId } from "../../domain/ids.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import type { ConnectionUses } from "../connections/connection-uses.ts";
import type { CopyGroups } from "../copying/ports.ts";
import type { CalendarStore } from "../guards/calendar-ports.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import type { DestinationStore } from "../notify/destination-store.ts";
import type { Outbox } from "../notify/outbox.ts";
import type { Strategies } from "../strategies/ports.ts";
import type { CredentialStore, PeopleStore, SessionStore } from "./ports.ts";

export interface RemoveUserDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly credentials: CredentialStore;
  readonly strategies: Pick<Strategies, "read" | "remove">;
  readonly copyGroups: Pick<CopyGroups, "read" | "remove">;
  readonly accountGroups: Pick<AccountGroups, "read" | "remove">;
  readonly namedPlans: Pick<NamedPlanStore, "all" | "remove">;
  readonly calendars: Pick<CalendarStore, "read" | "remove">;
  readonly destinations: Pick<DestinationStore, "all" | "remove">;
  readonly outbox: Pick<Outbox, "forgetUser">;
  readonly connections: Pick<ConnectionUses, "listConnections" | "removeConnection">;
}

/** Ends everything that a user can do, then forgets who they were. Safe to be asked twice. */
export function createRemoveUser(deps: RemoveUserDeps) {
  const { people, sessions, credentials, strategies, copyGroups, connections } = deps;
  const { destinations, outbox } = deps;

  async function endAccess(userId: UserId): Promise<void> {
    await sessions.endAll(userId);
    for (const { id } of await credentials.keys(userId)) await credentials.revokeKey(userId, id);
    for (const { id } of await credentials.webhooks(userId)) {
      await credentials.deleteWebhook(userId, id);
    }
    // By one of them a person may act.
    for (const { destination } of await destinations.all()) {
      if (destination.userId === userId) await destinations.remove(destination.id);
    }
    await outbox.forgetUser(userId);
  }

  async function endTrading(userId: UserId): Promise<void> {
    await removeStrategiesOf(strategies, userId);
    await removeGroupsOf(copyGroups, userId);
    await removeAccountGroupsOf(deps.accountGroups, userId);
    for (const { name } of await deps.namedPlans.all(userId)) {
      await deps.namedPlans.remove(userId, name);
    }
  }

  /** After the connections: a guard waits for news as long as an account may trade. */
  async function removeCalendars(userId: UserId): Promise<void> {
    for (const { name } of await deps.calendars.read(userId)) {
      await deps.calendars.remove(userId, name);
    }
  }

  return async function removeUser(userId: UserId): Promise<void> {
    await endAccess(userId);
    await endTrading(userId);
    for (const { connectionId, setup } of await connections.listConnections({ userId })) {
      if (setup !== undefined) await connections.removeConnection({ userId }, connectionId);
    }
    await removeCalendars(userId);
    await people.removeUser(userId);
    // Who signed in meanwhile, and what they made.
    await endAccess(userId);
    await endTrading(userId);
    await removeCalendars(userId);
  };
}

/** Removes every copy group of a user who leaves, however often others change theirs meanwhile. */
async function removeGroupsOf(
  groups: Pick<CopyGroups, "read" | "remove">,
  user: UserId,
): Promise<void> {
  for (;;) {
    const { groups: known, version } = await groups.read();
    const one = known.find(({ userId }) => userId === user);
    if (one === undefined) return;
    await groups.remove(one.groupId, version);
  }
}

/** Removes every account group of a user who leaves; one that is changed meanwhile is read anew. */
async function removeAccountGroupsOf(
  groups: Pick<AccountGroups, "read" | "remove">,
  user: UserId,
): Promise<void> {
  for (;;) {
    const known = await groups.read(user);
    if (known.length === 0) return;
    for (const group of known) await groups.remove(group);
  }
}

/** Removes every strategy of a user who leaves, however often others change theirs meanwhile. */
async function removeStrategiesOf(
  strategies: Pick<Strategies, "read" | "remove">,
  user: UserId,
): Promise<void> {
  for (;;) {
    const { strategies: known, version } = await strategies.read();
    const one = known.find(({ userId }) => userId === user);
    if (one === undefined) return;
    await strategies.remove(one.strategyId, version);
  }
}
