import { ticks } from "../../domain/contracts/price.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Bracket, LegLevel } from "../../domain/order.ts";
import { differencesFrom, withDifferences } from "../differences.ts";

/** An order as most are: what is so is not stored. */
const USUAL = {
  kind: "PLACE",
  order: { orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
  isFrontMonth: true,
} as const;

/** An intent as it is stored. */
export type StoredIntent = Readonly<Record<string, unknown>>;

/** Of an order only what is not usual; of anything else all. */
export function storedIntent(intent: Intent): StoredIntent {
  if (intent.kind !== USUAL.kind) return { ...intent };
  const { order } = intent;
  const { bracket } = order;
  if (bracket === undefined) return differencesFrom(USUAL, intent);
  const legs = eachLeg(bracket, storedLeg);
  return differencesFrom(USUAL, { ...intent, order: { ...order, bracket: legs } });
}

/** What names its kind says everything: in records of before, every intent does. */
export function readIntent(stored: StoredIntent): Intent {
  if (stored["kind"] !== undefined) return stored as unknown as Intent;
  const intent = withDifferences(USUAL, stored) as unknown as Extract<Intent, { kind: "PLACE" }>;
  const { order } = intent;
  const { bracket } = order;
  if (bracket === undefined) return intent;
  return { ...intent, order: { ...order, bracket: eachLeg(bracket, readLeg) } };
}

/** A number is a distance. */
type StoredLeg = LegLevel | number;

const storedLeg = (leg: LegLevel): StoredLeg => (leg.by === "distance" ? leg.distance : leg);

const readLeg = (leg: StoredLeg): LegLevel =>
  typeof leg === "number" ? { by: "distance", distance: ticks(leg) } : leg;

function eachLeg<To>(bracket: Bracket, change: (leg: LegLevel) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(bracket).map(([name, leg]) => [name, change(leg)]));
}
