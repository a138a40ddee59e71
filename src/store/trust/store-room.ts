import { type Finding, freeBytesOf, judgeDisk, type ServerState } from "./durability.ts";

/** From this share of `maxmemory` on an alarm is raised. */
const LOW_SHARE = 0.8;
/** From this share on entries are refused: what is left is for exits, cancels and switches. */
const TIGHT_SHARE = 0.9;
/** At its limit Redis refuses writes. The memory of its answers comes and goes, and counts too. */
const FULL_SHARE = 0.97;
/** A finding lasts until so much less is used: at the very edge it would come and go. */
const SLACK_SHARE = 0.02;

/** A caller waits 1 s for an answer of Redis, and a write may wait for two syncs. */
const SLOW_MS = 400;
/** Once is a pause, as a rewrite of the log makes one. */
const SLOW_LOOKS = 2;
const LOOKS_KEPT = 10;
const TICK_MS = 50;

/** The findings about room and pace, with the state that each raises. */
const ALARM_OF = {
  diskLow: "diskNeedsRoom",
  diskFull: "diskNeedsRoom",
  memoryLow: "memoryNeedsRoom",
  memoryTight: "memoryNeedsRoom",
  memoryFull: "memoryNeedsRoom",
  slow: "storeSlow",
} as const satisfies Readonly<Partial<Record<Finding["kind"], string>>>;

/** Whether it is about room and pace, which come and go, and not about how safe Redis is. */
export const isOfRoom = (kind: Finding["kind"]): kind is keyof typeof ALARM_OF =>
  Object.hasOwn(ALARM_OF, kind);

/** The state that a finding raises. */
export const alarmOfFinding = (kind: Finding["kind"]) =>
  isOfRoom(kind) ? ALARM_OF[kind] : "storeUnsafe";

/** Whether Redis has room for what is written, on its disk and in its memory, and keeps pace with it. */
export class StoreRoom {
  readonly #folder: string | undefined;
  #freeBytes: number | undefined;
  #share: number | undefined;
  #disk: readonly Finding[] = [];
  #memory: Finding | undefined;
  #slow: Finding | undefined;
  #looks = 0;
  /** How long Redis took at the latest looks. */
  #paces: readonly number[] = [];
  /** Slow syncs that servers have noted, by their time. */
  readonly #syncs = new Map<number, { readonly tookMs: number; readonly seenAtLook: number }>();

  /** The folder that Redis writes to, where it is on this machine. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  get findings(): readonly Finding[] {
    return [...this.#disk, ...[this.#memory, this.#slow].filter((one) => one !== undefined)];
  }

  /** Free bytes on the disk that Redis writes to; undefined where that is not known. */
  get freeBytes(): number | undefined {
    return this.#freeBytes;
  }

  /** The part of `maxmemory` that is used, of the fullest server; undefined where none has a limit. */
  get memoryShare(): number | undefined {
    return this.#share;
  }

