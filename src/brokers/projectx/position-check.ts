import { sign } from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import { toNetQty, toSide } from "./parse.ts";
import type { ProjectXPosition, ProjectXTrade } from "./wire.ts";

/** Where something may be held: a contract on an account. */
interface Holding {
  readonly accountId: string;
  readonly contractId: string;
}

/**
 * Trades and positions are told apart, by the hub and by answers, and each may come late or be left out:
 * a position that has not moved with its trades must not be taken for what is held. Compares how far
 * both have moved since the snapshot.
 */
export class PositionCheck {
  readonly #store: EntityStore;
  readonly #elapsed: () => number;
  /** As the snapshot had it, with all that was traded since. */
  readonly #expected = new Map<string, number>();
  readonly #counted = new Set<string>();
  readonly #takenBack = new Set<string>();
  readonly #begun = new Set<string>();
  /** What the hub has told last of a position, which may be newer than an answer, or older. */
  readonly #told = new Map<string, ProjectXPosition>();
  /** Since when a position and its trades have not agreed. */
  readonly #apart = new Map<string, Holding & { readonly since: number }>();

  constructor(store: EntityStore, elapsed: () => number) {
    this.#store = store;
    this.#elapsed = elapsed;
  }

  /** What is in the store of an account now agrees: called with its snapshot; again it does nothing. */
  begin(account: string): void {
    if (this.#begun.has(account)) return;
    this.#begun.add(account);
    for (const { id } of this.#store.tradesIn(account)) this.#counted.add(id);
    for (const { accountId, contractId } of this.#store.positionsOf(account)) {
      if (contractId !== undefined) this.#adopt({ accountId, contractId });
    }
  }

  /** A trade that is no news: it was made before the snapshot. */
  passTrade({ id }: ProjectXTrade): void {
    this.#counted.add(id);
  }

  noteTrade(trade: ProjectXTrade): void {
    const { id, voided } = trade;
    if (voided && this.#counted.has(id)) return this.takeBack(trade);
    if (voided || this.#counted.has(id)) return;
    this.#counted.add(id);
    this.#move(trade, 1);
  }

  /** A trade that is in what is held was told to be none: it is out of that, or soon will be. */
  takeBack(trade: ProjectXTrade): void {
    if (this.#takenBack.has(trade.id)) return;
    this.#takenBack.add(trade.id);
    this.#counted.add(trade.id);
    this.#move(trade, -1);
  }

  /** A position has changed; `isTold` where it was the hub that said so. */
  notePosition(position: ProjectXPosition, isTold: boolean): void {
    const { accountId, contractId } = position;
    if (contractId === undefined) return;
    const holding = { accountId, contractId };
    if (isTold) this.#told.set(keyOf(holding), position);
    this.#compare(holding);
  }

  /** Of all that is held on the account, or of one contract alone. */
  agrees(account: string, contract?: string): boolean {
    return ![...this.#apart.values()].some(
      ({ accountId, contractId }) =>
        accountId === account && (contract === undefined || contractId === contract),
    );
  }

  /** Accounts on which a position and its trades have not agreed for so long. */
  late(patienceMs: number): readonly string[] {
    const now = this.#elapsed();
    const late = [...this.#apart.values()].filter(({ since }) => now - since >= patienceMs);
    return [...new Set(late.map(({ accountId }) => accountId))];
  }

  /**
   * An answer may be behind: where the hub has told what the trades come to, that is what is held. It is
   * put back for as long as an answer may be late.
   */
  preferTold(account: string, lateMs: number): void {
    const now = this.#elapsed();
    for (const { accountId, contractId, since } of this.#apart.values()) {
      const holding = { accountId, contractId };
      const told = this.#told.get(keyOf(holding));
      if (accountId !== account || told === undefined || now - since > lateMs) continue;
      if (toNetQty(told) === this.#expectedOf(holding)) this.#store.apply("position", told);
    }
  }

  /** Positions move for other reasons than trades, which nobody tells: the broker's word counts. */
  believe(account: string): void {
    for (const holding of this.#apart.values()) {
      if (holding.accountId === account) this.#adopt(holding);
    }
  }

  #move({ accountId, contractId, side, size }: ProjectXTrade, times: 1 | -1): void {
    const holding = { accountId, contractId };
    const moved = times * sign(toSide(side)) * size;
    this.#expected.set(keyOf(holding), this.#expectedOf(holding) + moved);
    this.#compare(holding);
  }

  #adopt(holding: Holding): void {
    this.#expected.set(keyOf(holding), this.#held(holding) ?? 0);
    this.#apart.delete(keyOf(holding));
  }

  #compare(holding: Holding): void {
    if (!this.#begun.has(holding.accountId)) return;
    const key = keyOf(holding);
    const held = this.#held(holding);
    // One that cannot be read is told as such.
    if (held === undefined || held === this.#expectedOf(holding)) this.#apart.delete(key);
    else if (!this.#apart.has(key)) this.#apart.set(key, { ...holding, since: this.#elapsed() });
  }

  #expectedOf(holding: Holding): number {
    return this.#expected.get(keyOf(holding)) ?? 0;
  }

  #held({ accountId, contractId }: Holding): number | undefined {
    const row = this.#store.positionsOf(accountId).find((one) => one.contractId === contractId);
    return row === undefined ? 0 : toNetQty(row);
  }
}

const keyOf = ({ accountId, contractId }: Holding): string => `${accountId} ${contractId}`;
