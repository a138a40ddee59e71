import { hash, randomUUID } from "node:crypto";
import { intentId, type IntentId, type StrategyId, strategyId } from "../domain/ids.ts";

export function newStrategyId(): StrategyId {
  return strategyId(`st_${randomUUID().replaceAll("-", "").slice(0, 12)}`);
}

/** Of the form of every intent's id; the same in every process. */
export function slotIdOf(strategy: StrategyId, slotAt: number): IntentId {
  return intentId(`i${hash("sha256", `${strategy} ${slotAt}`, "hex").slice(0, 28)}`);
}
