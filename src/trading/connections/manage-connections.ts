import { type ConnectionWhy, needsAPerson, NOT_OWNED } from "../../domain/connection-status.ts";
import type { ConnectionId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import { type ChangeConnectionsDeps, createConnectionChanges } from "./change-connections.ts";
import type { ConnectionRecord, ConnectionRecords } from "./connection-records.ts";
import type {
  BrokerCatalog,
  ConnectionTrial,
  StoredSetup,
  TryConnection,
} from "./connection-setups.ts";
import type {
  Asker,
  ConnectionSetupView,
  ConnectionUses,
  ConnectionView,
} from "./connection-uses.ts";

export interface ManageConnectionsDeps extends ChangeConnectionsDeps {
  readonly records: Pick<ConnectionRecords, "list" | "find" | "resume" | "describe">;
  readonly accounts: Pick<AccountDirectory, "load" | "of" | "on" | "report">;
  readonly tryConnection: TryConnection;
}

/** Longer than any login takes: a trial whose process died does not stand in the way for ever. */
const TRIAL_MS = 60_000;
const BEING_TRIED = "It is being tested already";
const LOGGING_IN = "The gateway itself is logging in with it";

/** How a user's connections stand, and everything a user may do with them. */
export function createConnectionUses(deps: ManageConnectionsDeps): ConnectionUses {
  const { records, setups, brokers } = deps;

  async function find({ userId }: Asker, id: ConnectionId) {
    const [record, setup] = await Promise.all([records.find(id), setups.find(id)]);
    if (record === undefined || record.userId !== userId) throw errors.notFound("connection");
    return { record, setup };
  }

  async function view(asker: Asker, id: ConnectionId): Promise<ConnectionView> {
    const { record, setup } = await find(asker, id);
    return toConnectionView(record, setup, brokers);
  }

  return {
    ...createConnectionChanges(deps, { find, view }),

    findConnection: view,

    listBrokers: async () => brokers.offers(),

    listConnections: async ({ userId }) => {
      const [all, added] = await Promise.all([records.list(), setups.list()]);
      const byId = new Map(added.map((setup) => [setup.connectionId, setup]));
      return all
        .filter((record) => record.userId === userId)
        .map((record) => toConnectionView(record, byId.get(record.connectionId), brokers));
    },

    testConnection: async (asker, id) => {
      const { record, setup } = await find(asker, id);
      if (setup === undefined) throw errors.connectionFixed(id);
      return await tryOut(deps, record, setup);
    },

    reconnectConnection: async (asker, id) => {
      const { record, setup } = await find(asker, id);
      const isStopped = record.stop !== undefined || needsAPerson(record.status);
      if (setup === undefined) await records.resume(id);
      else if (isStopped) await openAnew(deps, { ...setup, untried: true });
      else if (record.status === "CONNECTED" && !setup.paused) await openAnew(deps, setup);
      const asked = toConnectionView(record, setup, brokers);
      return { ...asked, next: nextOf(asked, isStopped) };
    },
  };
}

function nextOf({ status, retryAt, setup }: ConnectionView, mayLogInNow: boolean): string {
  if (setup?.paused === true) return "It is paused: nothing logs in until it is resumed";
  if (mayLogInNow) return "It logs in now";
  if (status === "CONNECTED") {
    return setup === undefined
      ? "It is part of the gateway, which has no session with a broker to begin anew"
      : "Its session ends, and the next one begins at once";
  }
  if (status === "DISCONNECTED") return "It logs in as soon as a process of the gateway holds it";
  if (retryAt === undefined) return "It is logging in by itself";
  const at = new Date(retryAt).toISOString();
  return `It logs in by itself at ${at}, and not before: who logs in too often is locked out`;
}

/**
 * With a new adapter: what keeps this one from logging in, or from hearing its broker, may be what it
 * was made of. The next adapter goes on with the same token, so this opens no login by itself.
 */
async function openAnew({ setups }: ManageConnectionsDeps, setup: StoredSetup): Promise<void> {
  const isSaved = await setups.save({ ...setup, settingsVersion: setup.settingsVersion + 1 });
  if (!isSaved) throw errors.changedMeanwhile(setup.connectionId);
}

/** A second session might end the first one, so nothing is tried while there is one. */
async function tryOut(
  { setups, accounts, tryConnection }: ManageConnectionsDeps,
  { connectionId: id, status, userId, stop }: ConnectionRecord,
  setup: StoredSetup,
): Promise<ConnectionTrial> {
  if (status === "CONNECTED") {
    await accounts.load();
    const its = accounts.of(userId).filter(({ connectionId }) => connectionId === id);
    return { result: "connected", accounts: its.map(toTried) };
  }
  const isLoggingIn = status === "CONNECTING" || status === "RECONNECTING";
  if (isLoggingIn && stop === undefined) return { result: "busy", reason: LOGGING_IN };
  if (!(await setups.beginTrial(id, TRIAL_MS))) return { result: "busy", reason: BEING_TRIED };
  try {
    return await tryConnection(setup);
  } finally {
    await setups.endTrial(id);
  }
}

const toTried = ({
  accountId,
  name,
  active,
}: {
  accountId: string;
  name: string;
  active: boolean;
}) => ({
  accountId,
  name,
  active,
});

function toConnectionView(
  record: ConnectionRecord,
  setup: StoredSetup | undefined,
  brokers: BrokerCatalog,
): ConnectionView {
  const { connectionId, broker, environment, status, since } = record;
  return {
    connectionId,
    broker,
    environment,
    status,
    // One that nobody has owned yet is what it is since it was added.
    since: Math.max(since, setup?.createdAt ?? 0),
    ...reasonOf(record, setup),
    ...(setup !== undefined && { setup: toSetupView(setup, brokers) }),
  };
}

/** That a person must act is said also while nobody owns it, and while a new owner looks. */
function reasonOf(
  { status, stop, why }: ConnectionRecord,
  setup: StoredSetup | undefined,
): Partial<ConnectionWhy> {
  if (stop !== undefined) return { reason: stop.reason };
  if (status === "CONNECTED") return {};
  if (why !== undefined) return why;
  return setup?.paused === true ? { reason: "It is paused" } : NOT_OWNED;
}

function toSetupView(setup: StoredSetup, brokers: BrokerCatalog): ConnectionSetupView {
  const { name, paused, settings, sealed } = setup;
  // Those that were set by an earlier version of the gateway are shown as well.
  const fields = new Set([...brokers.secretsOf(setup.broker), ...Object.keys(sealed)]);
  const secrets = Object.fromEntries(
    [...fields].map((field) => [field, Object.hasOwn(sealed, field)]),
  );
  return { name, paused, settings, secrets };
}
