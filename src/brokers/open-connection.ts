import { LACKS_NOTHING } from "../domain/broker-lacks.ts";
import type { AdapterMemory, BrokerOpening, ExitsMissing } from "./broker-kind.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { BrokerReadError, type CommandFailure, type OrderNames } from "../trading/ports.ts";
import type { ConnectionPlan } from "./connection-owner.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import type { Logger } from "../observability/logger.ts";
import type { ConnectionId } from "../domain/ids.ts";
import { type SealedMemories, SealError, type SecretBox } from "../trading/connections/ports.ts";
import type { ConnectionRecords } from "../trading/connections/connection-records.ts";
import type {
  ConnectionSettings,
  ConnectionSetup,
  ConnectionSetups,
  StoredSetup,
} from "../trading/connections/connection-setups.ts";
import type { OpenCatalog } from "./broker-catalog.ts";
import { UnfitHereError } from "./session-errors.ts";

export interface OpenConnectionDeps {
  readonly catalog: OpenCatalog;
  readonly secrets: SecretBox;
  readonly contracts: ContractDirectory;
  readonly log: Logger;
  readonly now: () => number;
  /** Absent where nothing is traded. */
  readonly exitsMissing?: ExitsMissing;
  readonly alarms?: BrokerOpening["alarms"];
}

/** What it is called where it is sealed; no setting of a broker has such a name. */
const MEMORY = "(memory)";

/** What is kept of a connection makes no adapter in this process; the message says what to do. */
export class UnusableSetupError extends Error {
  override readonly name = "UnusableSetupError";
}

/** Who works with the adapter. */
export interface Opener {
  readonly mayWrite: () => boolean;
  readonly memory?: AdapterMemory;
  readonly names?: OrderNames;
}

/** The adapter that a setup describes. Throws `UnusableSetupError`. */
export async function openConnection(
  setup: ConnectionSetup,
  { mayWrite, memory, names }: Opener,
  deps: OpenConnectionDeps,
): Promise<BrokerAdapter> {
  const { catalog, secrets, contracts, log, now, exitsMissing = () => undefined } = deps;
  const { alarms = { raise: () => undefined } } = deps;
  const { connectionId, broker, environment, deviceId } = setup;
  const kind = catalog.kindOf(broker);
  if (kind === undefined) throw new UnusableSetupError(`This gateway has no broker "${broker}"`);
  const kept = { ...setup.settings, ...(await openSecrets(setup, secrets)) };
  const [problem] = catalog.check(broker, kept, []);
  if (problem !== undefined) {
    throw new UnusableSetupError(`The settings are not valid: ${problem.path} ${problem.message}`);
  }
  const settings = catalog.withDefaults(broker, kept);
  const facts = { connectionId, environment, settings, deviceId };
  // By name: who calls may hold much more, of which no adapter is to see anything.
  return kind.open({
    ...facts,
    mayWrite,
    memory,
    names,
    contracts,
    log,
    now,
    exitsMissing,
    alarms,
  });
}

async function openSecrets(
  { connectionId, sealed }: ConnectionSetup,
  secrets: SecretBox,
): Promise<ConnectionSettings> {
  try {
    const opened = Object.entries(sealed).map(
      async ([field, text]) => [field, await secrets.open(connectionId, field, text)] as const,
    );
    return Object.fromEntries(await Promise.all(opened));
  } catch (error) {
    if (error instanceof SealError) throw new UnusableSetupError(error.message);
    throw error;
  }
}

export interface AddedPlansDeps extends OpenConnectionDeps {
  readonly setups: ConnectionSetups;
  readonly records: Pick<ConnectionRecords, "resume">;
  readonly memories: SealedMemories;
  readonly orderNames: OrderNames;
}

/** What is to be owned of the connections that users have added. */
export async function readAddedPlans(deps: AddedPlansDeps): Promise<readonly ConnectionPlan[]> {
  const setups = await deps.setups.list();
  return setups.filter(({ paused }) => !paused).map((setup) => planOf(setup, deps));
}

function planOf(
  { connectionId, userId, settingsVersion: version }: StoredSetup,
  deps: AddedPlansDeps,
): ConnectionPlan {
  return {
    connectionId,
    userId,
    version,
    // The lease is held: what is read now is what no former owner works with any more.
    open: async ({ isOwned: isHeld }) => {
      const setup = await deps.setups.find(connectionId);
      if (setup === undefined || setup.paused) return undefined;
      if (setup.untried) await take(setup, deps);
      const memory = openMemory(connectionId, deps);
      const opener = { mayWrite: isHeld, memory, names: deps.orderNames };
      return await openConnection(setup, opener, deps).catch((error: unknown) => {
        if (!(error instanceof UnusableSetupError)) throw error;
        throw new UnfitHereError(error.message, createStandIn(setup, error.message));
      });
    },
  };
}

/** Sealed as the secrets are: it may let in just as they do. */
function openMemory(
  connection: ConnectionId,
  { memories, secrets }: Pick<AddedPlansDeps, "memories" | "secrets">,
): AdapterMemory {
  return {
    load: async () => {
      const sealed = await memories.load(connection);
      return sealed === undefined ? undefined : await secrets.open(connection, MEMORY, sealed);
    },
    save: async (text) => {
      await memories.save(connection, await secrets.seal(connection, MEMORY, text));
    },
  };
}

/** A stop was the word on earlier settings; nothing logs in with those any more. */
async function take(setup: StoredSetup, { records, setups }: AddedPlansDeps): Promise<void> {
  await records.resume(setup.connectionId);
  if (await setups.save({ ...setup, untried: false })) return;
  throw new Error("The connection was changed while it was opened; it is opened anew");
}

/** The adapter of a connection that cannot be opened here: nothing logs in, and the others go on. */
function createStandIn(
  { broker, environment }: Pick<ConnectionSetup, "broker" | "environment">,
  reason: string,
): BrokerAdapter {
  const notSent: CommandFailure = { kind: "notSent", reason };
  const refuse = () => Promise.resolve(notSent);
  const fail = () => Promise.reject(new BrokerReadError(reason));
  return {
    broker,
    environment,
    capabilities: {
      nativeBracket: false,
      nativeOco: false,
      trailsFromMarket: false,
      keepsHours: true,
      cancelEndsLinkedLeg: false,
      refusesDuplicates: false,
      lacks: LACKS_NOTHING,
    },
    runSession: fail,
    tendsExits: () => false,
    onReport: () => () => undefined,
    submitOrder: refuse,
    submitProtection: refuse,
    modifyOrder: refuse,
    cancelOrder: refuse,
    closePosition: refuse,
    accounts: fail,
    positions: fail,
    workingOrders: fail,
    contractDoubt: fail,
    unread: () => [],
    hasRoomFor: () => false,
    findOrder: fail,
    fills: fail,
  };
}
