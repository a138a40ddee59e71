import { Cluster, Redis } from "ioredis";
import type { Alarms } from "../../trading/alarms/alarm.ts";
import { runIdOf, type ServerInfo } from "../redis/connectors.ts";
import { AskedReplicas } from "./asked-replicas.ts";
import {
  examineServer,
  type Finding,
  judgeClocks,
  presentReplicas,
  type ServerState,
} from "./durability.ts";
import type { Keys } from "../keys.ts";
import {
  hasMarkers,
  readStoreFacts,
  refuseStore,
  type RememberedStore,
  type StoreFacts,
  type StoreIdentity,
  writeIdentity,
  writeMarkers,
} from "./store-identity.ts";
import { alarmOfFinding as alarmOf, isOfRoom, StoreRoom } from "./store-room.ts";
import type { AskStanding } from "./who-is-master.ts";
import { StoreError } from "../../trading/store-error.ts";
import { mastersOf, onEachNode, type RedisClient } from "../redis/redis-client.ts";

interface GuardDeps {
  /** A connection of its own, which is not guarded. */
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly alarms: Alarms;
  /** Asks who decides it whether a server is still a master; absent where nobody does. */
  readonly standing?: AskStanding | undefined;
  /** The folder that Redis writes to, where it is on this machine. */
  readonly folder?: string | undefined;
}

/** The store cannot be used; the message says why. */
export class StoreRefusedError extends Error {
  override readonly name = "StoreRefusedError";
}

const LOOK_MS = 1_000;
/** Sooner than a replica that has just come back can be made the master. */
const REPLICAS_LOOK_MS = 100;
/** In looks. */
const SENTINELS_EVERY = 5;

const GAP = "A part of the store is gone: a server of the Cluster does not have what it had";

const UNSETTLED = "Those who decide it do not agree yet which server is the master";

const SET_BACK =
  "The store was set back to an earlier form. Start the gateway anew: it brings the store up to date";

/** Findings that, while the gateway runs, raise an alarm but do not stop it. */
const isBearable = (kind: Finding["kind"]): boolean =>
  kind === "replicas" || kind === "clocks" || isOfRoom(kind);

/**
 * Makes sure that commands reach one store only: the one found at the start, on servers as safe as they
 * were then. It checks at each reconnect and each second. A server process that is not checked yet gets
 * no command; the connections to one that is refused are closed.
 */
export class StoreGuard {
  readonly #deps: GuardDeps;
  readonly room: StoreRoom;
  readonly #guarded: Pick<RedisClient, "disconnect">[] = [];
  readonly #newcomers = new Set<() => void>();
  readonly #told = new Set<Finding["kind"]>();
  /** Findings of the start, which was made nevertheless. */
  #accepted: ReadonlySet<Finding["kind"]> = new Set();
  #identity: StoreIdentity | undefined;
  /** The highest form in which it was found. */
  #format = 0;
  /** The server processes that may be used, by their run ids. */
  #serving: ReadonlySet<string> = new Set();
  readonly #asked: AskedReplicas;
  #isNew = false;
  /** Of the looks: what is asked for now and then. */
  #turn = 0;
  #check: Promise<boolean> = Promise.resolve(true);
  #nextCheck: Promise<boolean> | undefined;
  #reason: string | undefined;
  #findings: readonly Finding[] = [];
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(deps: GuardDeps) {
    this.#deps = deps;
    this.room = new StoreRoom(deps.folder);
    this.#asked = new AskedReplicas(deps.standing);
  }

  /** Why no command is sent to the store; undefined while commands are allowed. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Why accepted orders are not safe there, at the last check. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Whether it was empty when it was opened: this gateway is the first to use it. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Whether what is answered has to be on replicas. */
  get hasReplicas(): boolean {
    return this.#asked.most > 0;
  }

  /** How many replicas of a server must have what it answers. */
  readonly replicasOf = (runId: string | undefined): number => this.#asked.of(runId);

