import type { CredentialId, UserId } from "../../domain/ids.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { isPerson, type People } from "../../trading/people/people.ts";
import { type EventStream, type StreamEnd, toEvent } from "./event-stream.ts";
import { HealthAudience, type Hearing } from "./health-audience.ts";
import type { Caller } from "../../trading/people/caller.ts";

/** What the streams tell about themselves. */
export interface StreamObserver {
  /** How many streams are open now. */
  readonly streamsOpen: (count: number) => void;
  /** One was given up because its client does not read. */
  readonly streamDropped: (who: Pick<Caller, "userId" | "credentialId" | "requestId">) => void;
}

export interface StreamSettings {
  /**
   * The longest time between two heartbeats. The specification says 15 s, and a timer may be late;
   * tests are less patient.
   */
  readonly heartbeatMs: number;
  /** Of one API key, or of one session. */
  readonly mostPerKey: number;
  readonly mostInAll: number;
}

export interface HealthHubDeps {
  readonly gateway: Pick<Gateway, "watchConnections" | "watchChanges" | "findRevokedKeys">;
  readonly people: Pick<People, "findEndedSessions">;
  readonly observer: StreamObserver;
  readonly streams?: Partial<StreamSettings>;
  /** The wall clock, for what is told. */
  readonly now?: () => number;
  /** A clock in ms that is never set, for what is due. */
  readonly elapsed?: () => number;
}

const SETTINGS: StreamSettings = { heartbeatMs: 14_000, mostPerKey: 20, mostInAll: 2_000 };

/**
 * How often heartbeats are looked after, and revoked keys and ended sessions: these two end their
 * streams within 1 s.
 */
const LOOK_MS = 500;

/** One user's audience, with what feeds it. It ends with its last place. */
interface Feed {
  readonly audience: HealthAudience;
  readonly watch: Promise<() => void>;
  /** Begun with the first stream that hears more than how connections stand. */
  changes?: Promise<() => void>;
  places: number;
}

interface Member {
  readonly caller: Caller;
  readonly stream: EventStream;
  readonly hearing: Hearing;
  readonly feed: Feed;
  /** When its next heartbeat is due, by `elapsed`. Each has its own time: two thousand at once would be felt. */
  heartbeatAt: number;
}

/** All streams of this process, on one timer. */
export class HealthHub {
  readonly #deps: HealthHubDeps;
  readonly #settings: StreamSettings;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #feeds = new Map<UserId, Feed>();
  /** Streams by key, those that are about to begin included. */
  readonly #places = new Map<CredentialId, number>();
  readonly #members = new Set<Member>();
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(deps: HealthHubDeps) {
    this.#deps = deps;
    this.#settings = { ...SETTINGS, ...deps.streams };
    this.#now = deps.now ?? Date.now;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  /**
   * Takes a place for the caller; the answer begins the stream, and must be called. Throws when the
   * key or this process has too many, or when the connections cannot be told.
   */
  async open(caller: Caller, hearing: Hearing = "health"): Promise<(stream: EventStream) => void> {
    this.#takePlace(caller.credentialId);
    const feed = this.#feedOf(caller);
    try {
      await Promise.all([feed.watch, hearing === "everything" && this.#watchChanges(caller, feed)]);
    } catch (error) {
      this.#leave(caller, feed);
      throw error;
    }
    return (stream) => this.#join({ caller, stream, hearing, feed });
  }

  /** Ends every stream, and from now on each new one right after its snapshots. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#members) stream.end();
  }

  #takePlace(key: CredentialId): void {
    const { mostPerKey, mostInAll } = this.#settings;
    const ofKey = this.#places.get(key) ?? 0;
    if (ofKey >= mostPerKey) throw tooMany(`The API key has ${ofKey} streams open`);
    if (this.#taken >= mostInAll) throw tooMany(`The gateway has ${this.#taken} streams open`);
    this.#places.set(key, ofKey + 1);
    this.#taken += 1;
  }

  #feedOf(caller: Caller): Feed {
    let feed = this.#feeds.get(caller.userId);
    if (feed === undefined) {
      const audience = new HealthAudience(this.#now);
      const watch = this.#deps.gateway.watchConnections(caller, audience.hear);
      feed = { audience, watch, places: 0 };
      this.#feeds.set(caller.userId, feed);
    }
    feed.places += 1;
    return feed;
  }

  async #watchChanges(caller: Caller, feed: Feed): Promise<void> {
    feed.changes ??= this.#deps.gateway.watchChanges(caller, feed.audience.hearChange);
    try {
      await feed.changes;
    } catch (error) {
      // The next one tries again.
      delete feed.changes;
      throw error;
    }
  }

  #join(joining: Omit<Member, "heartbeatAt">): void {
    const { stream, hearing, feed } = joining;
    const heartbeatAt = this.#elapsed() + this.#settings.heartbeatMs;
    const member: Member = { ...joining, heartbeatAt };
    this.#members.add(member);
    this.#tellCount();
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs);
    feed.audience.add(stream, hearing);
    stream.onEnd((end) => this.#part(member, end));
    if (this.#isClosed) stream.end();
  }

  #part(member: Member, end: StreamEnd): void {
    const { caller, stream, feed } = member;
    this.#members.delete(member);
    feed.audience.remove(stream);
    this.#tellCount();
    if (end === "slow") this.#deps.observer.streamDropped(caller);
    if (this.#members.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#leave(caller, feed);
  }

  #leave({ credentialId: key, userId }: Caller, feed: Feed): void {
    this.#taken -= 1;
    const left = (this.#places.get(key) ?? 1) - 1;
    if (left > 0) this.#places.set(key, left);
    else this.#places.delete(key);

    feed.places -= 1;
    if (feed.places > 0) return;
    this.#feeds.delete(userId);
    for (const watch of [feed.watch, feed.changes]) {
      watch?.then(
        (stop) => stop(),
        () => undefined, // It never began, and who asked for it was told.
      );
    }
  }

  #tellCount(): void {
    this.#deps.observer.streamsOpen(this.#members.size);
  }

  get #lookMs(): number {
    return Math.min(LOOK_MS, this.#settings.heartbeatMs / 2);
  }

  #look(): void {
    this.#beat();
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#endUnproven()
      // The store is away: streams go on, and the next look that gets through tells.
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }

  /** One that would be late at the next look is sent now. */
  #beat(): void {
    const now = this.#elapsed();
    const heartbeat = Buffer.from(toEvent({ type: "heartbeat", ts: this.#now() }));
    for (const member of this.#members) {
      if (member.heartbeatAt > now + this.#lookMs) continue;
      member.heartbeatAt = now + this.#settings.heartbeatMs;
      member.stream.send(heartbeat);
    }
  }

  async #endUnproven(): Promise<void> {
    const callers = new Map([...this.#members].map(({ caller }) => [caller.credentialId, caller]));
    const sessions = [...callers.values()].filter(isPerson).map(({ session }) => session);
    const keys = [...callers].flatMap(([id, caller]) => (isPerson(caller) ? [] : [id]));
    const { gateway, people } = this.#deps;
    const ended = await Promise.all([
      gateway.findRevokedKeys(keys),
      people.findEndedSessions(sessions),
    ]);
    const unproven = new Set(ended.flat());
    if (unproven.size === 0) return;
    for (const { caller, stream } of this.#members) {
      if (unproven.has(caller.credentialId)) stream.end();
    }
  }
}

function tooMany(what: string): GatewayError {
  return new GatewayError("TOO_MANY_STREAMS", `${what}, which is all it may; close one first`);
}
