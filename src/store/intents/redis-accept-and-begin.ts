import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AcceptAndBegin, Begun } from "../../trading/lane/ahead.ts";
import type { SendRequest } from "../../trading/lane/send-permit.ts";
import { StoreError } from "../../trading/store-error.ts";
import { runScript } from "../redis/script.ts";
import { BEGUN_WITHIN_MS } from "./accept-and-begin.ts";
import { toAcceptance } from "./accept-new-intent.ts";
import { asJson, inOrder, type Sent } from "../redis/named-arguments.ts";
import { TO_BEGIN } from "./acceptance-arguments.ts";
import { LIMITS, decodeLimits, limitsAsText } from "./redis-limit-store.ts";
import { encodeQuote } from "../ledger/ledger-record.ts";
import type { OrderShares } from "./order-shares.ts";
import { type AcceptanceParts, createSendAcceptance } from "./send-acceptance.ts";
import { takeBack } from "./take-back.ts";
import type { RedisClient } from "../redis/redis-client.ts";

interface Parts extends AcceptanceParts {
  readonly shares: Pick<OrderShares, "takeHeld">;
  /** Waits while Redis is away: what is taken back there is so before the lane goes on. */
  readonly patient: RedisClient;
  /** This process, which has the job in hand from then on. */
  readonly processId: string;
}

/**
 * What has no share at hand goes to its lane, where there is time to ask for one. Where the answer is
 * lost nothing is sent, so what may have been begun is taken back: else it would have to be looked up
 * at the broker, which never had it, and an exit would be lost.
 */
export function createAcceptAndBegin(parts: Parts): AcceptAndBegin {
  const { keys, shares, laneScripts, processId, patient } = parts;
  const { alertAndBegin: ofAlert, intentAndBegin: ofIntent } = laneScripts;
  const sendAcceptance = createSendAcceptance(parts);

  return async function acceptAndBegin(intent, request, limits): Promise<Begun> {
    const permit = randomUUID();
    const { entry } = request;
    const taken = entry && shares.takeHeld(entry.inAll);
    const shareUntil = taken?.until ?? 0;
    const toBeginIt = toBegin(request, limits, { permit, shareUntil });
    const undo = async () => {
      const beginsUntil = intent.receivedAt + BEGUN_WITHIN_MS;
      await takeBackFrom(request, permit, beginsUntil).finally(taken?.giveBack);
    };
    try {
      const reply = await sendAcceptance(intent, { ofAlert, ofIntent, toBegin: toBeginIt });
      if (reply === undefined) return { kind: "unsure", takenBack: undo() };
      const begun = toBegun(reply);
      if (begun.kind === "begun") taken?.begun();
      else taken?.giveBack();
      return begun;
    } catch (error) {
      const isLost = error instanceof StoreError && !error.certainlyNotWritten;
      if (isLost) return { kind: "unsure", lost: error, takenBack: undo() };
      taken?.giveBack();
      throw error;
    }
  };

  async function takeBackFrom(
    { account, intentId, clOrdId }: SendRequest,
    permit: string,
    beginsUntil: number,
  ): Promise<void> {
    const undone = [keys.intent(account, intentId), keys.sent(account), keys.sending(account)];
    const args = [clOrdId, permit, intentId, beginsUntil];
    for (;;) {
      const againInMs = Number(await runScript(patient, takeBack, undone, args));
      if (againInMs === 0) return;
      await sleep(againInMs);
    }
  }

  function toBegin(
    { epoch, entry, clOrdId, plan, exitPlan, owner, quote, keeps }: SendRequest,
    limits: Parameters<AcceptAndBegin>[2],
    { permit, shareUntil }: { readonly permit: string; readonly shareUntil: number },
  ): Sent {
    return inOrder(TO_BEGIN, {
      ownEpoch: epoch,
      limits: limitsAsText(limits),
      perAccount: entry?.perAccount ?? "",
      clOrdId,
      permit,
      plan: asJson(plan),
      exitPlan: asJson(exitPlan),
      worker: processId,
      userId: owner.userId,
      credentialId: owner.credentialId ?? "",
      shareUntil,
      quote: quote === undefined ? "" : encodeQuote(quote),
      guardVersion: entry?.guardVersion ?? "",
      runningPlan: asJson(keeps?.exitPlan),
      deadline: asJson(keeps?.deadline),
    });
  }
}

function toBegun(reply: readonly unknown[]): Begun {
  const [answer, ...rest] = reply;
  if (answer === "begun") return { kind: "begun", acceptedAt: Number(rest[0]) };
  const acceptance = toAcceptance(reply);
  if (acceptance.kind !== "accepted") return acceptance;
  const stored = LIMITS.flatMap((name, at) => (rest[at] === "" ? [] : [[name, String(rest[at])]]));
  return { kind: "onLane", limits: decodeLimits(Object.fromEntries(stored)) };
}
