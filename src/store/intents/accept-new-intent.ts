import { toIntentId } from "./intent-record.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { findKeyedIntent } from "./find-keyed-intent.ts";
import { findSameAlert, ID_HASH_CHARS } from "./find-same-alert.ts";
import { ALERT_ID_COUNTS_MS } from "./accept-alert.ts";
import { type AcceptanceParts, createSendAcceptance } from "./send-acceptance.ts";
import type { Acceptance, EarlierIntent, IntentStore } from "../../trading/orders/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const findScripts = [findKeyedIntent, findSameAlert];

export function createAcceptNewIntent(parts: AcceptanceParts): IntentStore["accept"] {
  const { acceptAlert: ofAlert, acceptIntent: ofIntent } = parts.laneScripts;
  const sendAcceptance = createSendAcceptance(parts);

  return async function accept(intent, { rings = false } = {}) {
    const reply = await sendAcceptance(intent, { ofAlert, ofIntent, rings });
    return reply === undefined ? { kind: "accepted" } : toAcceptance(reply);
  };
}

/** Checked before connection and account: an earlier request's outcome stays the answer. */
export function createFindKeyedIntent({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): IntentStore["findKeyed"] {
  return async function findKeyed(account, { key, formerKey, fingerprint }) {
    const names = [key, formerKey].map((name) => keys.idempotency(account, name));
    const args = [fingerprint, keys.intent(account, toIntentId(""))];
    return toEarlier(await runScript(redis, findKeyedIntent, names, args));
  };
}

/** Checked only where an alert is refused, so that a first alert costs no round trip for it. */
export function createFindSameAlert({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): IntentStore["findSameAlert"] {
  return async function find(account, webhook, sameAs) {
    const { id, formerId, body, place, windowMs, until, replayOf } = sameAs;
    const keyOf = (hash: string) => keys.sameAlert(account, webhook, hash.slice(0, ID_HASH_CHARS));
    const names = [
      keyOf(id ?? ""),
      keys.formerSameAlert(account, webhook, id ?? ""),
      keys.newestBody(account, webhook),
      keys.counters(account),
      keys.replayed(account, replayOf ?? toIntentId("")),
      ...(formerId === undefined ? [] : [keyOf(formerId)]),
    ];
    const prefix = keys.intent(account, toIntentId(""));
    const args = [
      id === undefined ? 0 : 1,
      body,
      place,
      windowMs,
      prefix,
      until,
      replayOf === undefined ? 0 : 1,
      ALERT_ID_COUNTS_MS,
      replayOf ?? "",
    ];
    const earlier = toEarlier(await runScript(redis, findSameAlert, names, args));
    return earlier?.kind === "known" ? earlier.intentId : undefined;
  };
}

/** What any of the scripts answers that accept. */
export function toAcceptance(reply: unknown): Acceptance {
  const [answer] = reply as readonly string[];
  if (answer === "accepted") return { kind: "accepted" };
  if (answer === "unadmitted" || answer === "full") return { kind: answer };
  return toEarlier(reply) ?? { kind: "tooLate" };
}

function toEarlier(reply: unknown): EarlierIntent | undefined {
  const [answer, known] = reply as readonly string[];
  if (answer === "known") return { kind: "known", intentId: toIntentId(known ?? "") };
  return answer === "reused" ? { kind: "keyReused" } : undefined;
}
