import { type ConnectionId, connectionId } from "../../../../src/domain/ids.ts";
import type {
  ConnectionSetups,
  StoredSetup,
} from "../../../../src/trading/connections/connection-setups.ts";

/** What users have set of their connections, at hand for a test. */
export class SetupTable implements ConnectionSetups {
  readonly kept = new Map<ConnectionId, StoredSetup>();
  readonly announced: ConnectionId[] = [];
  readonly #trials = new Set<ConnectionId>();
  readonly #logins = new Set<string>();
  /** Runs right before something is saved: what others do at that moment. */
  beforeSave: () => void = () => undefined;
  #count = 0;

  readonly newId = async (broker: string) => connectionId(`${broker}-${(this.#count += 1)}`);
  readonly list = async () => [...this.kept.values()];
  readonly find = async (id: ConnectionId) => this.kept.get(id);
  readonly announce = async (id: ConnectionId) => void this.announced.push(id);
  readonly endTrial = async (id: ConnectionId) => void this.#trials.delete(id);
  readonly freeLogin = async (login: string) => void this.#logins.delete(login);
  readonly remove = async (id: ConnectionId) => void this.kept.delete(id);

  readonly create: ConnectionSetups["create"] = async (setup) => {
    this.kept.set(setup.connectionId, { ...setup, version: 1 });
  };

  readonly save = async (setup: StoredSetup) => {
    this.beforeSave();
    if (this.kept.get(setup.connectionId)?.version !== setup.version) return false;
    this.kept.set(setup.connectionId, { ...setup, version: setup.version + 1 });
    return true;
  };

  readonly claimLogin = async (login: string) => {
    if (this.#logins.has(login)) return false;
    this.#logins.add(login);
    return true;
  };

  readonly beginTrial = async (id: ConnectionId) => {
    if (this.#trials.has(id)) return false;
    this.#trials.add(id);
    return true;
  };
}
