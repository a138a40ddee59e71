import type { TradingHours } from "../src/domain/calendar/trading-hours.ts";
import type { Product } from "../src/domain/contracts/product.ts";

const chicago = (...parts: TradingHours["parts"]) => ({ timeZone: "America/Chicago", parts });
const newYork = (...parts: TradingHours["parts"]) => ({ timeZone: "America/New_York", parts });
const berlin = (...parts: TradingHours["parts"]) => ({ timeZone: "Europe/Berlin", parts });

const globex = chicago({ opens: "17:00", closes: "16:00" });
const grains = chicago({ opens: "19:00", closes: "07:45" }, { opens: "08:30", closes: "13:20" });
const livestock = chicago({ opens: "08:30", closes: "13:05" });
const eurex = berlin({ opens: "01:10", closes: "22:00" });
const iceEnergy = newYork({ opens: "20:00", closes: "18:00" });

/**
 * The regular week of each exchange; below, that of products with hours of their own. The paper
 * broker uses it with PAPER_SESSION_HOURS, and so do guards that want an account flat before a close.
 * Holidays are in `config/holidays.ts`, shortened days in `config/early-closes.ts`.
 */
const BY_EXCHANGE: Readonly<Record<string, TradingHours>> = {
  CME: globex,
  CBOT: globex,
  NYMEX: globex,
  COMEX: globex,
  CFE: globex,
  EUREX: eurex,
  "ICE EU": iceEnergy,
};

const BY_ROOT: Readonly<Record<string, TradingHours>> = {
  ...Object.fromEntries(["ZC", "ZW", "KE", "ZO", "ZS", "ZM", "ZL"].map((root) => [root, grains])),
  ...Object.fromEntries(["LE", "HE", "GF"].map((root) => [root, livestock])),
  DX: newYork({ opens: "20:00", closes: "17:00" }),
  KC: newYork({ opens: "04:15", closes: "13:30" }),
  SB: newYork({ opens: "03:30", closes: "13:00" }),
  CC: newYork({ opens: "04:45", closes: "13:30" }),
  CT: newYork({ opens: "21:00", closes: "14:20" }),
  OJ: newYork({ opens: "08:00", closes: "14:00" }),
};

/** Undefined if they are not known: no order is refused because of guessed hours. */
export function tradingHours({
  root,
  exchange,
}: Pick<Product, "root" | "exchange">): TradingHours | undefined {
  return BY_ROOT[root] ?? BY_EXCHANGE[exchange];
}
