import { randomUUID } from "node:crypto";
import type { SendPermit, SendRequest } from "../../trading/lane/send-permit.ts";
import type { Keys } from "../keys.ts";
import { asJson } from "../redis/named-arguments.ts";
import { runScript } from "../redis/script.ts";
import { decodeLock } from "../guards/redis-guards.ts";
import { beginSending } from "./begin-sending.ts";
import { orderShareScripts, type OrderShares } from "./order-shares.ts";
import { encodeQuote } from "../ledger/ledger-record.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const permitScripts = [beginSending, ...orderShareScripts];

interface SendPermitDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly shares: Pick<OrderShares, "take">;
}

/**
 * `IntentStore.beginSending`: one script in the account's slot. What adds risk is counted before among
 * the orders per minute of all, against this process' share of them; what is not granted takes
 * nothing of it.
 */
export function createSendPermits({ redis, keys, shares }: SendPermitDeps) {
  return async function begin(request: SendRequest): Promise<SendPermit> {
    const { entry } = request;
    const taken = entry && (await shares.take(entry.inAll));
    // Where the answer is lost it may have been granted.
    let isGranted = true;
    try {
      const permit = await writeAhead(request, taken?.until ?? 0);
      isGranted = permit.kind === "granted";
      return permit;
    } finally {
      if (isGranted) taken?.begun();
      else taken?.giveBack();
    }
  };

  async function writeAhead(request: SendRequest, shareUntil: number): Promise<SendPermit> {
    const { account, intentId, clOrdId, epoch, expiresAt, maxOrders, entry, owner } = request;
    const { plan, exitPlan, goesOn, quote, keeps } = request;
    const reply = await runScript(
      redis,
      beginSending,
      [
        keys.intent(account, intentId),
        keys.sent(account),
        keys.killSwitch({ accountId: account }),
        keys.epoch(account),
        keys.sending(account),
        keys.userSwitch(account, owner.userId),
        keys.revokedHere(account),
        keys.guards(account),
        keys.runningPlans(account),
        keys.orderTimeouts(account),
      ],
      [
        clOrdId,
        expiresAt,
        entry?.perAccount ?? "",
        randomUUID(),
        maxOrders,
        asJson(plan),
        epoch,
        intentId,
        asJson(exitPlan),
        goesOn === true ? 1 : 0,
        owner.credentialId ?? "",
        shareUntil,
        quote === undefined ? "" : encodeQuote(quote),
        entry?.guardVersion ?? "",
        asJson(keeps?.exitPlan),
        asJson(keeps?.deadline),
      ],
    );
    return toPermit(reply as readonly [answer: string, detail?: string], entry);
  }
}

function toPermit(
  [answer, detail = ""]: readonly [answer: string, detail?: string],
  entry: SendRequest["entry"],
): SendPermit {
  switch (answer) {
    case "granted":
    case "fenced":
    case "expired":
    case "revoked":
    case "guardsChanged":
      return { kind: answer };
    case "locked":
      return { kind: "locked", lock: decodeLock(detail) };
    case "limited":
      return detail === "all"
        ? { kind: "limited", which: "all", limit: entry?.inAll ?? 0 }
        : { kind: "limited", which: "account", limit: entry?.perAccount ?? 0 };
    case "killed":
      return detail === "" ? { kind: "killed" } : { kind: "killed", reason: detail };
    default:
      return { kind: "refused", reason: detail };
  }
}
