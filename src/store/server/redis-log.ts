import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

// `12345:M 21 Nov 2026 12:00:00.000 # text`: process and role, time, urgency, text.
const LINE = /^\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ ([.\-*#]) (.*)$/;

// Redis greets and parts at its highest level.
const CHATTER =
  /^(oO0|\w+ version=|Configuration loaded|Server initialized|Received SIG|User requested shutdown|\w+ is now ready to exit|Diskless rdb transfer|Connection with replica .*<unknown-replica-port>)/;

const KEPT_LINES = 20;

/** Reads what a Redis server prints: passes its warnings on, and keeps the last lines. */
export class RedisLog {
  readonly #warn: (line: string) => void;
  readonly #last: string[] = [];

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  /** The last lines without their heads, oldest first. */
  get last(): readonly string[] {
    return this.#last;
  }

  read(stream: Readable): void {
    createInterface({ input: stream }).on("line", (line) => this.#take(line));
  }

  #take(line: string): void {
    const [, level, text = line] = LINE.exec(line) ?? [];
    if (text.trim() === "") return;
    this.#last.push(text);
    if (this.#last.length > KEPT_LINES) this.#last.shift();
    if (level === "#" && !CHATTER.test(text)) this.#warn(text);
  }
}
