import type { ServerResponse } from "node:http";

/** Why a stream is over: its client or we closed it, or it was dropped because it is not read. */
export type StreamEnd = "closed" | "slow";

/** What may wait for one reader before it is given up. */
const MOST_UNSENT_BYTES = 64 * 1024;

export const EVENT_STREAM_TYPE = "text/event-stream; charset=utf-8";

/** The headers of every stream, for the client and for the proxies between. */
export const EVENT_STREAM_HEADERS = {
  "Content-Type": EVENT_STREAM_TYPE,
  "Cache-Control": "no-cache, no-transform",
  // Asks nginx and those who follow it to pass each item on at once.
  "X-Accel-Buffering": "no",
} as const;

/** One item as server-sent events have it: a `data:` line and an empty one. */
export function toEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** The open answer to one client. Nothing is thrown to whoever writes: a client may go at any time. */
export class EventStream {
  readonly #response: ServerResponse;
  #onEnd: ((end: StreamEnd) => void) | undefined;
  #end: StreamEnd = "closed";

  constructor(response: ServerResponse) {
    this.#response = response;
    // Without a listener a write to a client that has just gone would end the process.
    response.on("error", () => undefined);
    response.once("close", () => this.#tellEnd());
  }

  /** Called once, when the stream is over; at once if it is over already. */
  onEnd(listener: (end: StreamEnd) => void): void {
    this.#onEnd = listener;
    if (this.#response.closed || this.#response.destroyed) this.#tellEnd();
  }

  /**
   * Writes whole items. A reader that has left more than 64 KiB of earlier ones waiting is dropped
   * instead. What is written in one turn of the event loop belongs in one call: it leaves after it.
   */
  send(items: Buffer): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > MOST_UNSENT_BYTES) {
      this.#end = "slow";
      response.destroy();
      return;
    }
    response.write(items);
  }

  /** Ends it in order. Who does not read what is left does not keep us. */
  end(): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    response.end();
    setImmediate(() => {
      if (!response.writableFinished) response.destroy();
    });
  }

  #tellEnd(): void {
    this.#onEnd?.(this.#end);
    this.#onEnd = undefined;
  }
}
