import { once } from "node:events";
import { connect } from "node:net";
import type { Redis } from "ioredis";
import { endWithTest } from "./side-by-side.ts";

/** A command as Redis says that it carried it out. */
export interface MonitoredCommand {
  readonly words: readonly string[];
  /** Called by a script. */
  readonly isOfScript: boolean;
}

/**
 * Reports what a Redis behind a socket file carries out, until the test ends or it is closed. ioredis'
 * own monitor fails where a command is reported together with the answer to MONITOR.
 */
export async function monitorRedis(
  { options }: Pick<Redis, "options">,
  onCommand: (command: MonitoredCommand) => void,
): Promise<() => void> {
  const socket = connect(options.path ?? "");
  socket.on("error", () => undefined);
  socket.setEncoding("latin1");
  const close = () => void socket.destroy();
  endWithTest(close);
  let rest = "";
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one !== "+OK")) onCommand(parse(line));
  });
  socket.write("MONITOR\r\n");
  await once(socket, "data");
  return close;
}

function parse(line: string): MonitoredCommand {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word);
  return { words, isOfScript: /^\+[\d.]+ \[\d+ lua\]/.test(line) };
}
