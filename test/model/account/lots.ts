import type { ExecId, IntentId } from "../../../src/domain/ids.ts";
import type { Side } from "../../../src/domain/order.ts";

/** The opener of a contract: a request, a person at the platform, or an exit that closed too much. */
export type Owner = IntentId | "byHand" | "byExit";

/** One open contract. */
interface Unit {
  readonly owner: Owner;
  readonly side: Side;
}

/** A fill, with the purpose of its order. */
export interface Move {
  readonly execId: ExecId;
  readonly by: Owner;
  readonly side: Side;
  readonly qty: number;
  /** Closes the contracts of these owners first; without any, the oldest first. */
  readonly closes: readonly Owner[];
}

/** The result of a fill: the owner of each contract it closed, and how many it opened. */
export interface Effect {
  readonly closed: readonly Owner[];
  readonly opened: number;
}

/**
 * The owners of an account's open contracts: single contracts in a row, moved one by one. It uses no sums and
 * nothing of the gateway, and replays everything when a fill is taken back.
 */
export class Lots {
  #moves: Move[] = [];
  #units: Unit[] = [];

  get net(): number {
    return this.#units.reduce((net, { side }) => (side === "BUY" ? net + 1 : net - 1), 0);
  }

  left(owner: Owner): number {
    return this.#units.filter((unit) => unit.owner === owner).length;
  }

  /** The owner of each open contract, the oldest first. */
  get owners(): readonly Owner[] {
    return this.#units.map(({ owner }) => owner);
  }

  take(move: Move): Effect {
    this.#moves.push(move);
    return this.#play(move);
  }

  /** The fill never happened. */
  takeBack(execId: ExecId): void {
    this.#moves = this.#moves.filter((move) => move.execId !== execId);
    this.#units = [];
    for (const move of this.#moves) this.#play(move);
  }

  #play({ by, side, qty, closes }: Move): Effect {
    const closed: Owner[] = [];
    let opened = 0;
    for (let nth = 0; nth < qty; nth += 1) {
      const against = this.#units.filter((unit) => unit.side !== side);
      const unit = against.find(({ owner }) => closes.includes(owner)) ?? against[0];
      if (unit === undefined) {
        this.#units.push({ owner: by, side });
        opened += 1;
      } else {
        this.#units.splice(this.#units.indexOf(unit), 1);
        closed.push(unit.owner);
      }
    }
    return { closed, opened };
  }
}
