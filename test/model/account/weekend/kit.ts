import { expect, onTestFinished } from "vitest";
import type { IntentRecord } from "../../../../src/domain/intent.ts";
import { BID, Desk, type DeskOptions } from "./desk.ts";
import { type Weekend, WEEKENDS } from "./hours.ts";
import { MINUTE_MS, SECOND_MS } from "./stories.ts";

/** The most usual of them. */
export const PLAIN = WEEKENDS[0] as Weekend;
export const ASK = BID + 1;
/** An auction that refuses everything for so long after the opening. */
export const AUCTION_MS = 5 * SECOND_MS;

export async function openDesk(options: DeskOptions = {}, weekend = PLAIN): Promise<Desk> {
  const desk = await Desk.open(weekend, options);
  onTestFinished(() => desk.close());
  return desk;
}

/** A minute after the close everything is certainly closed. */
export const untilClosed = async (desk: Desk) => await desk.until(desk.shut.closesAt + MINUTE_MS);
export const untilSaturday = async (desk: Desk) =>
  await desk.until((desk.shut.closesAt + desk.shut.opensAt) / 2);
export const untilOpen = async (desk: Desk, andMs = 0) =>
  await desk.until(desk.shut.opensAt + andMs);
export const untilFivePast = async (desk: Desk) => await untilOpen(desk, 5 * MINUTE_MS);

/** The gateway's commands of that time. */
export const sentBetween = ({ exchange }: Desk, from: number, until: number) =>
  exchange.arrived.filter(({ at }) => from <= at && at < until).map(({ kind }) => kind);
export const sentInTheWeekend = (desk: Desk) =>
  sentBetween(desk, desk.shut.closesAt + MINUTE_MS, desk.shut.opensAt);
export const sentSince = (desk: Desk) => sentBetween(desk, desk.shut.opensAt, Infinity);

/** It holds of every story: no name twice, no side turned around, and a stop for all that is held. */
export function expectSound(desk: Desk): void {
  const { exchange, seen, shut } = desk;
  const names = exchange.arrived.flatMap((one) => one.names);
  expect(new Set(names).size).toBe(names.length);
  for (const contract of [desk.index, desk.cattle]) {
    const sides = exchange.path(contract).map(Math.sign);
    expect(new Set(sides.filter((side) => side !== 0)).size).toBeLessThan(2);
  }
  const bare = seen.filter(({ at, net, stops }) => at > shut.closesAt && stops < Math.abs(net));
  expect(bare).toEqual([]);
  expect(desk.errors).toEqual([]);
}

export const stateOf = (desk: Desk, { intentId }: Pick<IntentRecord, "intentId">) =>
  desk.record(intentId).state;
