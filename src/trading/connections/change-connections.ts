import type { ConnectionId } from "../../domain/ids.ts";
import { secretsLeftBehind, type SentTo } from "../../domain/moved-secrets.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { ConnectionRecord, ConnectionRecords } from "./connection-records.ts";
import type {
  BrokerCatalog,
  ConnectionSettings,
  ConnectionSetup,
  ConnectionSetups,
  Environment,
  SettingsChange,
  SettingValue,
  StoredSetup,
} from "./connection-setups.ts";
import type { SecretSeals } from "./ports.ts";
import type { Asker, ConnectionUses, ConnectionView } from "./connection-uses.ts";

export interface ChangeConnectionsDeps {
  readonly records: Pick<ConnectionRecords, "find" | "describe">;
  readonly setups: ConnectionSetups;
  readonly seals: SecretSeals;
  readonly brokers: BrokerCatalog;
  readonly accounts: Pick<AccountDirectory, "load" | "on" | "report">;
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
/** Longer than a login is looked up and saved: a claim whose process died does not stay. */
const CLAIM_MS = 30_000;
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
        const isResumed = setup.paused && !changed.paused;
        if (isResumed) await countAsActive(deps, id);
        let isSaved = false;
        try {
          isSaved =
            wanted.settings === undefined
              ? await setups.save(changed)
              : await withLogin(deps, changed, () => setups.save(changed));
        } finally {
          if (!isSaved && isResumed) await accounts.report(id, []);
        }
        if (!isSaved) continue;
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
  requireEnvironment(brokers, broker, environment);
  const own = (await setups.list()).filter((setup) => setup.userId === userId);
  if (own.length >= MOST_CONNECTIONS) {
    throw errors.tooMany("TOO_MANY_CONNECTIONS", MOST_CONNECTIONS);
  }
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
  return await withLogin(deps, setup, async () => {
    await records.describe(connectionId, facts);
    await setups.create(setup);
    return connectionId;
  });
}

/**
 * Saves a connection when no other one has its login. Two of them would trade the same accounts, each
 * in its own order, and end each other's sessions.
 */
async function withLogin<Saved>(
  { setups, brokers }: Pick<ChangeConnectionsDeps, "setups" | "brokers">,
  setup: ConnectionSetup,
  save: () => Promise<Saved>,
): Promise<Saved> {
  const login = loginOf(brokers, setup);
  if (login === undefined) return await save();
  if (!(await setups.claimLogin(login, CLAIM_MS))) throw errors.changedMeanwhile(setup.name);
  try {
    const others = (await setups.list()).filter((other) => loginOf(brokers, other) === login);
    const other = others.find(({ connectionId }) => connectionId !== setup.connectionId);
    if (other !== undefined) {
      throw errors.loginInUse(other.userId === setup.userId ? other.connectionId : undefined);
    }
    return await save();
  } finally {
    await setups.freeLogin(login);
  }
}

/** Without regard to case: no broker is known that tells two users apart by it. */
function loginOf(
  brokers: BrokerCatalog,
  { broker, environment, settings }: ConnectionSetup,
): string | undefined {
  const words = brokers.loginOf(broker, settings);
  return words.length === 0 ? undefined : [broker, environment, ...words].join(" ").toLowerCase();
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
 * From a resume until its session is up no one knows whether an account may trade. Inactive ones refuse
 * their exits for good, so they count as any other ones whose connection is not up yet. It comes before
 * the save: what the next session reports comes later, and stays.
 */
async function countAsActive(
  { accounts }: Pick<ChangeConnectionsDeps, "accounts">,
  connection: ConnectionId,
): Promise<void> {
  await accounts.load();
  const resting = accounts.on(connection).map((account) => ({ ...account, active: true }));
  await accounts.report(connection, resting);
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
  requireMovedSecrets(brokers, kept, change);
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

function requireMovedSecrets(brokers: BrokerCatalog, kept: Kept, change: SettingsChange): void {
  const { broker, settings, sealed } = kept;
  const secrets = Object.keys(sealed);
  const sentTo = brokers
    .placesOf(broker)
    .flatMap((place) => secrets.map((secret): SentTo => [place, secret]));
  const problems = secretsLeftBehind(sentTo, { settings, secrets }, change);
  if (problems.length > 0) throw errors.validationFailed(problems);
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

function requireEnvironment(brokers: BrokerCatalog, broker: string, asked: Environment): void {
  const there = brokers.environmentsOf(broker);
  if (there.includes(asked)) return;
  const message = `must be one that ${broker} has: ${there.join(", ")}`;
  throw errors.validationFailed([{ path: "environment", message }]);
}
