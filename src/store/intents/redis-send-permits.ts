import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { credentialId } from "../../domain/ids.ts";
import type { SendPermit, SendRequest } from "../../trading/lane/send-permit.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { askAppliance } from "./ask-appliance.ts";
import { beginSending } from "./begin-sending.ts";
import { takeBack } from "./take-back.ts";
import { translateStoreErrors } from "../store-error.ts";

export const permitScripts = [beginSending, askAppliance, takeBack];

type Entry = NonNullable<SendRequest["entry"]>;

/**
 * `IntentStore.beginSending`. The account's own step and the questions beyond the account go out at
 * once on one connection, the write-ahead first: a revocation or kill switch that was acknowledged
 * before it was asked for is always seen. What they forbid is taken back before it is answered; a
 * crash between the two leaves an intent SENDING that the broker never had, which is looked up.
 */
export function createSendPermits({ redis, keys }: { redis: Redis; keys: Keys }) {
  const { ask, uncount, undo } = createQuestionsBeyond({ redis, keys });

  return async function begin(request: SendRequest): Promise<SendPermit> {
    const { entry } = request;
    const permit = randomUUID();
    const [[answer, detail], beyond] = await Promise.all([
      writeAhead(request, permit),
      ask(request),
    ]);
    const own = toPermit(answer, detail, entry);
    // What was begun is carried through: a revocation stops only what sends its first order.
    const isDecisive = own.kind === "granted" && (detail === 1 || entry !== undefined);
    const refusal = isDecisive ? beyond : undefined;
    if (refusal === undefined && own.kind === "granted") return own;

    await Promise.all([
      refusal !== undefined && undo(request, permit),
      // An account that is refused by its own rules must not use up everyone's minute.
      entry !== undefined && beyond === undefined && uncount(request),
    ]);
    return refusal ?? own;
  };

  async function writeAhead(request: SendRequest, permit: string) {
    const { account, intentId, clOrdId, epoch, expiresAt, maxOrders, entry } = request;
    const { plan, exitPlan, goesOn } = request;
    const reply = await runScript(
      redis,
      beginSending,
      [
        keys.intent(account, intentId),
        keys.sent(account),
        keys.killSwitch({ accountId: account }),
        keys.epoch(account),
        keys.sending(account),
      ],
      [
        clOrdId,
        expiresAt,
        entry?.perAccount ?? "",
        permit,
        maxOrders,
        plan === undefined ? "" : JSON.stringify(plan),
        epoch,
        intentId,
        exitPlan === undefined ? "" : JSON.stringify(exitPlan),
        goesOn === true ? 1 : 0,
      ],
    );
    return reply as readonly [answer: string, detail?: string | number];
  }
}

/** What is asked beyond the account about an order, and what becomes of it where it is not sent. */
export function createQuestionsBeyond({ redis, keys }: { redis: Redis; keys: Keys }) {
  return { ask, uncount, undo };

  async function ask(request: SendRequest): Promise<SendPermit | undefined> {
    const { owner, entry } = request;
    const revoked = keys.revoked(owner.credentialId ?? NOBODY);
    const asked =
      entry === undefined
        ? [revoked]
        : [revoked, keys.killSwitch({ userId: owner.userId }), keys.sentByAll];
    const args = entry === undefined ? [] : [entry.inAll, memberOf(request)];
    const reply = await runScript(redis, askAppliance, asked, args);
    const [answer, reason] = reply as readonly [answer: string, reason?: string];
    switch (answer) {
      case "revoked":
        return { kind: "revoked" };
      case "killed":
        return killed(reason);
      case "limited":
        return { kind: "limited", which: "all", limit: entry?.inAll ?? 0 };
      default:
        return undefined;
    }
  }

  async function uncount(request: SendRequest): Promise<void> {
    await translateStoreErrors(redis.zrem(keys.sentByAll, memberOf(request)));
  }

  async function undo({ account, intentId, clOrdId }: SendRequest, permit: string) {
    const undone = [keys.intent(account, intentId), keys.sent(account), keys.sending(account)];
    await runScript(redis, takeBack, undone, [clOrdId, permit, intentId]);
  }
}

/** What the operator asks for came by no key or token, and no revocation is of this one. */
const NOBODY = credentialId("nobody");

const memberOf = ({ account, clOrdId }: SendRequest) => `${account}:${clOrdId}`;

function toPermit(
  answer: string,
  detail: string | number | undefined,
  entry: Entry | undefined,
): SendPermit {
  switch (answer) {
    case "granted":
    case "fenced":
    case "expired":
      return { kind: answer };
    case "limited":
      return { kind: "limited", which: "account", limit: entry?.perAccount ?? 0 };
    case "killed":
      return killed(detail);
    default:
      return { kind: "refused", reason: String(detail ?? "") };
  }
}

function killed(reason: string | number | null | undefined): SendPermit {
  return reason ? { kind: "killed", reason: String(reason) } : { kind: "killed" };
}
