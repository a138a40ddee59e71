import { CONTROLS } from "../../alert-profile.ts";
import type { AlertFields } from "../../alert-fields.ts";

const NO_QUOTES = "needs a quote, and none is read here: leave it out";
const OPTIONS_ONLY = "is about options: only futures are traded here";
const WRITE = "is not read by this name: write";

/** What the service does with these and we do not, with what to do instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  delay:
    "is not done: an alert is carried out when it comes, and one that waited could be carried out after what was sent to undo it. Send it when it is to be done",
  marketPriceType: `${NO_QUOTES} and write limitPrice or stopPrice`,
  bidAskSpreadFilter: NO_QUOTES,
  cancelOrderType: "is not done: cancel takes back every resting entry and leaves exits",
  breakevenOffset:
    'is not done: the service does not say in which unit it counts. Leave it out, or send a native alert, "action": "protect" with stopLoss.price',
  trailPercent:
    "is not done of an order: brokers trail it by a distance, so write trailAmount. A stopLoss may trail by it",
  extendedHours: "is about stocks: leave it out",
  optionType: OPTIONS_ONLY,
  intrinsicValue: OPTIONS_ONLY,
  expiration: OPTIONS_ONLY,
  strike: OPTIONS_ONLY,
  strikePrice: OPTIONS_ONLY,
  strikeCount: OPTIONS_ONLY,
};

/**
 * Names that the service does not know: it passes them over, and enters without the stop, or with
 * another quantity, than the sender meant. Here they are refused.
 */
export const MISTAKEN: Readonly<Record<string, string>> = {
  sl: `${WRITE} stopLoss.stopPrice`,
  stop: `${WRITE} stopLoss.stopPrice`,
  stopLossPrice: `${WRITE} stopLoss.stopPrice`,
  stopLossAmount: `${WRITE} stopLoss.amount`,
  stopLossPercent: `${WRITE} stopLoss.percent`,
  tp: `${WRITE} takeProfit.limitPrice`,
  target: `${WRITE} takeProfit.limitPrice`,
  takeProfitPrice: `${WRITE} takeProfit.limitPrice`,
  takeProfitAmount: `${WRITE} takeProfit.amount`,
  takeProfitPercent: `${WRITE} takeProfit.percent`,
  bracket: `${WRITE} takeProfit and stopLoss`,
  trail: `${WRITE} trailAmount`,
  trailOffset: `${WRITE} trailAmount`,
  trailingStop: `${WRITE} trailAmount`,
  qty: `${WRITE} quantity`,
  size: `${WRITE} quantity`,
  contracts: `${WRITE} quantity`,
  type: `${WRITE} orderType`,
  tif: `${WRITE} timeInForce`,
  cancelFirst: `${WRITE} cancel`,
  market_position: `${WRITE} sentiment, or set the webhook's profile to position`,
  marketPosition: `${WRITE} sentiment, or set the webhook's profile to position`,
};

/**
 * They say nothing that we act on. There are no trading windows here that could be ignored; the
 * service's own Pine library sends `library`, and `instrument` stands beside the ticker in messages
 * for several services.
 */
export const IGNORED = words(`
  library instrument
  price signalPrice time interval extras message tags expiresAt ignoreTradingWindows
  key apiKey api_key token secret password passphrase license licence
`);

/** What the readers of each action ask for; some of it has no meaning for the other actions. */
const KNOWN = words(`
  ticker action sentiment quantity quantityType orderType limitPrice stopPrice trailAmount
  takeProfit stopLoss timeInForce cancel rejectAfter cancelAfter
`);

/** To be asked last, when each reader has asked for its fields. */
export function refuseUndone(fields: AlertFields): void {
  for (const [name, why] of Object.entries({ ...REFUSED, ...MISTAKEN })) fields.refuse(name, why);
  fields.passOver(...IGNORED);
  fields.ignore(...KNOWN, ...CONTROLS);
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
