import { BrokerReadError } from "../../trading/ports.ts";
import { penaltyIn, wordsOf } from "./classify-error.ts";
import { isRecord } from "./frames.ts";
import type { RateBudget } from "./rate-budget.ts";
import type { SocketReply } from "./socket.ts";
import type { TradovatePenalty } from "./wire.ts";

/** The broker gives no such data to this login; that will be so when it is asked again. */
export class MarketDataRefusedError extends BrokerReadError {}

/** What has to be there before Tradovate tells prices to a program, for who reads why it does not. */
const HOW_TO_GET =
  'Prices by the API need the permission "Market Data: Read" of the API key, and a market data ' +
  "subscription for API use, for which CME wants a sub-vendor registration (Tradovate's support " +
  "says how). Orders go without";

/** What is to be waited for longer is refused until then, and no sooner asked for. */
const LONGEST_PENALTY_MS = 60_000;

type Data = Readonly<Record<string, unknown>>;

/**
 * What an answer about market data says. Throws `MarketDataRefusedError` where the broker refuses,
 * and `BrokerReadError` where it may be asked again. Neither says anything of the session for orders,
 * which another service carries.
 */
export function readMarketAnswer(reply: SocketReply, endpoint: string, budget: RateBudget): Data {
  if (reply.kind !== "answered") throw new BrokerReadError(`Market data: ${reply.reason}`);
  const { status, data } = reply.answer;
  const penalty = penaltyIn(reply.answer);
  if (penalty !== undefined) throw penaltyError(penalty);
  const words = wordsOf(data) ?? `Tradovate answered ${status}`;
  switch (status) {
    case 200:
      return readData(data, words);
    case 400:
    case 401:
    case 403:
    case 404:
      throw new MarketDataRefusedError(refusalWords(words));
  }
  budget.heed(endpoint, reply.answer);
  throw new BrokerReadError(`Market data: ${words}`);
}

function readData(data: unknown, words: string): Data {
  const answer = isRecord(data) ? data : {};
  const { errorText, mode } = answer;
  if (typeof errorText === "string" && errorText !== "") {
    throw new MarketDataRefusedError(refusalWords(words));
  }
  if (typeof mode === "string" && /delay/i.test(mode)) {
    throw new MarketDataRefusedError(`Tradovate tells delayed prices only. ${HOW_TO_GET}`);
  }
  return answer;
}

/** Who is to wait a little asks again soon; what no program can solve stands for long. */
export function penaltyError({ isCaptcha, waitMs }: TradovatePenalty): BrokerReadError {
  const pause = isCaptcha ? "a captcha" : `a pause of ${waitMs} ms`;
  const words = `Tradovate asks for ${pause} before it tells more prices`;
  const isLong = isCaptcha || waitMs > LONGEST_PENALTY_MS;
  return isLong ? new MarketDataRefusedError(words) : new BrokerReadError(words);
}

/** In words, with what to do about it where that is known. */
export const refusalWords = (words: string): string =>
  isEntitlement(words)
    ? `Tradovate tells this login no prices: ${words}. ${HOW_TO_GET}`
    : `Tradovate refuses market data: ${words}`;

/** Services of this kind use one answer for what does not exist and for what is not paid for. */
const isEntitlement = (words: string): boolean =>
  /inaccessible|denied|permission|entitle|subscri|not found|unauthori[sz]ed|answered 40[134]/i.test(
    words,
  );
