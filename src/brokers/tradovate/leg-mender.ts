import type { ClOrdId } from "../../domain/ids.ts";
import type { OrderChange } from "../../domain/order.ts";
import type { WatchedEntry } from "./bracket-legs.ts";
import { type BracketDeps, MendedBracket, type OnCommandEnd } from "./mended-bracket.ts";

const LOOK_EVERY_MS = 250;

/**
 * Sees to it that what an entry has filled is protected as it was asked for, where it is not said
 * what the broker does, or where it fails to: legs by distance of a market entry, legs that were
 * named and never came, sizes after part fills, and the other leg after one has filled. What a
 * command of ours did to a leg stands. It lives as long as its session; after that the gateway's own
 * look at what is held and worked takes over.
 */
export class LegMender {
  readonly #deps: BracketDeps;
  readonly #brackets = new Map<number, MendedBracket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: BracketDeps) {
    this.#deps = deps;
  }

  watch(entry: WatchedEntry): MendedBracket {
    const bracket = new MendedBracket(this.#deps, entry);
    this.#brackets.set(entry.entry, bracket);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    return bracket;
  }

  /** Whether exits of the order that are missing are about to be placed here. */
  tends(entry: ClOrdId): boolean {
    return [...this.#brackets.values()].some((bracket) => bracket.tends(entry));
  }

  /** A cancel of ours is on its way. Answers what is to be told of how it ended. */
  onCancel(order: number): OnCommandEnd {
    return this.#tellAll((bracket) => bracket.onCancel(order));
  }

  /** The same for a change. */
  onChange(order: number, change: OrderChange): OnCommandEnd {
    return this.#tellAll((bracket) => bracket.onChange(order, change));
  }

  #tellAll(tell: (bracket: MendedBracket) => OnCommandEnd): OnCommandEnd {
    const told = [...this.#brackets.values()].map(tell);
    return (isUndone) => told.forEach((onEnd) => onEnd(isUndone));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#brackets.clear();
  }

  #look(): void {
    for (const [id, bracket] of this.#brackets) {
      if (bracket.isOver()) this.#brackets.delete(id);
      else bracket.mend().catch(this.#deps.onError);
    }
    if (this.#brackets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
