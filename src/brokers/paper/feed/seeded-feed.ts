import { type ContractCode, parseContractCode } from "../../../domain/contract.ts";
import { type Ticks, ticks, type TickSize } from "../../../domain/price.ts";
import type { Quote } from "../exchange/quote.ts";
import { referenceTicks } from "../reference-prices.ts";
import type { PriceFeed } from "./price-feed.ts";
import { createTimedFeed } from "./timed-feed.ts";

export interface SeededFeedDeps {
  readonly seed: number;
  readonly now: () => number;
  readonly tickSize: (contract: ContractCode) => TickSize | undefined;
}

export const SEEDED_QUOTE_MS = 250;

/**
 * Contracts shown at each price, up to twice as many: more than a demo ever asks for. Who wants
 * partial fills sets the quotes by hand.
 */
const LEAST_SHOWN = 5_000;

/** Waves around the reference price: how far, as a share of it, and how long. */
const WAVES = [
  { share: 0.008, periodMs: 6.3 * 3_600_000 },
  { share: 0.003, periodMs: 37 * 60_000 },
  { share: 0.0008, periodMs: 4.1 * 60_000 },
  { share: 0.0002, periodMs: 41_000 },
];

/**
 * Prices made up from (seed, contract, time) alone: the same for everyone who asks, and after a
 * restart they go on as if nothing had happened. A model of the street may use floating-point
 * numbers; what leaves it are whole ticks.
 */
export function createSeededFeed({ seed, now, tickSize }: SeededFeedDeps): PriceFeed {
  const centres = new Map<ContractCode, Ticks>();

  function centreOf(contract: ContractCode): Ticks {
    const known = centres.get(contract);
    if (known !== undefined) return known;
    const centre = referenceTicks(parseContractCode(contract)?.root ?? "", tickSize(contract));
    centres.set(contract, centre);
    return centre;
  }

  return createTimedFeed({
    now,
    everyMs: SEEDED_QUOTE_MS,
    numberAt: (at) => Math.floor(at / SEEDED_QUOTE_MS),
    quoteOf: (contract, number) => seededQuote(`${seed}/${contract}`, number, centreOf(contract)),
  });
}

function seededQuote(name: string, number: number, centre: Ticks): Quote {
  const at = number * SEEDED_QUOTE_MS;
  const swing = WAVES.reduce((sum, { share, periodMs }, wave) => {
    const phase = hash(name, wave) / 2 ** 32;
    return sum + share * Math.sin(2 * Math.PI * (at / periodMs + phase));
  }, 0);
  const dice = hash(name, number);
  const bid = Math.round(centre * (1 + swing)) + (dice % 3) - 1;
  return {
    bid: ticks(bid),
    ask: ticks(bid + 1),
    bidQty: LEAST_SHOWN + ((dice >>> 8) % LEAST_SHOWN),
    askQty: LEAST_SHOWN + ((dice >>> 16) % LEAST_SHOWN),
  };
}

/** FNV-1a over the name and the number, then mixed, so that neighbours have nothing in common. */
function hash(name: string, number: number): number {
  let value = 0x811c9dc5;
  for (const char of `${name}/${number}`) {
    value = Math.imul(value ^ char.charCodeAt(0), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
