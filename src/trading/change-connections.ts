import type { ConnectionId } from "../domain/ids.ts";
import { errors } from "../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { ConnectionRecord, ConnectionRecords } from "./connection-records.ts";
import type {
  BrokerCatalog,
  ConnectionSettings,
  ConnectionSetup,
  ConnectionSetups,
  SecretSeals,
  SettingsChange,
  SettingValue,
  StoredSetup,
} from "./connection-setups.ts";
import type { ConnectionView } from "./gateway.ts";
import type { Asker, ConnectionUses } from "./manage-connections.ts";

export interface ChangeConnectionsDeps {
  readonly records: Pick<ConnectionRecords, "find" | "describe">;
  readonly setups: ConnectionSetups;
  readonly seals: SecretSeals;
  readonly brokers: BrokerCatalog;
  readonly accounts: Pick<AccountDirectory, "report">;
  readonly newDeviceId: () => string;
  /** Unix ms. */
  readonly now: () => number;
}

interface Lookup {
  /** The user's connection, or NOT_FOUND. */
  readonly find: (
    asker: Asker,
    connection: ConnectionId,
  ) => Promise<{ readonly record: ConnectionRecord; readonly setup: StoredSetup | undefined }>;
  readonly view: (asker: Asker, connection: ConnectionId) => Promise<ConnectionView>;
}

const MOST_CONNECTIONS = 100;
/** How often a change is tried that others changed things under. */
const ATTEMPTS = 3;

/** Adding, changing and removing connections. What runs hears of it and follows. */
export function createConnectionChanges(
  deps: ChangeConnectionsDeps,
  { find, view }: Lookup,
): Pick<ConnectionUses, "addConnection" | "changeConnection" | "removeConnection"> {
  const { setups, accounts } = deps;
  return {
    addConnection: async (asker, request) => {
      const connection = await add(deps, asker, request);
      return await view(asker, connection);
    },

    changeConnection: async (asker, id, wanted) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { setup } = await find(asker, id);
        if (setup === undefined) throw errors.connectionFixed(id);
        const changed = await withChange(deps, setup, wanted);
        if (!(await setups.save(changed))) continue;
        if (changed.paused) await deactivateUnowned(deps, id);
        return await view(asker, id);
      }
      throw errors.changedMeanwhile(id);
    },

    removeConnection: async (asker, id) => {
      const { setup } = await find(asker, id);
      if (setup === undefined) throw errors.connectionFixed(id);
      await setups.remove(id);
      // Whatever its owner still reports, it takes back when it lets go.
      await accounts.report(id, []);
      await setups.announce(id);
    },
  };
}

async function add(
  deps: ChangeConnectionsDeps,
  { userId }: Asker,
  { broker, environment, name = broker, settings }: Parameters<ConnectionUses["addConnection"]>[1],
): Promise<ConnectionId> {
  const { records, setups, brokers, newDeviceId, now } = deps;
  requireBroker(brokers, broker);
  const own = (await setups.list()).filter((setup) => setup.userId === userId);
  if (own.length >= MOST_CONNECTIONS) throw errors.tooManyConnections(MOST_CONNECTIONS);
  const none = { broker, settings: {}, sealed: {} };
  // Before an id is used up.
  refuseWrong(brokers, none, settings);
  const connectionId = await setups.newId(broker);
  const facts = { userId, broker, environment };
  const setup: ConnectionSetup = {
    ...facts,
    ...(await withSettings(deps, { ...none, connectionId }, settings)),
    connectionId,
    name,
    paused: false,
    deviceId: newDeviceId(),
    settingsVersion: 1,
    untried: true,
    createdAt: now(),
  };
  await records.describe(connectionId, facts);
  await setups.create(setup);
  return connectionId;
}

async function withChange(
  deps: ChangeConnectionsDeps,
  setup: StoredSetup,
  {
    name = setup.name,
    paused = setup.paused,
    settings,
  }: Parameters<ConnectionUses["changeConnection"]>[2],
): Promise<StoredSetup> {
  const changed = { ...setup, name, paused };
  if (settings === undefined) return changed;
  return {
    ...changed,
    ...(await withSettings(deps, setup, settings)),
    settingsVersion: setup.settingsVersion + 1,
    untried: true,
  };
}

/**
 * The owner does this too, while it holds the lease: done here beside a living owner, it might come
 * after a session of the next one, and make what is connected inactive.
 */
async function deactivateUnowned(
  { records, setups, accounts }: ChangeConnectionsDeps,
  connection: ConnectionId,
): Promise<void> {
  const record = await records.find(connection);
  if (record?.status !== "DISCONNECTED") return;
  await accounts.report(connection, []);
  await setups.announce(connection);
}

type Kept = Pick<ConnectionSetup, "broker" | "settings" | "sealed">;

/** Secrets are sealed here, and go nowhere else. */
async function withSettings(
  { brokers, seals }: Pick<ChangeConnectionsDeps, "brokers" | "seals">,
  kept: Kept & Pick<ConnectionSetup, "connectionId">,
  change: SettingsChange,
): Promise<Pick<ConnectionSetup, "settings" | "sealed">> {
  refuseWrong(brokers, kept, change);
  const secrets = new Set(brokers.secretsOf(kept.broker));
  const settings = new Map<string, SettingValue>(Object.entries(kept.settings));
  const sealed = new Map(Object.entries(kept.sealed));
  for (const [field, value] of Object.entries(change)) {
    settings.delete(field);
    if (value === null) sealed.delete(field);
    else if (!secrets.has(field)) settings.set(field, value);
    else sealed.set(field, await seals.seal(kept.connectionId, field, String(value)));
  }
  return { settings: Object.fromEntries(settings), sealed: Object.fromEntries(sealed) };
}

function refuseWrong(brokers: BrokerCatalog, kept: Kept, change: SettingsChange): void {
  const all = { ...kept.settings, ...change };
  const given = Object.entries(all).filter(([, value]) => value !== null);
  const keptSecrets = Object.keys(kept.sealed).filter((field) => !Object.hasOwn(change, field));
  const settings = Object.fromEntries(given) as ConnectionSettings;
  const problems = brokers.check(kept.broker, settings, keptSecrets);
  if (problems.length > 0) throw errors.validationFailed(problems);
}

function requireBroker(brokers: BrokerCatalog, broker: string): void {
  const names = brokers.names();
  if (names.includes(broker)) return;
  const list = names.length === 0 ? "none" : names.join(", ");
  const message = `must be a broker that there is: ${list}`;
  throw errors.validationFailed([{ path: "broker", message }]);
}
