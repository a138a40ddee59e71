import { countText } from "../../parts/figure-text.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** How long until then, in words: "3 hours 20 minutes", in two units at most, rounded up. */
export function spanText(ms: number): string {
  if (ms <= 0) return "now";
  if (ms <= MINUTE - 1_000) return countText(Math.ceil(ms / 1_000), "second");
  const whole = Math.ceil(ms / MINUTE) * MINUTE;
  const parts = [
    [Math.floor(whole / DAY), "day"],
    [Math.floor((whole % DAY) / HOUR), "hour"],
    [Math.floor((whole % HOUR) / MINUTE), "minute"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).slice(0, 2);
  return told.map(([count, unit]) => countText(count, unit)).join(" ");
}
