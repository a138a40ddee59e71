import { Command, type Redis } from "ioredis";
import { limitCommand } from "./limit-waiting.ts";
import { translateStoreErrors } from "../store-error.ts";

const LONGEST_MS = 20_000;

/**
 * A whole hash of thousands of entries, read behind everything that was sent on the connection before
 * it. How long a caller waits for one small answer says nothing of such a one: a process that starts
 * has much in hand, and what came in time would be thrown away, and be asked for again. A Redis from
 * which nothing comes is given up long before, with its connection.
 */
export async function readLongHash(
  redis: Redis,
  key: string,
): Promise<Readonly<Record<string, string>>> {
  const command = new Command("hgetall", [key], { replyEncoding: "utf8" });
  limitCommand(command, LONGEST_MS);
  const reply = await translateStoreErrors(Promise.resolve(redis.sendCommand(command)));
  return reply as Readonly<Record<string, string>>;
}
