/** Waves of several lengths in minutes, and how high they go in ticks. */
const WAVES = [
  { minutes: 7_200, ticks: 160 },
  { minutes: 1_440, ticks: 80 },
  { minutes: 120, ticks: 24 },
  { minutes: 15, ticks: 8 },
  { minutes: 2, ticks: 3 },
] as const;
/** Below this price the waves are lower in proportion, so that no price falls to zero. */
const FULL_SWING = 1_000;

/** The price of each minute of a contract, made of a seed: the same whenever it is asked for. */
export class SeededPrices {
  readonly #root: number;
  readonly #anchor: { readonly minute: number; readonly price: number };

  /** At the anchor's minute the price is the anchor's. */
  constructor(
    seed: number,
    name: string,
    anchor: { readonly minute: number; readonly price: number },
  ) {
    let root = seed | 0;
    for (const letter of name) root = mix(root, letter.charCodeAt(0));
    this.#root = root;
    this.#anchor = anchor;
  }

  priceAt(minute: number): number {
    const { price, minute: at } = this.#anchor;
    const scale = Math.min(1, price / FULL_SWING);
    return price + Math.round(scale * (this.#level(minute) - this.#level(at)));
  }

  /** A whole number from 0 to below `below`, of this minute. */
  draw(minute: number, what: number, below: number): number {
    return mix(mix(this.#root, what), minute) % below;
  }

  #level(minute: number): number {
    let level = 0;
    for (const [n, { minutes, ticks }] of WAVES.entries()) {
      const step = Math.floor(minute / minutes);
      const part = minute / minutes - step;
      const [from, to] = [this.#unit(n, step), this.#unit(n, step + 1)];
      level += ticks * (from + (to - from) * part * part * (3 - 2 * part));
    }
    return level;
  }

  /** From -1 to 1. */
  #unit(wave: number, step: number): number {
    return mix(mix(this.#root, wave + 1_000), step) / 0x8000_0000 - 1;
  }
}

/** 32 bits of two numbers, spread evenly. */
function mix(a: number, b: number): number {
  let h = Math.imul(a ^ b ^ 0x9e37_79b9, 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  h = Math.imul(h ^ (h >>> 16) ^ b, 0x27d4_eb2f);
  return (h ^ (h >>> 15)) >>> 0;
}
