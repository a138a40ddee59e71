import type { IntentId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { isClosed, type OrderReport } from "../../../../src/domain/order.ts";
import { ACCOUNT, type Lane } from "../lane-kit.ts";

export const HOUR_MS = 3_600_000;
export const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: false };

/** The orders that the broker has not ended. */
export const workingIn = ({ broker }: Lane): OrderReport[] =>
  [...broker.orders.values()].filter(({ ordStatus }) => !isClosed(ordStatus));

/** The lane looks at what is pending, so many ms later. */
export async function settleIn(lane: Lane, inMs: number): Promise<boolean> {
  lane.intents.clock += inMs;
  return await lane.settlePending(ACCOUNT);
}

/** Accepts an intent and works it. */
export async function runIn(
  lane: Lane,
  intent: Intent,
  change: Parameters<Lane["accept"]>[1] = {},
): Promise<IntentId> {
  const accepted = await lane.accept(intent, change);
  const id = change.intentId ?? accepted;
  await lane.work(id);
  return id;
}
