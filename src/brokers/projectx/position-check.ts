import { sign } from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import { toNetQty, toSide } from "./parse.ts";
import { ANSWERS_LATE_MS } from "./snapshot.ts";
import type { ProjectXPosition, ProjectXTrade } from "./wire.ts";

/** Where something may be held: a contract on an account. */
interface Holding {
  readonly accountId: string;
  readonly contractId: string;
}

/** A position and its trades may come so long one after the other. */
const APART_FOR_MS = 5_000;

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
  /** Signed quantity that each trade has moved: it may be taken back, or corrected. */
  readonly #counted = new Map<string, number>();
  readonly #begun = new Set<string>();
  /** The hub's last word on each position, and when it came. */
  readonly #said = new Map<string, { readonly position: ProjectXPosition; readonly at: number }>();
  /** When the hub last spoke of a position or of a trade in it. */
  readonly #spokeAt = new Map<string, number>();
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
    for (const trade of this.#store.tradesIn(account)) this.passTrade(trade);
    for (const { accountId, contractId } of this.#store.positionsOf(account)) {
      if (contractId !== undefined) this.#adopt({ accountId, contractId });
    }
  }

  /** A trade that is no news: it was made before the snapshot. */
  passTrade(trade: ProjectXTrade): void {
    if (this.#counted.has(trade.id)) this.noteTrade(trade, false);
    else this.#counted.set(trade.id, signedQty(trade));
  }

  /**
   * A trade is new, or is not what it was: what is held has moved with it, or soon will. `isTold` marks a word
   * of the hub.
   */
  noteTrade(trade: ProjectXTrade, isTold: boolean): void {
    if (isTold) this.#spokeAt.set(keyOf(trade), this.#elapsed());
    const moved = signedQty(trade) - (this.#counted.get(trade.id) ?? 0);
    this.#counted.set(trade.id, signedQty(trade));
    if (moved !== 0) this.#move(trade, moved);
  }

  /** A trade that is in what is held was told to be none: it is out of that, or soon will be. */
  takeBack(trade: ProjectXTrade): void {
    if (!this.#counted.has(trade.id)) this.passTrade({ ...trade, voided: false });
    this.noteTrade(trade, false);
  }

  /** The hub says a position, which may be as it was. */
  noteWord(position: ProjectXPosition): void {
    const { accountId, contractId } = position;
    if (contractId === undefined) return;
    const [key, at] = [keyOf({ accountId, contractId }), this.#elapsed()];
    this.#said.set(key, { position, at });
    this.#spokeAt.set(key, at);
  }

  /** A position has changed, by whatever word. */
  notePosition({ accountId, contractId }: ProjectXPosition): void {
    if (contractId !== undefined) this.#compare({ accountId, contractId });
  }

  /** Of all that is held on the account, or of one contract alone. */
  agrees(account: string, contract?: string): boolean {
    return ![...this.#apart.values()].some(
      ({ accountId, contractId }) =>
        accountId === account && (contract === undefined || contractId === contract),
    );
  }

  /** Accounts on which a position and its trades have not agreed for so long. */
  late(patienceMs = APART_FOR_MS): readonly string[] {
    const now = this.#elapsed();
    const late = [...this.#apart.values()].filter(({ since }) => now - since >= patienceMs);
    return [...new Set(late.map(({ accountId }) => accountId))];
  }

  /** Whether an answer differs from the hub's latest words on positions and trades alike. */
  isBehind(account: string): boolean {
    return this.#saidApart(account).length > 0;
  }

  /**
   * An answer may be behind. The hub's latest word is put back where a list of trades that was asked for
   * after it shows that nothing has happened since.
   */
  preferTold(account: string, tradesAskedAt = Number.NEGATIVE_INFINITY): void {
    for (const { key, position } of this.#saidApart(account)) {
      if (tradesAskedAt >= this.#lastSpokeAt(key)) this.#store.apply("position", position);
    }
  }

  /**
   * An answer wins once it was asked for so long after the hub's last word that it cannot be behind it, or
   * where it repeats that word. The hub may have fallen silent, and positions move for other reasons than
   * trades, too.
   */
  believe(account: string, askedAt: number): void {
    for (const [key, holding] of this.#apart) {
      if (holding.accountId !== account) continue;
      const isNewer = askedAt - this.#lastSpokeAt(key) > ANSWERS_LATE_MS;
      if (isNewer || this.#repeats(key, holding, askedAt)) this.#adopt(holding);
    }
  }

  /** Whether an answer of that moment confirms the hub's last word, which was on the position itself. */
  #repeats(key: string, holding: Holding, askedAt: number): boolean {
    const said = this.#said.get(key);
    if (said === undefined || said.at < this.#lastSpokeAt(key) || askedAt < said.at) return false;
    return toNetQty(said.position) === this.#held(holding);
  }

  /** The hub's latest words that the trades confirm, where the store has something else. */
  #saidApart(account: string) {
    const since = this.#elapsed() - ANSWERS_LATE_MS;
    return [...this.#apart].flatMap(([key, holding]) => {
      const said = this.#said.get(key);
      if (holding.accountId !== account || said === undefined || said.at < since) return [];
      const isExpected = toNetQty(said.position) === this.#expectedOf(holding);
      return isExpected ? [{ key, position: said.position }] : [];
    });
  }

  #lastSpokeAt(key: string): number {
    return this.#spokeAt.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  #move({ accountId, contractId }: ProjectXTrade, moved: number): void {
    const holding = { accountId, contractId };
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

const signedQty = ({ side, size, voided }: ProjectXTrade): number =>
  voided ? 0 : sign(toSide(side)) * size;

const keyOf = ({ accountId, contractId }: Holding): string => `${accountId} ${contractId}`;
