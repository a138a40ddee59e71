import { referenceTicks } from "../../src/brokers/paper/reference-prices.ts";
import { type ContractCode, rootOfCode } from "../../src/domain/contracts/contract.ts";
import { tickSize, type Ticks, ticks } from "../../src/domain/contracts/price.ts";
import { type Quote, quoteHeardAt } from "../../src/domain/quote.ts";

const TOLD_EVERY_MS = 500;
/** Both index futures of these runs trade in quarters of a point. */
const TICK_SIZE = tickSize("0.25");
/** Every ten seconds the market is away from where orders fill, for two of them: down and up in turns. */
const TURN_MS = 10_000;
const AWAY_MS = 2_000;
const AWAY_TICKS = 8;

/** Tells a contract's made-up quotes until it is ended. */
export function watchMadeUp(
  contract: ContractCode,
  listener: (quote: Quote) => void,
  now: () => number,
): () => void {
  const timer = setInterval(() => listener(madeUpQuote(contract, now())), TOLD_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Around the price at which the brokers of these runs fill everything, which itself stands still: only
 * what is held is worth more or less.
 */
export function madeUpQuote(contract: ContractCode, at: number): Quote {
  const middle = referenceTicks({ root: rootOfCode(contract), tickSize: TICK_SIZE });
  const isAway = at % TURN_MS < AWAY_MS;
  const isDown = Math.floor(at / TURN_MS) % 2 === 0;
  const bid: Ticks = ticks(middle + (isAway ? AWAY_TICKS * (isDown ? -1 : 1) : 0));
  return quoteHeardAt(at, { bid, ask: ticks(bid + 1) });
}
