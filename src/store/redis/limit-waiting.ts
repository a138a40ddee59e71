import type { Command, Redis } from "ioredis";

/** What single commands may take, where it is not what their connection gives to all. */
const limits = new WeakMap<Command, number>();

/** To be called before the command is sent. */
export function limitCommand(command: Command, ms: number): void {
  limits.set(command, ms);
}

/**
 * Gives a command up that is not answered in time: its caller waits. ioredis' own `commandTimeout` also
 * gives up what was answered long ago, where this process stood still: timers run before what lies in
 * the sockets is read. Here that is read first, after half of the time and at its end, so a process
 * that stood still takes no more than half of it away from Redis.
 */
export function limitWaiting(redis: Redis, usualMs: number): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const sent = send(command, stream);
    const halfMs = (limits.get(command) ?? usualMs) / 2;
    const giveUp = () => command.reject(new Error("Command timed out"));
    const waitOn = () => {
      if (!command.isSettled) timer = afterReading(halfMs, giveUp);
    };
    let timer = afterReading(halfMs, waitOn);
    const stop = () => clearTimeout(timer);
    command.promise.then(stop, stop);
    return sent;
  };
}

const afterReading = (ms: number, look: () => void) => setTimeout(() => setImmediate(look), ms);
