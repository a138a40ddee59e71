import type { Redis } from "ioredis";
import type { Alarms } from "../../trading/alarms/alarm.ts";
import type { ServerInfo } from "../redis/connect.ts";
import { examineServer, type Finding, freeBytesOf, judgeDisk } from "./durability.ts";
import type { Keys } from "../keys.ts";
import {
  readStoreFacts,
  refuseStore,
  type RememberedStore,
  type StoreFacts,
  type StoreIdentity,
  writeIdentity,
} from "./store-identity.ts";
import { StoreError } from "../../trading/store-error.ts";

/** About the disk, not about what Redis stores. */
export const isOfDisk = (kind: Finding["kind"]): boolean =>
  kind === "diskLow" || kind === "diskFull";

const alarmOf = (finding: Finding["kind"]) => (isOfDisk(finding) ? "diskNeedsRoom" : "storeUnsafe");

interface GuardDeps {
  /** A connection of its own, which is not guarded. */
  readonly redis: Redis;
  readonly keys: Keys;
  readonly alarms: Alarms;
  /** The folder that Redis writes to, where it is on this machine. */
  readonly folder?: string | undefined;
}

/** The store cannot be used; the message says why. */
export class StoreRefusedError extends Error {
  override readonly name = "StoreRefusedError";
}

const LOOK_MS = 1_000;

const SET_BACK =
  "The store was set back to an earlier form. Start the gateway anew: it brings the store up to date";

/** Findings that, while the gateway runs, raise an alarm but do not stop it. */
const BEARABLE: ReadonlySet<Finding["kind"]> = new Set(["replicas", "diskLow", "diskFull"]);

/**
 * Makes sure that commands reach one store only: the one found at the start, on a server as safe as it
 * was then. It checks at each reconnect and each second. A server process that is not checked yet gets
 * no command; the connections to one that is refused are closed.
 */
export class StoreGuard {
  readonly #deps: GuardDeps;
  readonly #guarded: Redis[] = [];
  readonly #told = new Set<Finding["kind"]>();
  /** Findings of the start, which was made nevertheless. */
  #accepted: ReadonlySet<Finding["kind"]> = new Set();
  #identity: StoreIdentity | undefined;
  /** The highest form in which it was found. */
  #format = 0;
  #servingRunId: string | undefined;
  #reason: string | undefined;
  #findings: readonly Finding[] = [];
  #freeBytes: number | undefined;
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
  }

  /** Why no command is sent to the store; undefined while commands are allowed. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Why accepted orders are not safe there, at the last check. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Free bytes on the disk that Redis writes to; undefined where that is not known. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** Examines the server before it is used. Throws `StoreError`. */
  async findFirst(): Promise<readonly Finding[]> {
    return (await examineServer(this.#deps.redis)).findings;
  }

  /**
   * Identifies the store; `remembered` is the one that is expected. A store that was never used gets an
   * identity. Throws `StoreRefusedError`, and `StoreError` when it cannot be read.
   */
  async open(remembered: RememberedStore): Promise<StoreIdentity> {
    const { redis, keys } = this.#deps;
    const [server, facts] = await Promise.all([examineServer(redis), readStoreFacts(redis, keys)]);
    const reason = refuseStore(facts, remembered);
    if (reason !== undefined) throw new StoreRefusedError(reason);
    this.#identity = facts.identity ?? (await writeIdentity(redis, keys, facts));
    this.#findings = server.findings;
    this.#accepted = new Set(server.findings.map(({ kind }) => kind));
    this.#servingRunId = server.runId;
    redis.on("ready", () => this.#look());
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    return this.#identity;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Called by each guarded connection before its first command. */
  readonly mayServe = ({ run_id: runId, role }: ServerInfo): boolean =>
    runId !== undefined && runId === this.#servingRunId && role === "master";

  /** Adds a connection that was opened with `mayServe`; it is closed when the store is refused. */
  guard(redis: Redis): void {
    this.#guarded.push(redis);
  }

  /**
   * To be called before something is reported missing: in a store that was emptied, that it is absent
   * proves nothing. Throws `StoreError`.
   */
  readonly requireKnown = async (redis: Redis): Promise<void> => {
    const { identity } = await readStoreFacts(redis, this.#deps.keys);
    const isSame = identity !== undefined && identity.id === this.#identity?.id;
    if (isSame && identity.format >= this.#format) return;
    this.#look();
    throw new StoreError("The store is not the one that was known", { certainlyNotWritten: true });
  };

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookOnce()
      // Redis is away: its connections report that, and its next process is checked before it is used.
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }

  async #lookOnce(): Promise<void> {
    const { redis, keys } = this.#deps;
    // First, because a full disk may be why Redis is away.
    const disk = await this.#lookAtDisk();
    this.#findings = [...this.#findings.filter(({ kind }) => !isOfDisk(kind)), ...disk];
    this.#tellOnce(this.#findings.filter(({ kind }) => !this.#accepted.has(kind)));
    const [server, facts] = await Promise.all([examineServer(redis), readStoreFacts(redis, keys)]);
    const { runId } = server;
    this.#findings = [...server.findings, ...disk];
    const fresh = this.#findings.filter(({ kind }) => !this.#accepted.has(kind));
    const worse = fresh.find(({ kind }) => !BEARABLE.has(kind));
    const reason = refuseStore(facts, this.#identity) ?? this.#setBack(facts) ?? worse?.text;
    if (reason !== undefined) return this.#refuse(reason);
    this.#tellOnce(fresh);
    this.#serve(runId);
  }

  /** Only a start brings a store up to date: what lies in an earlier form is not found until then. */
  #setBack({ identity }: StoreFacts): string | undefined {
    const format = identity?.format ?? this.#format;
    if (format < this.#format) return SET_BACK;
    this.#format = format;
    return undefined;
  }

  async #lookAtDisk(): Promise<readonly Finding[]> {
    const { folder } = this.#deps;
    if (folder === undefined) return [];
    this.#freeBytes = await freeBytesOf(folder).catch(() => undefined);
    return this.#freeBytes === undefined ? [] : judgeDisk(folder, this.#freeBytes);
  }

  #refuse(reason: string): void {
    this.#servingRunId = undefined;
    if (reason === this.#reason) return;
    this.#reason = reason;
    for (const redis of this.#guarded) redis.disconnect(true);
    this.#deps.alarms.raise({ kind: "storeRefused", reason });
  }

  #serve(runId: string): void {
    this.#servingRunId = runId;
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#deps.alarms.clear({ kind: "storeRefused" });
  }

  #tellOnce(findings: readonly Finding[]): void {
    const kinds = new Set(findings.map(({ kind }) => kind));
    for (const finding of this.#told) {
      if (kinds.has(finding)) continue;
      this.#told.delete(finding);
      this.#deps.alarms.clear({ kind: alarmOf(finding), finding });
    }
    for (const { kind: finding, text: reason } of findings) {
      // Its text says how much is left, and changes all the time.
      if (this.#told.has(finding)) continue;
      this.#told.add(finding);
      this.#deps.alarms.raise({ kind: alarmOf(finding), finding, reason });
    }
  }
}