  /** Examines the servers before they are used. Throws `StoreError`. */
  async findFirst(): Promise<readonly Finding[]> {
    return findingsOf(await this.#examine());
  }

  /**
   * Identifies the store; `remembered` is the one that is expected. A store that was never used gets an
   * identity. Throws `StoreRefusedError`, and `StoreError` when it cannot be read.
   */
  async open(remembered: RememberedStore): Promise<StoreIdentity> {
    const { redis, keys } = this.#deps;
    const [found, facts] = await Promise.all([this.#examine(), readStoreFacts(redis, keys)]);
    const servers = await this.#asked.settled(found);
    if (servers.length === 0) throw new StoreError(UNSETTLED, { certainlyNotWritten: true });
    const { identity: known = await this.#begin(facts, remembered) } = facts;
    const reason = refuseStore(facts, remembered) ?? (await this.#findGap(known));
    if (reason !== undefined) throw new StoreRefusedError(reason);
    this.#identity = known;
    if (facts.identity === undefined) await this.#untilReplicated(servers);
    this.#findings = findingsOf(servers);
    this.#accepted = new Set(this.#findings.map(({ kind }) => kind));
    this.#serve(servers);
    await this.#asked.lower(servers);
    onEachNode(redis, (node) => node.on("ready", () => this.#look()));
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#watch = setInterval(() => this.#lookForReplicas(), REPLICAS_LOOK_MS).unref();
    return this.#identity;
  }

  /** Of a store without an identity. */
  async #begin(facts: StoreFacts, remembered: RememberedStore): Promise<StoreIdentity> {
    const reason = refuseStore(facts, remembered);
    if (reason !== undefined) throw new StoreRefusedError(reason);
    this.#isNew = !facts.isUsed;
    return await writeIdentity(this.#deps.redis, this.#deps.keys, facts);
  }

  /** What a failover would lose makes a store that was used look like a new one. */
  async #untilReplicated(servers: readonly ServerState[]): Promise<void> {
    this.#asked.raise(servers);
    await this.#asked.lower(servers);
    const asked = mastersOf(this.#deps.redis).map(async (node) => {
      const count = this.#asked.of(runIdOf(node));
      if (count === 0 || (await node.wait(count, LOOK_MS)) >= count) return;
      throw new StoreError("Its replicas do not have it yet", { certainlyNotWritten: false });
    });
    await Promise.all(asked);
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#watch);
  }

  /** Called by each guarded connection before its first command. */
  readonly mayServe = ({ run_id: runId, role }: ServerInfo): boolean => {
    if (role !== "master") return false;
    if (runId !== undefined && this.#serving.has(runId)) return true;
    this.#look();
    return false;
  };

  /** Adds a connection that was opened with `mayServe`; it is closed when the store is refused. */
  guard(redis: Pick<RedisClient, "disconnect">): void {
    this.#guarded.push(redis);
  }

  /** Called before a server process that was not there at the start gets its first command. */
  onNewServer(look: () => void): void {
    this.#newcomers.add(look);
  }

  /**
   * To be called before something is reported missing: in a store that was emptied, that it is absent
   * proves nothing. Throws `StoreError`.
   */
  readonly requireKnown = async (redis: RedisClient): Promise<void> => {
    const { identity } = await readStoreFacts(redis, this.#deps.keys);
    const isSame = identity !== undefined && identity.id === this.#identity?.id;
    const isWhole = isSame && (!(redis instanceof Cluster) || (await this.#hasMarkersNow()));
    if (isWhole && identity.format >= this.#format) return;
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
    await this.room.lookAtDisk();
    this.#findings = [
      ...this.#findings.filter(({ kind }) => !isOfRoom(kind)),
      ...this.room.findings,
    ];
    this.#tellOnce(this.#findings.filter(({ kind }) => !this.#accepted.has(kind)));
    const asked = Promise.all([this.#examine(), readStoreFacts(redis, keys)]);
    const [servers, facts] = await this.room.time(asked);
    this.room.judge(servers);
    this.#findings = [...findingsOf(servers), ...this.room.findings];
    const fresh = this.#findings.filter(({ kind }) => !this.#accepted.has(kind));
    const worse = fresh.find(({ kind }) => !isBearable(kind));
    const isNew = servers.some(({ runId }) => !this.#serving.has(runId));
    const reason =
      refuseStore(facts, this.#identity) ??
      this.#setBack(facts) ??
      worse?.text ??
      (isNew ? await this.#findGap(facts.identity) : await this.#lookForGap());
    if (reason !== undefined) return this.#refuse(reason);
    this.#tellOnce(fresh);
    const settled = isNew ? await this.#asked.settled(servers) : servers;
    // Their connections try again, and each try is a look.
    if (settled.length === 0) return;
    this.#serve(settled);
    if (isNew) for (const look of this.#newcomers) look();
    await this.#asked.lower(settled);
    await this.#followSentinels(servers);
  }

  #lookForReplicas(): void {
    for (const node of mastersOf(this.#deps.redis)) {
      const runId = runIdOf(node);
      if (node.status !== "ready" || !this.#asked.mayRise(runId)) continue;
      node.info("replication").then(
        (info) => this.#asked.rise(runId, presentReplicas(info)),
        () => undefined, // It is away; who takes its place is examined first.
      );
    }
  }

  /** Their own word of a failover is lost with the connection that carries it. */
  async #followSentinels([server]: readonly ServerState[]): Promise<void> {
    const { redis, standing } = this.#deps;
    const isDue = this.#turn % SENTINELS_EVERY === 0;
    if (!isDue || redis instanceof Cluster || standing === undefined || !server) return;
    if ((await standing(server.runId)) !== "replaced") return;
    for (const guarded of [redis, ...this.#guarded]) guarded.disconnect(true);
  }

  /**
   * Of a Cluster as many as answer, and at least one. Where servers take each other's place, one that
   * is a master no more is not asked for: the next master is found soon. Throws `StoreError`.
   */
  async #examine(): Promise<readonly ServerState[]> {
    const { redis } = this.#deps;
    const mode = redis instanceof Cluster ? "cluster" : "standalone";
    const asked = mastersOf(redis).map(async (node) => await examineServer(node, mode));
    const states = await Promise.allSettled(asked);
    const isMaster = ({ findings }: ServerState) =>
      !findings.some(({ kind }) => kind === "replica");
    const answered = states
      .flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
      .filter((one) => isMaster(one) || !doesFailOver(redis));
    if (answered.length > 0) return answered;
    await Promise.all(asked);
    if (redis instanceof Redis) redis.disconnect(true);
    throw new StoreError("No master is known", { certainlyNotWritten: true });
  }

  /** Each node of a Cluster has a part of the store, and may have lost it while others have theirs. */
  async #findGap(identity: StoreIdentity | undefined): Promise<string | undefined> {
    const { redis, keys } = this.#deps;
    if (!(redis instanceof Cluster) || identity === undefined) return undefined;
    if (identity.isMarked) return (await hasMarkers(redis, keys)) ? undefined : GAP;
    // It is new, or was on one server until now, or a start has died in it.
    await writeMarkers(redis, keys, identity);
    return undefined;
  }

  /** A node can be emptied while it runs. One that does not answer has lost nothing for that. */
  async #lookForGap(): Promise<string | undefined> {
    const { redis, keys } = this.#deps;
    this.#turn += 1;
    if (!(redis instanceof Cluster)) return undefined;
    const hasThem = await hasMarkers(redis, keys, this.#turn).catch(() => true);
    return hasThem ? undefined : GAP;
  }

  /** As it is after this call. Many ask when strangers guess, and one answer does for all of them. */
  async #hasMarkersNow(): Promise<boolean> {
    const { redis, keys } = this.#deps;
    this.#nextCheck ??= this.#check
      .catch(() => false)
      .then(async () => {
        this.#nextCheck = undefined;
        return await (this.#check = hasMarkers(redis, keys));
      });
    return await this.#nextCheck;
  }

  /** Only a start brings a store up to date: what lies in an earlier form is not found until then. */
  #setBack({ identity }: StoreFacts): string | undefined {
    const format = identity?.format ?? this.#format;
    if (format < this.#format) return SET_BACK;
    this.#format = format;
    return undefined;
  }

  #refuse(reason: string): void {
    this.#serving = new Set();
    if (reason === this.#reason) return;
    this.#reason = reason;
    for (const redis of this.#guarded) redis.disconnect(true);
    this.#deps.alarms.raise({ kind: "storeRefused", reason });
  }

  /** One that does not answer now keeps its place: its successor, if it gets one, is a new server. */
  #serve(servers: readonly ServerState[]): void {
    const answered = servers.map(({ runId }) => runId);
    const isWhole = answered.length >= mastersOf(this.#deps.redis).length;
    this.#serving = new Set(isWhole ? answered : [...this.#serving, ...answered]);
    this.#asked.raise(servers);
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

const doesFailOver = (redis: RedisClient): boolean =>
  redis instanceof Cluster || (redis.options.sentinels ?? null) !== null;

/** The same of several servers is one. */
function findingsOf(servers: readonly ServerState[]): readonly Finding[] {
  const byText = new Map(
    servers.flatMap(({ findings }) => findings.map((finding) => [finding.text, finding] as const)),
  );
  return [...byText.values(), ...judgeClocks(servers)];
}
