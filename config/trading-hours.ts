import type { TradingHours } from "../src/domain/calendar/trading-hours.ts";

const chicago = (...parts: TradingHours["parts"]) => ({ timeZone: "America/Chicago", parts });
const newYork = (...parts: TradingHours["parts"]) => ({ timeZone: "America/New_York", parts });
const berlin = (...parts: TradingHours["parts"]) => ({ timeZone: "Europe/Berlin", parts });

/**
 * Regular weeks, which the rows of the contract table name. The paper broker uses them with
 * PAPER_SESSION_HOURS, and so do guards that want an account flat before a close. Holidays are in
 * `config/holidays.ts`, shortened days in `config/early-closes.ts`.
 */
export const tradingHours = {
  globex: chicago({ opens: "17:00", closes: "16:00" }),
  grains: chicago({ opens: "19:00", closes: "07:45" }, { opens: "08:30", closes: "13:20" }),
  livestock: chicago({ opens: "08:30", closes: "13:05" }),
  lumber: chicago({ opens: "09:00", closes: "15:05" }),
  eurex: berlin({ opens: "01:10", closes: "22:00" }),
  iceEnergy: newYork({ opens: "20:00", closes: "18:00" }),
  dollarIndex: newYork({ opens: "20:00", closes: "17:00" }),
  coffee: newYork({ opens: "04:15", closes: "13:30" }),
  sugar: newYork({ opens: "03:30", closes: "13:00" }),
  cocoa: newYork({ opens: "04:45", closes: "13:30" }),
  cotton: newYork({ opens: "21:00", closes: "14:20" }),
  orangeJuice: newYork({ opens: "08:00", closes: "14:00" }),
} satisfies Readonly<Record<string, TradingHours>>;
