/** One bar, its prices in ticks. It is named after its start. */
export interface Bar {
  readonly startsAt: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly upVolume: number;
  readonly downVolume: number;
  readonly upTicks: number;
  readonly downTicks: number;
}

export const MINUTE_MS = 60_000;

/** One bar of several that follow each other. */
export function joined(first: Bar, next: Bar): Bar {
  return {
    startsAt: first.startsAt,
    open: first.open,
    high: Math.max(first.high, next.high),
    low: Math.min(first.low, next.low),
    close: next.close,
    upVolume: first.upVolume + next.upVolume,
    downVolume: first.downVolume + next.downVolume,
    upTicks: first.upTicks + next.upTicks,
    downTicks: first.downTicks + next.downTicks,
  };
}

/** Bars in their order as larger ones; `startOf` says which one each of them belongs to. */
export function grouped(bars: Iterable<Bar>, startOf: (at: number) => number): Bar[] {
  const groups: Bar[] = [];
  for (const bar of bars) {
    const startsAt = startOf(bar.startsAt);
    const last = groups.at(-1);
    if (last?.startsAt === startsAt) groups[groups.length - 1] = joined(last, bar);
    else groups.push({ ...bar, startsAt });
  }
  return groups;
}

/** A single trade as a bar. */
export function traded(startsAt: number, price: number, qty: number, isUp: boolean): Bar {
  return {
    startsAt,
    open: price,
    high: price,
    low: price,
    close: price,
    upVolume: isUp ? qty : 0,
    downVolume: isUp ? 0 : qty,
    upTicks: isUp ? 1 : 0,
    downTicks: isUp ? 0 : 1,
  };
}
