import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { IntentStore } from "./ports.ts";

/** A person ends an exit that goes on: nothing more of it is sent. Throws where there is none. */
export async function takeBackExit(
  intents: Pick<IntentStore, "find" | "stopGoingOn">,
  account: AccountId,
  id: IntentId,
): Promise<IntentRecord> {
  const isStopped = await intents.stopGoingOn(account, id);
  const record = await intents.find(account, id);
  if (record === undefined) throw errors.notFound("intent");
  if (!isStopped) {
    const reason = "It has ended, or is no exit that goes on: there is nothing to take back";
    throw new GatewayError("NOT_GOING_ON", reason, { facts: { intentId: id } });
  }
  return record;
}
