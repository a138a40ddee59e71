import type { Redis } from "ioredis";

/** What a process sends to Redis in the tests that end one between two of its commands. */
const COMMANDS = new Set([
  "evalsha",
  "eval",
  "get",
  "set",
  "del",
  "hset",
  "hget",
  "hgetall",
  "sadd",
]);

/** The same Redis for a process that dies after so many commands: nothing it sends then arrives. */
export function dyingAfter(redis: Redis, commands: number): { redis: Redis; sent: () => number } {
  let sent = 0;
  const dying = withCommands(redis, async (send) => {
    if (sent >= commands) throw new Error("the process has died");
    sent += 1;
    return await send();
  });
  return { redis: dying, sent: () => sent };
}

/**
 * Does the work again and again, each time in a process that dies one command later, until one comes
 * through; looks at what each has left, and at what it failed with. Answers how many commands it takes.
 */
export async function atEachCommand(
  redis: Redis,
  work: (dying: Redis) => Promise<unknown>,
  look: (error: unknown) => Promise<void>,
): Promise<number> {
  for (let commands = 0; ; commands += 1) {
    const dying = dyingAfter(redis, commands);
    const error = await work(dying.redis).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await look(error);
    // Work may end well although its process died at the last command.
    if (error === undefined && dying.sent() < commands) return commands;
  }
}

/** The same Redis for a process that stands still before a command for which `isAt` says so. */
export function pausedBefore(
  redis: Redis,
  isAt: (command: string, args: readonly unknown[]) => boolean,
) {
  let goOn: () => void = () => undefined;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const paused = withCommands(redis, async (send, command, args) => {
    if (isAt(command, args)) {
      reach();
      await gate;
    }
    return await send();
  });
  return { redis: paused, reached, goOn };
}

function withCommands(
  redis: Redis,
  around: (
    send: () => Promise<unknown>,
    command: string,
    args: readonly unknown[],
  ) => Promise<unknown>,
): Redis {
  const wrapped = Object.create(redis) as Redis;
  wrapped.sendCommand = (command, stream) => {
    const send = async () => await redis.sendCommand(command, stream);
    if (!COMMANDS.has(command.name)) return send();
    return around(send, command.name, command.args);
  };
  return wrapped;
}
