import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Redis } from "ioredis";
import { CommandReader, ReplyReader, type SentCommand } from "./redis-wire.ts";
import { restingTimers } from "./resting-timers.ts";

/** What one connection sent at once. */
export interface Sent {
  /** Its commands; a script by its name. */
  readonly names: readonly string[];
  /** By how much the append-only file grew; where it did, Redis synced it once before it answered. */
  readonly aofBytes: number;
}

/** Everything that was sent before any of it was answered. */
export type RoundTrip = readonly Sent[];

export interface Exchange {
  readonly beforeAnswer: readonly RoundTrip[];
  /** What the answer did not wait for. */
  readonly afterAnswer: readonly RoundTrip[];
}

export interface RedisInTurnsOptions {
  /** The socket of the Redis itself. */
  readonly target: string;
  /** The socket to listen on. */
  readonly path: string;
  readonly nameOf: (words: readonly string[]) => string;
}

/** What is requested, and how its answer is told from others. */
export interface Asked {
  /** Where; what is left of other gateways in this process answers elsewhere. */
  readonly url: string;
  readonly request: () => Promise<unknown>;
  /**
   * Asks something that is answered first, and waits until it has come as far as it can: it answers
   * with the rest of the way.
   */
  readonly ahead?: () => Promise<{ readonly answered: Promise<unknown> }>;
  /** Called when everybody waits, and not for Redis; and at the end. */
  readonly whenAllWait?: () => void;
}

interface Watched {
  readonly isAnswered: () => boolean;
  readonly whenAllWait: (() => void) | undefined;
  /** By `performance.now()`. */
  readonly deadline: number;
}

/** Whatever goes through this process comes out again within a few turns of its event loop. */
const CALM_TURNS = 50;
const CALM_WITHIN_MS = 10_000;
/** Leases go by clocks, which do not rest: what is watched for longer loses its connection. */
const WATCHED_WITHIN_MS = 1_000;

/** The machine was too slow for what was watched, or it was not answered. */
export class OutOfTimeError extends Error {}

/** Answers each key that would have expired, and in how many ms. */
const PERSIST_ALL = `
local were = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local ttl = redis.call('PTTL', key)
  if ttl > 0 then
    redis.call('PERSIST', key)
    table.insert(were, key)
    table.insert(were, ttl)
  end
end
return were`;
/** Takes what `PERSIST_ALL` answered. What was written meanwhile has its own time. */
const EXPIRE_AGAIN = `
for at = 1, #ARGV, 2 do
  if redis.call('PTTL', ARGV[at]) == -1 then redis.call('PEXPIRE', ARGV[at], ARGV[at + 1]) end
end`;

/**
 * Stands between gateways of this process and their Redis, and passes everything on. While it
 * watches, it does so in turns: it collects what they send until they can do nothing more without an
 * answer, has Redis carry that out, one connection after another, and then hands all answers back.
 * Meanwhile the clock moves nothing: timers rest, what is blocked in Redis stays so, and no key
 * expires. So it sees the same on any machine, however busy.
 */
export class RedisInTurns {
  readonly #options: RedisInTurnsOptions;
  readonly #server = createServer((client) => this.#accept(client));
  readonly #control: Redis;
  readonly #timers = restingTimers();
  readonly #links = new Set<Link>();
  /** In the order in which they were sent, while it watches. */
  readonly #waiting = new Map<Link, SentCommand[]>();
  #isWatching = false;
  /** Grows with everything that comes in, from either side. */
  #events = 0;

  private constructor(options: RedisInTurnsOptions) {
    this.#options = options;
    this.#control = new Redis({ path: options.target });
  }

