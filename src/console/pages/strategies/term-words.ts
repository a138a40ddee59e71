import { countText } from "../../parts/figure-text.ts";
import type { Bracket, Leg, Schedule } from "./types.ts";

/** How long a bar is: "5 minutes", "1 hour". */
export function barWord(minutes: number): string {
  if (minutes === 1_440) return "1 day";
  return minutes % 60 === 0 ? countText(minutes / 60, "hour") : countText(minutes, "minute");
}

/** "0 9 * * MON-FRI, America/Chicago". */
export const scheduleInWords = (schedule: Schedule | null): string =>
  schedule === null ? "None: only on request" : `${schedule.cron}, ${schedule.timeZone}`;

/** "take profit 80 ticks, stop loss 10 in price". */
export function bracketInWords(bracket: Bracket | null): string {
  const legs = [
    ["take profit", bracket?.takeProfit],
    ["stop loss", bracket?.stopLoss],
  ] as const;
  const words = legs.flatMap(([name, leg]) =>
    leg === undefined ? [] : [`${name} ${legInWords(leg)}`],
  );
  return words.length === 0 ? "no stop-loss or take-profit" : words.join(", ");
}

function legInWords({ ticks, offset }: Leg): string {
  return ticks === undefined ? `${offset ?? ""} in price` : countText(ticks, "tick");
}

/** A price or an indicator's number, as short as it is told apart. */
export const numberText = (value: number): string => String(Number(value.toPrecision(7)));

/** The time zone of this browser. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
