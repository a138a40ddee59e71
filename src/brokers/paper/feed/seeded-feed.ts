import type { Bar } from "../../../domain/strategies/bar.ts";
import {
  contractCode,
  type ContractCode,
  parseContractCode,
  rootOfCode,
} from "../../../domain/contracts/contract.ts";
import { parseDecimal, rescale } from "../../../domain/contracts/decimal.ts";
import { type Ticks, ticks, type TickSize } from "../../../domain/contracts/price.ts";
import type { Quote } from "../exchange/contract-book.ts";
import { marketOf } from "../../../domain/contracts/product.ts";
import { type PricedProduct, referenceTicks } from "../reference-prices.ts";
import { type BarSpan, createFinishedBars } from "./finished-bars.ts";
import type { PriceFeed } from "./price-feed.ts";
import { createTimedFeed } from "./timed-feed.ts";

export interface SeededFeedDeps {
  readonly seed: number;
  readonly now: () => number;
  readonly productOf: (root: string) => PricedProduct | undefined;
}

export const SEEDED_QUOTE_MS = 250;

/**
 * Contracts shown at each price, up to twice as many: more than a demo ever asks for. Who wants
 * partial fills sets the quotes by hand.
 */
const LEAST_SHOWN = 5_000;

/** Contracts traded by each sample of a bar, for each of its minutes, are fewer than this. */
const MOST_TRADED = 20;

/** Waves around the reference price: how far, as a share of it, and how long. */
const WAVES = [
  { share: 0.008, periodMs: 6.3 * 3_600_000 },
  { share: 0.003, periodMs: 37 * 60_000 },
  { share: 0.0008, periodMs: 4.1 * 60_000 },
  { share: 0.0002, periodMs: 41_000 },
];

/** A bar is made of the quotes at so many instants, evenly spaced, and the last one before its end. */
const SAMPLES_PER_BAR = 60;

/** What the prices of a contract are made of; worked out once. */
interface Street {
  /** In ticks of the contract whose price this is. */
  readonly centre: Ticks;
  /** The same price in ticks of the contract itself. */
  readonly toOwn: (bid: number) => Ticks;
  /** Where each wave begins, as a share of its length. */
  readonly phases: readonly number[];
  readonly diceOf: (number: number) => number;
}

/**
 * Prices made up from (seed, contract, time) alone, and those of a smaller contract from its larger one's:
 * the same for everyone who asks, and after a restart they go on as if nothing had happened. A model of
 * the street may use floating-point numbers; what leaves it are whole ticks.
 */
export function createSeededFeed({ seed, now, productOf }: SeededFeedDeps): PriceFeed {
  const streets = new Map<ContractCode, Street>();

  /** The contract whose price this one trades at, of the same month. */
  function leadOf(contract: ContractCode): ContractCode {
    const parsed = parseContractCode(contract);
    const product = productOf(parsed?.root ?? "");
    if (parsed === undefined || product === undefined) return contract;
    return contractCode({ ...parsed, root: marketOf(product) });
  }

  function streetOf(contract: ContractCode): Street {
    const known = streets.get(contract);
    if (known !== undefined) return known;
    const lead = leadOf(contract);
    const [own, leader] = [contract, lead].map((one) => productOf(rootOfCode(one)));
    const diceOf = createDice(`${seed}/${lead}`);
    const street = {
      centre: referenceTicks(leader),
      toOwn: betweenTicks(leader?.tickSize, own?.tickSize),
      phases: WAVES.map((_, wave) => diceOf(wave) / 2 ** 32),
      diceOf,
    };
    streets.set(contract, street);
    return street;
  }

  return {
    ...createTimedFeed({
      now,
      everyMs: SEEDED_QUOTE_MS,
      numberAt: quoteNumberAt,
      quoteOf: (contract, number) => seededQuote(streetOf(contract), number),
    }),
    bars: createFinishedBars((contract, span) => seededBar(streetOf(contract), span)),
  };
}

const quoteNumberAt = (at: number): number => Math.floor(at / SEEDED_QUOTE_MS);

function seededQuote(street: Street, number: number): Quote {
  const dice = street.diceOf(number);
  const bid = seededBid(street, number, dice);
  return {
    bid,
    ask: ticks(bid + 1),
    bidQty: LEAST_SHOWN + ((dice >>> 8) % LEAST_SHOWN),
    askQty: LEAST_SHOWN + ((dice >>> 16) % LEAST_SHOWN),
  };
}

function seededBid({ centre, phases, toOwn }: Street, number: number, dice: number): Ticks {
  const at = number * SEEDED_QUOTE_MS;
  const swing = WAVES.reduce((sum, { share, periodMs }, wave) => {
    return sum + share * Math.sin(2 * Math.PI * (at / periodMs + (phases[wave] ?? 0)));
  }, 0);
  return toOwn(Math.round(centre * (1 + swing)) + (dice % 3) - 1);
}

/**
 * Prices in ticks of one size as such of another, rounded down: so the bid and ask of what has the
 * larger ticks lie around those of the other.
 */
function betweenTicks(from: TickSize | undefined, to: TickSize | undefined) {
  const [one, other] = [from, to].map((size) =>
    size === undefined ? undefined : parseDecimal(size),
  );
  if (one === undefined || other === undefined) return ticks;
  const scale = Math.max(one.scale, other.scale);
  const [many, each] = [Number(rescale(one, scale)), Number(rescale(other, scale))];
  return (price: number): Ticks => ticks(Math.floor((price * many) / each));
}

function seededBar(street: Street, { startsAt, endsAt }: BarSpan): Bar {
  const lengthMs = endsAt - startsAt;
  const minutes = lengthMs / 60_000;
  let [open, high, low, close] = [ticks(0), ticks(-Infinity), ticks(Infinity), ticks(0)];
  let volume = 0;
  for (let sample = 0; sample <= SAMPLES_PER_BAR; sample += 1) {
    const at = Math.min(startsAt + (sample * lengthMs) / SAMPLES_PER_BAR, endsAt - 1);
    const number = quoteNumberAt(at);
    const dice = street.diceOf(number);
    close = seededBid(street, number, dice);
    if (sample === 0) open = close;
    high = ticks(Math.max(high, close));
    low = ticks(Math.min(low, close));
    volume += ((dice >>> 20) % MOST_TRADED) * minutes;
  }
  return { startsAt, open, high, low, close, volume };
}

/** FNV-1a over the name and a number, then mixed, so that neighbours have nothing in common. */
function createDice(name: string): (number: number) => number {
  const ofName = fnv(0x811c9dc5, `${name}/`);
  return (number) => {
    let value = fnv(ofName, String(number));
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return (value ^ (value >>> 16)) >>> 0;
  };
}

function fnv(from: number, text: string): number {
  let value = from;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
