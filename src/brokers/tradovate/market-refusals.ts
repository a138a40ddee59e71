import { MarketDataRefusedError } from "./market-requests.ts";

/** A subscription begins when somebody pays for it: no sooner is what was refused asked for again. */
const REFUSED_FOR_MS = 30 * 60_000;
/** What failed for another reason may work soon. */
const FAILED_FOR_MS = 5_000;
const MOST_KEPT = 1_000;
const MOST_NAMED = 3;

interface Refusal {
  readonly reason: string;
  readonly isFinal: boolean;
  readonly until: number;
}

/** What was asked for in vain, and until when it is not asked for again. */
export class MarketRefusals {
  readonly #kept = new Map<string, Refusal>();
  readonly #elapsed: () => number;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  note(what: string, error: unknown): void {
    const isFinal = error instanceof MarketDataRefusedError;
    const reason = error instanceof Error ? error.message : String(error);
    const until = this.#elapsed() + (isFinal ? REFUSED_FOR_MS : FAILED_FOR_MS);
    this.#kept.delete(what);
    this.#kept.set(what, { reason, isFinal, until });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  forget(what: string): void {
    this.#kept.delete(what);
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Why something is not to be asked for now. */
  standing(what: string): string | undefined {
    const refusal = this.#kept.get(what);
    return refusal !== undefined && this.#elapsed() < refusal.until ? refusal.reason : undefined;
  }

  /** What the broker refuses, and why, in words; undefined where it refuses nothing. */
  words(): string | undefined {
    const now = this.#elapsed();
    const standing = [...this.#kept].filter(([, { isFinal, until }]) => isFinal && now < until);
    const [first] = standing;
    if (first === undefined) return undefined;
    const [, { reason }] = first;
    const alike = standing.filter(([, one]) => one.reason === reason).map(([what]) => what);
    const named = alike.slice(0, MOST_NAMED).join(", ");
    const others = standing.length - Math.min(alike.length, MOST_NAMED);
    return `No ${named}${others > 0 ? ` and ${others} more` : ""}: ${reason}`;
  }
}
