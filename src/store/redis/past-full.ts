import { Command, type Redis } from "ioredis";
import { isOfFullMemory } from "../store-error.ts";
import { noteWhole, PAST_LIMIT, passingScript } from "./script.ts";

/** So many values fit on the stack of Lua at once. */
const MOST_ARGUMENTS = 4_000;

const PLAIN = `${PAST_LIMIT}
return redis.call(unpack(ARGV))`;

/**
 * Sends what Redis refuses because its memory is full once more, past its limit. Exits, cancels and
 * switches are written with many commands, and each of them must pass. Entries are refused before that,
 * by the scripts that accept them.
 *
 * A script may write past `maxmemory` once its first write is one that takes no memory; so it is in every
 * version of Redis that is used, while a flag for it is known to newer ones only. A refused command
 * has written nothing. A part of a transaction is not sent again by itself: the whole of it was refused.
 */
export function passFull(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  const seen = new WeakSet<Command>();
  const anew = new WeakSet<Command>();
  redis.sendCommand = (command, stream) => {
    if (anew.has(command)) return send(command, stream);
    if (!seen.has(command)) watch(command);
    const sent = send(command, stream);
    // The library of queues decides as it writes whether a script goes whole.
    if (command.name === "eval") noteWhole(String(command.args[0]));
    return sent;
  };

  function watch(command: Command): void {
    seen.add(command);
    const reject = command.reject.bind(command);
    command.reject = (error) => {
      const again = isOfFullMemory(error) ? pastFull(command) : undefined;
      if (again === undefined || command.isSettled) return reject(error);
      anew.add(again);
      Promise.resolve(redis.sendCommand(again)).then(
        (value) => command.resolve(value as never),
        (failed: Error) => reject(failed),
      );
    };
  }
}

/** Answers undefined where it is not to pass, or cannot. */
function pastFull(command: Command): Command | undefined {
  const { replyEncoding, inTransaction } = command as unknown as Hidden;
  if (inTransaction) return undefined;
  const parts = partsPast(command);
  return parts && new Command("eval", parts, { replyEncoding });
}

function partsPast(command: Command): Arguments | undefined {
  const [script, ...rest] = command.args;
  switch (command.name) {
    case "evalsha":
      return scriptPast(String(script), rest);
    case "eval":
      return scriptPast(noteWhole(String(script)), rest);
    default:
      return plainPast(command);
  }
}

type Arguments = Command["args"];

function scriptPast(sha1: string, rest: Arguments): Arguments | undefined {
  const lua = passingScript(sha1);
  return lua === undefined ? undefined : [`${PAST_LIMIT}\n${lua}`, ...rest];
}

function plainPast(command: Command): Arguments | undefined {
  const [key] = command.getKeys();
  if (key === undefined || command.args.length > MOST_ARGUMENTS) return undefined;
  return [PLAIN, 1, String(key), command.name, ...command.args];
}

/** Private in the library's types. */
interface Hidden {
  readonly replyEncoding: BufferEncoding | null;
  readonly inTransaction: boolean;
}