  /** Before the gateways are started: only timers that are set later can rest. */
  static async start(options: RedisInTurnsOptions): Promise<RedisInTurns> {
    const inTurns = new RedisInTurns(options);
    inTurns.#server.listen(options.path);
    await once(inTurns.#server, "listening");
    return inTurns;
  }

  get url(): string {
    return `unix:${this.#options.path}`;
  }

  /**
   * Everything that is sent from the request on, until nobody has anything more to send. Throws
   * `OutOfTimeError` where that took too long; it can be watched again when all is as it was.
   */
  async watch({ url, request, ahead, whenAllWait }: Asked): Promise<Exchange> {
    const deadline = performance.now() + WATCHED_WITHIN_MS;
    const answered: Promise<unknown>[] = [];
    const expected = (answer: Promise<unknown>) => {
      answer.catch(() => undefined);
      answered.push(answer);
    };
    this.#timers.rest();
    const answers = countAnswers(url);
    let persisted: readonly (string | number)[] = [];
    try {
      if (ahead !== undefined) expected((await ahead()).answered);
      await this.#untilCalm();
      // In the very turn in which it is calm: what a blocked command is answered later is not of this.
      this.#isWatching = true;
      persisted = (await this.#control.eval(PERSIST_ALL, 0)) as typeof persisted;
      expected(request());
      const isAnswered = () => answers.count >= answered.length;
      const seen = await this.#exchange({ isAnswered, whenAllWait, deadline });
      await Promise.all(answered);
      return seen;
    } finally {
      answers.stop();
      whenAllWait?.();
      await this.#takeTurn().finally(() => this.#goOn());
      await this.#control.eval(EXPIRE_AGAIN, 0, ...persisted);
      await Promise.allSettled(answered);
    }
  }

  #goOn(): void {
    this.#isWatching = false;
    // What came since the last turn, before anything that comes from now on.
    for (const [link, commands] of this.#waiting) link.send(commands);
    this.#waiting.clear();
    for (const link of this.#links) link.handBack();
    this.#timers.wake();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const link of this.#links) link.end();
    this.#control.disconnect();
    this.#timers.restore();
    await closed;
  }

  async #exchange({ isAnswered, whenAllWait, deadline }: Watched): Promise<Exchange> {
    const seen = { beforeAnswer: [] as RoundTrip[], afterAnswer: [] as RoundTrip[] };
    let onWait = whenAllWait;
    while (performance.now() < deadline) {
      await this.#untilCalm();
      if (this.#waiting.size > 0) {
        const trips = isAnswered() ? seen.afterAnswer : seen.beforeAnswer;
        trips.push(await this.#takeTurn());
      } else if (isAnswered()) {
        return seen;
      } else if (seen.beforeAnswer.length > 0) {
        onWait?.();
        onWait = undefined;
      }
    }
    throw new OutOfTimeError(`Not answered in time: ${JSON.stringify(seen)}`);
  }

  #accept(client: Socket): void {
    const link = new Link(client, this.#options.target, {
      onSent: (commands) => this.#take(link, commands),
      onHeard: () => void (this.#events += 1),
      onEnd: () => void this.#links.delete(link),
      isHolding: () => this.#isWatching,
    });
    this.#links.add(link);
  }

  #take(link: Link, commands: readonly SentCommand[]): void {
    this.#events += 1;
    if (!this.#isWatching) link.send(commands);
    else this.#waiting.set(link, [...(this.#waiting.get(link) ?? []), ...commands]);
  }

  /** Nobody has anything to do, except for what waits here. */
  async #untilCalm(): Promise<void> {
    const deadline = performance.now() + CALM_WITHIN_MS;
    let events = this.#events;
    for (let calm = 0; calm < CALM_TURNS; calm += 1) {
      await nextTurn();
      const isBusy = [...this.#links].some((link) => link.isOwed);
      if (events !== this.#events || isBusy) calm = 0;
      events = this.#events;
      if (performance.now() > deadline) throw new Error("There is no rest between two turns");
    }
  }

  async #takeTurn(): Promise<RoundTrip> {
    const trip: Sent[] = [];
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [link, commands] of waiting) {
      const before = await this.#aofSize();
      link.send(commands);
      await link.untilAnswered();
      const aofBytes = (await this.#aofSize()) - before;
      trip.push({ names: commands.map(({ words }) => this.#options.nameOf(words)), aofBytes });
    }
    // What Redis told subscribers it wrote before it answered: it is there, and only to be read.
    await this.#untilCalm();
    for (const link of this.#links) if (!link.isBlocked) link.handBack();
    return trip;
  }

  async #aofSize(): Promise<number> {
    const text = await this.#control.info("persistence");
    return Number(/^aof_current_size:(\d+)/m.exec(text)?.[1]);
  }
}

/** They wait inside Redis, until something is there or their time is over. */
const isBlocking = ([command = ""]: readonly string[]) => /^b(l|r|z)/i.test(command);
/** They are answered by messages. */
const isSubscribing = ([command = ""]: readonly string[]) => /subscribe$/i.test(command);

interface LinkOptions {
  readonly onSent: (commands: readonly SentCommand[]) => void;
  readonly onHeard: () => void;
  readonly onEnd: () => void;
  /** Whether answers are held until they are handed back. */
  readonly isHolding: () => boolean;
}

/** One connection of a gateway's, and the one to Redis behind it. */
class Link {
  readonly #client: Socket;
  readonly #redis: Socket;
  readonly #held: Buffer[] = [];
  #owed = 0;
  #isBlocked = false;
  #onAnswered: () => void = () => undefined;

  constructor(client: Socket, target: string, options: LinkOptions) {
    this.#client = client;
    this.#redis = connect(target);
    const commands = new CommandReader();
    const replies = new ReplyReader();
    client.on("data", (chunk) => options.onSent(commands.read(chunk)));
    this.#redis.on("data", (chunk) => {
      options.onHeard();
      if (options.isHolding()) this.#held.push(chunk);
      else client.write(chunk);
      this.#owed = Math.max(0, this.#owed - replies.count(chunk));
      if (!this.isOwed) this.#onAnswered();
    });
    for (const socket of [client, this.#redis]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.end();
        options.onEnd();
      });
    }
  }

  get isOwed(): boolean {
    return this.#owed > 0;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** In one write, so that Redis takes it in one turn, and syncs it once. */
  send(commands: readonly SentCommand[]): void {
    const answered = commands.filter(({ words }) => !isBlocking(words) && !isSubscribing(words));
    this.#owed += answered.length;
    this.#isBlocked = commands.some(({ words }) => isBlocking(words));
    this.#redis.write(Buffer.concat(commands.map(({ bytes }) => bytes)));
  }

  async untilAnswered(): Promise<void> {
    while (this.isOwed) await new Promise<void>((resolve) => (this.#onAnswered = resolve));
  }

  handBack(): void {
    for (const chunk of this.#held.splice(0)) this.#client.write(chunk);
  }

  end(): void {
    this.#client.destroy();
    this.#redis.destroy();
  }
}

/** HTTP requests that a gateway of this process has answered since. */
function countAnswers(url: string) {
  const port = Number(new URL(url).port);
  const finished = channel("http.server.response.finish");
  let count = 0;
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort === port) count += 1;
  };
  finished.subscribe(note);
  return {
    get count() {
      return count;
    },
    stop: () => {
      finished.unsubscribe(note);
    },
  };
}
