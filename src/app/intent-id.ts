import { randomUUID } from "node:crypto";
import { intentId, type IntentId } from "../domain/ids.ts";

/** 106 random bits: short enough for every broker's client identifier, with its suffixes. */
export function newIntentId(): IntentId {
  // Node keeps UUIDs in store, and asks the system for random bytes only now and then.
  return intentId(`i${randomUUID().replaceAll("-", "").slice(0, 28)}`);
}
