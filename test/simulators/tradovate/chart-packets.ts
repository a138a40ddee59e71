import { type Ticks, type TickSize } from "../../../src/domain/contracts/price.ts";
import type { Bar } from "../bars/bars.ts";
import { toPrice } from "./contract-directory.ts";
import type { Tick } from "../bars/contract-bars.ts";
import type { Settings } from "./settings.ts";
import { dateNumber, tradeDayAt } from "../bars/trade-days.ts";

/** What one entry of `charts` has besides its number. */
export type Packet = object;

export function barPacket(bars: readonly Bar[], size: TickSize): Packet {
  const last = bars.at(-1)?.startsAt ?? 0;
  return { td: tradeDateOf(last), bars: bars.map((bar) => wireBar(bar, size)) };
}

/** Prices and times of ticks are told as distances from the packet's own. */
export function tickPacket(ticks: readonly Tick[], size: TickSize, source?: string): Packet {
  const [first] = ticks;
  const [bp, bt] = [first?.price ?? 0, first?.at ?? 0];
  return {
    ...(source !== undefined && { s: source }),
    td: tradeDateOf(bt),
    bp,
    bt,
    ts: Number(size),
    tks: ticks.map(({ id, at, price, size: s }) => ({
      t: at - bt,
      p: price - bp,
      s,
      b: price - bp,
      a: price - bp + 1,
      bs: 1,
      as: 1,
      id,
    })),
  };
}

/** In packets of one trade date each, whose order is the settings'. Within one all are in order. */
export function inPackets<T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  { chartPacketSize, chartPackets }: Settings,
): readonly (readonly T[])[] {
  const packets: T[][] = [];
  let date: number | undefined;
  for (const item of items) {
    const own = tradeDateOf(timeOf(item));
    const last = packets.at(-1);
    if (last === undefined || own !== date || last.length >= chartPacketSize) packets.push([item]);
    else last.push(item);
    date = own;
  }
  switch (chartPackets) {
    case "inOrder":
      return packets;
    case "newestFirst":
      return packets.reverse();
    case "mixed":
      // First those with an odd place, backwards, then the others.
      return [
        ...packets.filter((_, n) => n % 2 === 1).reverse(),
        ...packets.filter((_, n) => n % 2 === 0),
      ];
  }
}

function tradeDateOf(at: number): number {
  return dateNumber(tradeDayAt(at).date);
}

function wireBar({ startsAt, open, high, low, close, ...volumes }: Bar, size: TickSize): object {
  const price = (value: number) => toPrice(value as Ticks, size);
  return {
    timestamp: new Date(startsAt).toISOString(),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    ...volumes,
    bidVolume: volumes.downVolume,
    offerVolume: volumes.upVolume,
  };
}
