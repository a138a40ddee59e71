import { Command, type Redis } from "ioredis";
import { MARK_CHANNEL, markBeside } from "../keys.ts";
import { giveUp } from "./notice-silence.ts";

/** Below what a caller waits, with the tenth of a second that Redis may be late. */
const WAIT_MS = 800;

const AS_TEXT = { replyEncoding: "utf8" } as const;
const MARK_MS = 60_000;
/** Never the answer to WAIT itself: its words would be taken for those of the command. */
const NOT_KNOWN = "Whether replicas have it is not known";

/** Asked by the library and the watch themselves, and of no account. */
const UNHELD: ReadonlySet<string> = new Set(["wait", "ping", "info", "asking", "client", "script"]);

export interface Replication {
  /** How many replicas must have what is answered; 0 where there are none. */
  readonly needed: () => number;
  /**
   * What becomes of an answer that too few of them have. `fail`: its command fails, with an unknown
   * outcome. `wait`: it is waited for, and its command is sent again where the connection breaks.
   */
  readonly otherwise: "fail" | ((command: Command) => unknown);
  /**
   * Whether its WAIT counts only what the asking connection has written itself, as from Redis 7.2 on:
   * what was read, or written on another connection, is then covered by a write of ours behind it.
   */
  readonly countsOwnWrites: () => boolean;
  readonly isOfCluster: boolean;
}

interface Answer {
  readonly command: Command;
  readonly give: () => void;
}

/** Commands that were written together, and the answers that came for them so far. */
class Batch {
  readonly answers: Answer[] = [];
  /** Of one of them: the server has its slot. */
  key: string | undefined;
  isOver = false;
}

/**
 * Holds each answer of a server back until so many of its replicas have what it tells: with every turn's
 * commands it sends WAIT, which is answered once they have all that the server had written by then, by
 * whomever. So what is only read is held as well, and no answer outlives the server in nobody's memory.
 */
export function holdUntilReplicated(
  redis: Redis,
  { needed, otherwise, countsOwnWrites, isOfCluster }: Replication,
): void {
  const send = redis.sendCommand.bind(redis);
  /** In which batch a command is under way; it may be sent again in a later one. */
  const batches = new WeakMap<Command, Batch>();
  const open = new Set<Batch>();
  let batch: Batch | undefined;

  redis.sendCommand = (command, stream) => {
    if (redis.status !== "ready" || UNHELD.has(command.name) || needed() === 0) {
      return send(command, stream);
    }
    if (batch === undefined) {
      const begun = new Batch();
      batch = begun;
      open.add(begun);
      process.nextTick(() => {
        batch = undefined;
        ask(begun);
      });
    }
    if (!batches.has(command)) hold(command);
    batches.set(command, batch);
    batch.key ??= String(command.getKeys()[0] ?? "") || undefined;
    return send(command, stream);
  };

  function hold(command: Command): void {
    const resolve = command.resolve.bind(command);
    command.resolve = (value) => {
      const of = batches.get(command);
      if (of === undefined || of.isOver) resolve(value);
      else of.answers.push({ command, give: () => resolve(value) });
    };
  }

  function ask(one: Batch): void {
    if (one.isOver) return;
    const wanted = needed();
    const asked = [...markFor(one), new Command("wait", [wanted, WAIT_MS], AS_TEXT)];
    Promise.all(asked.map((command) => send(command))).then(
      (replies) => {
        if (one.isOver) return;
        const have = Number(replies.at(-1));
        if (have >= wanted) end(one, ({ give }) => give());
        else if (otherwise === "fail") fail(one, tooFew(have, wanted));
        else ask(one);
      },
      (cause: Error) => {
        // It refuses to say: one that is a replica by now, above all. On the next connection it is known.
        const hasMoved = /^(MOVED|ASK|TRYAGAIN)\b/.test(cause.message);
        if (otherwise !== "fail" && !hasMoved && !one.isOver) giveUp(redis.stream);
        else lose(one, new Error(NOT_KNOWN, { cause }));
      },
    );
  }

  /** A write that ends by itself; where there is no Cluster, one that no disk has to take. */
  function markFor({ key }: Batch): readonly Command[] {
    if (!countsOwnWrites()) return [];
    if (!isOfCluster) return [new Command("publish", [MARK_CHANNEL, ""], AS_TEXT)];
    if (key === undefined) return [];
    return [new Command("set", [markBeside(key), "1", "PX", MARK_MS], AS_TEXT)];
  }

  // On the next connection a WAIT says nothing of what was written on this one.
  redis.on("close", () => {
    for (const one of open) lose(one, new Error(NOT_KNOWN));
  });

  function lose(one: Batch, error: Error): void {
    if (otherwise === "fail") fail(one, error);
    else end(one, ({ command }) => again(command, otherwise));
  }

  function fail(one: Batch, error: Error): void {
    end(one, ({ command }) => command.reject(error));
  }

  function end(one: Batch, tell: (answer: Answer) => void): void {
    if (one.isOver) return;
    one.isOver = true;
    open.delete(one);
    for (const answer of one.answers) {
      if (!answer.command.isSettled) tell(answer);
    }
  }
}

/** As a new command: the library is done with the former one. */
function again(command: Command, resend: (command: Command) => unknown): void {
  const { name, args, replyEncoding } = command as Command & Encoded;
  const anew = new Command(name, args, { replyEncoding });
  Promise.resolve(resend(anew)).then(
    (value) => command.resolve(value as never),
    (error: Error) => command.reject(error),
  );
}

/** Private in the library's types. */
interface Encoded {
  readonly replyEncoding: BufferEncoding | null;
}

const tooFew = (have: unknown, wanted: number): Error =>
  new Error(`Only ${String(have)} of ${wanted} replicas have it in time`);
