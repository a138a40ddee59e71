import type { AccountId } from "../../../src/domain/ids.ts";
import { EventLog } from "../exchange/event-log.ts";
import { BrokerClock } from "./broker-clock.ts";
import { ContractDirectory } from "./contract-directory.ts";
import { EntityStore } from "./entity-store.ts";
import { EventHub } from "./event-hub.ts";
import { type Settings, SettingsBook } from "./settings.ts";
import { Users } from "./users.ts";

/** What the broker knows, whoever asks: users, contracts, entities, time, and how it behaves. */
export interface BackOffice {
  readonly clock: BrokerClock;
  readonly book: SettingsBook;
  readonly log: EventLog;
  readonly store: EntityStore;
  readonly users: Users;
  readonly hub: EventHub;
  readonly contracts: ContractDirectory;
  readonly settings: (user: string | undefined) => Settings;
  readonly accountSettings: (accountId: number) => Settings;
}

/** `onAccount` is called for each account that is opened, by the name that the core has for it. */
export function createBackOffice(onAccount: (account: AccountId) => void): BackOffice {
  const clock = new BrokerClock();
  const { now } = clock;
  const book = new SettingsBook();
  const settings = (user: string | undefined) => book.of(user);
  const accountSettings = (accountId: number) => settings(users.ownerOf(accountId)?.name);
  const store: EntityStore = new EntityStore({
    now,
    lagMs: (accountId) => accountSettings(accountId).listLagMs,
    onChange: (accountId, event) => hub.collect(accountId, event),
  });
  const users: Users = new Users(store, clock, onAccount);
  const hub = new EventHub({ users, settings });
  const contracts = new ContractDirectory(store, now);
  const log = new EventLog(now);
  return { clock, book, log, store, users, hub, contracts, settings, accountSettings };
}
