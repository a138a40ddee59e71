import type { AdjustIntent } from "../../../../src/domain/adjust.ts";
import type { Aim } from "../../../../src/domain/alert.ts";
import type { IntentRecord } from "../../../../src/domain/intent.ts";
import { ES, type Lane, position } from "../lane-kit.ts";

/** An adjustment of ES at the market. */
export const adjustIntent = (aim: Aim, change: Partial<AdjustIntent> = {}): AdjustIntent => ({
  kind: "ADJUST",
  contract: ES,
  isFrontMonth: true,
  aim,
  terms: { ordType: "MARKET", timeInForce: "DAY" },
  ...change,
});

export const to = (netQty: number): Aim => ({ to: "position", netQty });

/** What the broker was asked for, in words. */
export const namesIn = ({ broker }: Lane): string[] =>
  broker.commands.map(([name, what]) => `${String(name)} ${String(what)}`);

/** The next order leaves the account with this position. */
export function nextFillsTo({ broker }: Lane, ...held: number[]): void {
  broker.next.submit.push(() => {
    broker.held = held.map((netQty) => position(netQty));
    return undefined;
  });
}

export function resultOf({ outcome }: IntentRecord) {
  if (outcome?.kind !== "done" || outcome.result.kind !== "ADJUST") throw new Error("not adjusted");
  return outcome.result;
}
