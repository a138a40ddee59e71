/** One request, answer or frame as it was on the wire. Numbers count from 1 without a gap. */
export interface WireEntry {
  readonly seq: number;
  readonly at: number;
  readonly via: "rest" | "socket";
  /** Of the WebSocket. */
  readonly socket?: number;
  readonly dir: "in" | "out";
  readonly user?: string | undefined;
  readonly status?: number;
  /** What was asked of, as the simulator names it. */
  readonly path?: string;
  readonly text: string;
}

/** More than any test looks back; a long run does not fill the memory with it. */
const KEPT = 100_000;
const SECRETS = /"(password|sec|accessToken|mdAccessToken|apiKey|token|newToken)"\s*:\s*"[^"]*"/g;

/** What came in and what was sent, passwords, keys and tokens left out. */
export class WireLog {
  readonly #now: () => number;
  #entries: WireEntry[] = [];
  #dropped = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(entry: Omit<WireEntry, "seq" | "at">): void {
    const text = entry.text.startsWith("authorize")
      ? entry.text.replace(/[^\n]+$/, "***")
      : entry.text.replaceAll(SECRETS, '"$1":"***"');
    const seq = this.#dropped + this.#entries.length + 1;
    this.#entries.push({ seq, at: this.#now(), ...entry, text });
    if (this.#entries.length < 2 * KEPT) return;
    this.#dropped += KEPT;
    this.#entries = this.#entries.slice(KEPT);
  }

  page(from: number, limit: number): readonly WireEntry[] {
    const start = Math.max(0, from - 1 - this.#dropped);
    return this.#entries.slice(start, start + limit);
  }
}
