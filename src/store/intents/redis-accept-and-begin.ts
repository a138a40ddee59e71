import { randomUUID } from "node:crypto";
import type { AcceptAndBegin, Begun } from "../../trading/lane/ahead.ts";
import type { SendRequest } from "../../trading/lane/send-permit.ts";
import type { NewIntent } from "../../trading/orders/ports.ts";
import { runScript } from "../redis/script.ts";
import { toAcceptance } from "./accept-new-intent.ts";
import { inOrder, type Sent, TO_BEGIN } from "./acceptance-arguments.ts";
import { LIMITS, decodeLimits } from "./redis-limit-store.ts";
import type { OrderShares } from "./order-shares.ts";
import { type AcceptanceParts, createSendAcceptance } from "./send-acceptance.ts";
import { takeBack } from "./take-back.ts";

/**
 * Nothing is begun that its sender has given up waiting for, as it does after a second
 * (`redis/connect.ts`): nobody would send it, and the broker would be asked for it in vain.
 */
const BEGUN_WITHIN_MS = 1_000;

interface Parts extends AcceptanceParts {
  readonly shares: OrderShares;
  /** This process, which has the job in hand from then on. */
  readonly processId: string;
}

/** What has no share at hand goes to its lane, where there is time to ask for one. */
export function createAcceptAndBegin(parts: Parts): AcceptAndBegin {
  const { redis, keys, shares, laneScripts, processId } = parts;
  const { alertAndBegin: ofAlert, intentAndBegin: ofIntent } = laneScripts;
  const sendAcceptance = createSendAcceptance(parts);

  return async function acceptAndBegin(intent, request, limits): Promise<Begun> {
    const permit = randomUUID();
    const { entry } = request;
    const taken = entry && shares.takeHeld(entry.inAll);
    const shareUntil = taken?.until ?? 0;
    // Where the answer is lost it may have been begun.
    let isBegun = true;
    try {
      const reply = await sendAcceptance(intent, {
        ofAlert,
        ofIntent,
        toBegin: toBegin(intent, request, limits, { permit, shareUntil }),
      });
      const begun = toBegun(reply);
      isBegun = begun.kind === "begun" || begun.kind === "unsure";
      // Nothing was sent, and nothing is: what may have been begun is taken back.
      if (begun.kind === "unsure") await takeBackFrom(request, permit);
      return begun;
    } finally {
      if (isBegun) taken?.begun();
      else taken?.giveBack();
    }
  };

  async function takeBackFrom({ account, intentId, clOrdId }: SendRequest, permit: string) {
    const undone = [keys.intent(account, intentId), keys.sent(account), keys.sending(account)];
    // If that fails as well, the intent is looked up at the broker.
    await runScript(redis, takeBack, undone, [clOrdId, permit, intentId]).catch(() => undefined);
  }

  function toBegin(
    { receivedAt, entryMaxAgeMs, exitMaxAgeMs }: NewIntent,
    { account, epoch, entry, clOrdId, plan, exitPlan, owner }: SendRequest,
    limits: Parameters<AcceptAndBegin>[2],
    { permit, shareUntil }: { readonly permit: string; readonly shareUntil: number },
  ): Sent {
    return inOrder(TO_BEGIN, {
      keys: {
        epoch: keys.epoch(account),
        unknown: keys.unknown(account),
        sending: keys.sending(account),
        parked: keys.parked(account),
        limits: keys.limits(account),
        killSwitch: keys.killSwitch({ accountId: account }),
        sent: keys.sent(account),
        userSwitch: keys.userSwitch(account, owner.userId),
        revoked: keys.revokedHere(account),
      },
      args: {
        beginsUntil: receivedAt + BEGUN_WITHIN_MS,
        ownEpoch: epoch,
        maxOrderQty: limits.maxOrderQty ?? "",
        maxPositionQty: limits.maxPositionQty ?? "",
        maxOrdersPerMinute: limits.maxOrdersPerMinute ?? "",
        perAccount: entry?.perAccount ?? "",
        maxAgeMs: entry === undefined ? exitMaxAgeMs : entryMaxAgeMs,
        clOrdId,
        permit,
        plan: plan === undefined ? "" : JSON.stringify(plan),
        exitPlan: exitPlan === undefined ? "" : JSON.stringify(exitPlan),
        worker: processId,
        credentialId: owner.credentialId ?? "",
        shareUntil,
      },
    });
  }
}

const UNSURE: Begun = { kind: "unsure" };

function toBegun(reply: readonly unknown[] | undefined): Begun {
  if (reply === undefined) return UNSURE;
  const [answer, ...rest] = reply;
  if (answer === "begun") return { kind: "begun", acceptedAt: Number(rest[0]) };
  const acceptance = toAcceptance(reply);
  if (acceptance.kind !== "accepted") return acceptance;
  const stored = LIMITS.flatMap((name, at) => (rest[at] === "" ? [] : [[name, String(rest[at])]]));
  return { kind: "onLane", limits: decodeLimits(Object.fromEntries(stored)) };
}
