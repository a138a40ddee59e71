import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Duplex } from "node:stream";
import { Redis } from "ioredis";
import { untilRedisReady } from "../redis/connect.ts";
import type { RedisTarget } from "../redis/redis-target.ts";
import { giveUp } from "../redis/notice-silence.ts";

const READY_WITHIN_MS = 10_000;
/** A server that is asked for a copy says something at least every 10 s. */
const SILENCE_MS = 60_000;
const MARK_BYTES = 40;
const MAGIC = "REDIS";

/**
 * Writes everything that the server holds at one moment to a file, as Redis' own snapshot (RDB),
 * while it goes on serving: by the words in which a replica asks for its first copy. Answers its
 * length.
 */
export async function copyStore(target: RedisTarget, file: string): Promise<number> {
  const options = { protocol: 2 as const, retryStrategy: () => null, autoResubscribe: false };
  const redis =
    "path" in target
      ? new Redis({ ...options, path: target.path })
      : new Redis(target.url, options);
  redis.on("error", () => undefined);
  try {
    await untilRedisReady(redis, READY_WITHIN_MS);
    // It may send the copy as it makes it, without a file of its own.
    await redis.call("REPLCONF", "capa", "eof");
    return await receive(redis.stream as Duplex & typeof redis.stream, file);
  } finally {
    giveUp(redis.stream);
    redis.disconnect();
  }
}

async function receive(stream: Redis["stream"], file: string): Promise<number> {
  // From here on the client library is out of it: what comes is no answer to a command.
  stream.removeAllListeners("data");
  stream.setTimeout(SILENCE_MS, () => stream.destroy(new Error("Redis sent nothing for too long")));
  stream.write("SYNC\r\n");
  const out = createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
    const length = await new CopyReader(stream, out).finish();
    out.end();
    await once(out, "finish");
    return length;
  } catch (error) {
    out.destroy();
    throw error;
  }
}

/**
 * Empty lines while the server prepares, then `$<length>` and so many bytes, or `$EOF:<mark>` and
 * bytes until that mark comes again.
 */
class CopyReader {
  readonly #chunks: AsyncIterable<Buffer>;
  readonly #out: NodeJS.WritableStream;
  #length = 0;
  #head = "";

  constructor(chunks: AsyncIterable<Buffer>, out: NodeJS.WritableStream) {
    this.#chunks = chunks;
    this.#out = out;
  }

  async finish(): Promise<number> {
    let left: number | undefined;
    let mark: Buffer | undefined;
    let tail = Buffer.alloc(0);
    for await (const chunk of this.#chunks) {
      let bytes = chunk;
      if (left === undefined && mark === undefined) {
        const begun = this.#readHead(bytes);
        if (begun === undefined) continue;
        ({ left, mark, rest: bytes } = begun);
      }
      if (mark !== undefined) {
        const all = Buffer.concat([tail, bytes]);
        const isLast = all.subarray(-MARK_BYTES).equals(mark);
        tail = all.subarray(-MARK_BYTES);
        await this.#write(all.subarray(0, -MARK_BYTES));
        if (isLast) return this.#length;
      } else {
        const part = bytes.subarray(0, left);
        left = (left ?? 0) - part.length;
        await this.#write(part);
        if (left === 0) return this.#length;
      }
    }
    throw new Error("Redis ended the connection before the copy was whole");
  }

  #readHead(chunk: Buffer): { left?: number; mark?: Buffer; rest: Buffer } | undefined {
    const text = this.#head + chunk.toString("latin1");
    const lines = text.split("\r\n");
    for (const [index, raw] of lines.slice(0, -1).entries()) {
      const line = raw.replace(/^\n+/, "");
      if (line === "") continue;
      const rest = Buffer.from(lines.slice(index + 1).join("\r\n"), "latin1");
      const [, mark, length] = /^\$(?:EOF:(.{40})|(\d+))$/.exec(line) ?? [];
      if (mark !== undefined) return { mark: Buffer.from(mark, "latin1"), rest };
      if (length !== undefined) return { left: Number(length), rest };
      throw new Error(`Redis gives no copy of itself: ${line}`);
    }
    this.#head = text;
    return undefined;
  }

  async #write(bytes: Buffer): Promise<void> {
    if (
      this.#length === 0 &&
      bytes.length >= MAGIC.length &&
      !bytes.toString("latin1").startsWith(MAGIC)
    ) {
      throw new Error("What Redis sent is no snapshot");
    }
    this.#length += bytes.length;
    if (!this.#out.write(bytes)) await once(this.#out, "drain");
  }
}