  /** The longest that Redis took, at the latest looks, to answer or to sync a write. */
  get slowestMs(): number {
    return Math.max(this.#slowestSyncMs, ...this.#paces);
  }

  get #slowestSyncMs(): number {
    return Math.max(0, ...[...this.#syncs.values()].map(({ tookMs }) => tookMs));
  }

  /** Whether entries are to be refused, so that what is left of the memory lasts for exits. */
  readonly isTight = (): boolean =>
    this.#memory?.kind === "memoryTight" || this.#memory?.kind === "memoryFull";

  async lookAtDisk(): Promise<void> {
    if (this.#folder === undefined) return;
    this.#freeBytes = await freeBytesOf(this.#folder).catch(() => undefined);
    this.#disk = this.#freeBytes === undefined ? [] : judgeDisk(this.#folder, this.#freeBytes);
  }

  /** By what the servers said at a look that was timed. */
  judge(servers: readonly Pick<ServerState, "memory" | "slowSync">[]): void {
    this.#judgeMemory(servers);
    for (const { slowSync } of servers) {
      if (slowSync !== undefined && slowSync.tookMs >= SLOW_MS) {
        this.#syncs.set(slowSync.at, { tookMs: slowSync.tookMs, seenAtLook: this.#looks });
      }
    }
    for (const [at, { seenAtLook }] of this.#syncs) {
      if (seenAtLook <= this.#looks - LOOKS_KEPT) this.#syncs.delete(at);
    }
    this.#slow = this.#judgePace();
  }

  #judgeMemory(servers: readonly Pick<ServerState, "memory">[]): void {
    const limited = servers.flatMap(({ memory }) => (memory === undefined ? [] : [memory]));
    const [fullest] = limited.toSorted((one, other) => shareOf(other) - shareOf(one));
    this.#share = fullest && shareOf(fullest);
    this.#memory = fullest && this.#memoryFinding(fullest, servers.length > 1);
  }

  #memoryFinding(memory: Memory, isOneOfMany: boolean): Finding | undefined {
    const share = shareOf(memory);
    const stood = LEVELS.findIndex(({ kind }) => kind === this.#memory?.kind);
    const level = LEVELS.find(
      ({ from }, at) => share >= from - (stood !== -1 && at >= stood ? SLACK_SHARE : 0),
    );
    if (level === undefined) return undefined;
    const who = isOneOfMany ? "A server of Redis" : "Redis";
    const most = `${Math.round(memory.maxBytes / 1024 / 1024)} MB`;
    const text = `${who} uses ${Math.floor(share * 100)} % of its maxmemory of ${most}: ${level.follows}`;
    return { kind: level.kind, text };
  }

  /** Waits for what is asked of Redis, and notes how long it took. */
  async time<Value>(asked: Promise<Value>): Promise<Value> {
    let ticks = 0;
    // A blocked process counts as one tick: timers run before what lies in the sockets is read.
    const timer = setInterval(() => setImmediate(() => (ticks += 1)), TICK_MS);
    try {
      return await asked;
    } finally {
      clearInterval(timer);
      this.#looks += 1;
      this.#paces = [...this.#paces, ticks * TICK_MS].slice(-LOOKS_KEPT);
      this.#slow = this.#judgePace();
    }
  }

  #judgePace(): Finding | undefined {
    const slowLooks = this.#paces.filter((ms) => ms >= SLOW_MS);
    if (this.#syncs.size >= SLOW_LOOKS) {
      const text = `Redis is slow: its disk takes ${this.#slowestSyncMs} ms to sync a write. ${SLOW_FOLLOWS} Find out what else writes to that disk, or give Redis a faster one`;
      return { kind: "slow", text };
    }
    if (slowLooks.length < SLOW_LOOKS) return undefined;
    const text = `Redis is slow: it takes up to ${this.slowestMs} ms to answer. ${SLOW_FOLLOWS} Look at its disk, its processor and the network to it`;
    return { kind: "slow", text };
  }
}

const SLOW_FOLLOWS = "A call that takes longer than 1 s is refused.";

type Memory = NonNullable<ServerState["memory"]>;

const shareOf = ({ usedBytes, maxBytes }: Memory): number => usedBytes / maxBytes;

const MAKE_ROOM =
  "raise maxmemory, or lower RECORD_RETENTION_DAYS and ALERT_RETENTION_DAYS, which make room as records grow old";

/** The worst first. */
const LEVELS = [
  {
    kind: "memoryFull",
    from: FULL_SHARE,
    follows: `it is full. Entries are refused; exits, cancels and kill switches pass beyond it. Now ${MAKE_ROOM}`,
  },
  {
    kind: "memoryTight",
    from: TIGHT_SHARE,
    follows: `entries are refused, and exits, cancels and kill switches pass. Now ${MAKE_ROOM}`,
  },
  {
    kind: "memoryLow",
    from: LOW_SHARE,
    follows: `from ${TIGHT_SHARE * 100} % on entries are refused. In time ${MAKE_ROOM}`,
  },
] as const;
