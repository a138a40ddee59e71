import type { Change, EntityStore } from "./entity-store.ts";
import type { TradovateFill, TradovatePosition } from "./wire.ts";

/**
 * Fills and positions are told apart, and an event of either may be left out: a position that has
 * not moved with its fills must not be taken for what is held. Compares how far both have moved since
 * the snapshot. A position that moves for another reason ends one session; the next begins from it.
 */
export class PositionCheck {
  readonly #store: EntityStore;
  readonly #elapsed: () => number;
  /** By account and contract, as the snapshot had it, with all that has filled since. */
  readonly #expected = new Map<string, number>();
  /** Signed quantity that each fill has moved: it may be taken back, or corrected. */
  readonly #counted = new Map<number, number>();
  #early: readonly TradovateFill[] = [];
  /** Since when a position and its fills have not agreed. */
  readonly #apart = new Map<string, number>();

  constructor(store: EntityStore, elapsed: () => number) {
    this.#store = store;
    this.#elapsed = elapsed;
  }

  /** What is in the store now agrees: called once, with the snapshot. */
  begin(): void {
    for (const fill of this.#store.all("fill")) this.#counted.set(fill.id, signedQty(fill));
    for (const { accountId, contractId } of this.#store.all("position")) {
      const holding = { accountId, contractId };
      this.#expected.set(keyOf(holding), this.#held(holding));
    }
  }

  /** Takes note of what was told. */
  note({ type, entity }: Change): void {
    if (type === "fill") this.#early = [...this.#early, entity];
    if (type === "position") this.#compare(entity);
    // A fill says its order only, and may come before it.
    if (type === "fill" || type === "order") this.#countEarly();
  }

  agrees(account: number): boolean {
    return ![...this.#apart.keys()].some((key) => key.startsWith(`${account} `));
  }

  /** Whether a position and its fills have not agreed for so long. */
  isLate(patienceMs: number): boolean {
    const now = this.#elapsed();
    return [...this.#apart.values()].some((since) => now - since >= patienceMs);
  }

  #countEarly(): void {
    const early = this.#early;
    this.#early = early.filter(({ orderId }) => this.#store.get("order", orderId) === undefined);
    for (const fill of early) {
      const { id, orderId, contractId } = fill;
      const accountId = this.#store.get("order", orderId)?.accountId;
      const moved = signedQty(fill) - (this.#counted.get(id) ?? 0);
      if (accountId === undefined || moved === 0) continue;
      this.#counted.set(id, signedQty(fill));
      const holding = { accountId, contractId };
      const key = keyOf(holding);
      this.#expected.set(key, (this.#expected.get(key) ?? 0) + moved);
      this.#compare(holding);
    }
  }

  #compare(holding: Holding): void {
    const key = keyOf(holding);
    const isSame = this.#held(holding) === (this.#expected.get(key) ?? 0);
    if (isSame) this.#apart.delete(key);
    else if (!this.#apart.has(key)) this.#apart.set(key, this.#elapsed());
  }

  #held(holding: Holding): number {
    return netPosOf(this.#store.all("position"), holding);
  }
}

const signedQty = ({ action, qty, active }: TradovateFill): number => {
  if (active === false) return 0;
  return action === "Buy" ? qty : -qty;
};

const keyOf = ({ accountId, contractId }: Holding): string => `${accountId} ${contractId}`;

/** Where something may be held: a contract on an account. */
export type Holding = Pick<TradovatePosition, "accountId" | "contractId">;

/** How much is held there: above zero long, below zero short. */
export function netPosOf(
  positions: readonly TradovatePosition[],
  { accountId, contractId }: Holding,
): number {
  return positions
    .filter((one) => one.accountId === accountId && one.contractId === contractId)
    .reduce((sum, { netPos }) => sum + netPos, 0);
}
