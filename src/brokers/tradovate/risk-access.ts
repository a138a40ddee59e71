import type { TradovateEntityType } from "./wire.ts";

/** What a login needs a permission of its own for: "Account Risk Settings" in its OAuth words. */
export const RISK_TYPES = [
  "userAccountAutoLiq",
  "accountRiskStatus",
] as const satisfies readonly TradovateEntityType[];

export type RiskType = (typeof RISK_TYPES)[number];

/** A login that may not read them is not allowed to a moment later. */
const REFUSED_AGAIN_MS = 30 * 60_000;

/**
 * Whether the login may read what its accounts are held to. It is kept over sessions: that it may not
 * says nothing of the connection, which goes on.
 */
export class RiskAccess {
  /** Whether the session that stands began with them, so that their changes are told as well. */
  isTold = false;

  readonly #elapsed: () => number;
  readonly #onRefused: (error: Error) => void;
  readonly #refusedAt = new Map<string, number>();
  #isSaid = false;

  /** `onRefused` hears once why they are not told. */
  constructor(elapsed: () => number, onRefused: (error: Error) => void) {
    this.#elapsed = elapsed;
    this.#onRefused = onRefused;
  }

  /** Whether a list of them, or a sync that names them, may be asked for now. */
  mayAsk(what: string): boolean {
    const at = this.#refusedAt.get(what);
    return at === undefined || this.#elapsed() - at >= REFUSED_AGAIN_MS;
  }

  allowed(what: string): void {
    this.#refusedAt.delete(what);
  }

  /** In the broker's words, where it is certain that it lies in the permission. */
  refused(what: string, words?: string): void {
    this.#refusedAt.set(what, this.#elapsed());
    if (words === undefined || this.#isSaid) return;
    this.#isSaid = true;
    this.#onRefused(
      new Error(
        `Tradovate does not let this login read the accounts' risk settings: its key needs the permission "Account Risk Settings" (${words})`,
      ),
    );
  }
}
