import { randomUUID } from "node:crypto";
import type { AcceptAndBegin, Begun } from "../../trading/lane/ahead.ts";
import type { SendRequest } from "../../trading/lane/send-permit.ts";
import type { NewIntent } from "../../trading/orders/ports.ts";
import { runScript } from "../redis/script.ts";
import { toAcceptance } from "./accept-new-intent.ts";
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
    const reply = await sendAcceptance(intent, {
      ofAlert,
      ofIntent,
      keys: keysOf(request),
      args: argumentsOf(intent, request, limits, { permit, hasShare: taken !== undefined }),
    });
    const begun = toBegun(reply);
    if (begun.kind === "begun") return begun;
    // Nothing was sent, and nothing is: what may have been begun is taken back.
    if (begun.kind === "unsure") await takeBackFrom(request, permit);
    else taken?.giveBack();
    return begun;
  };

  async function takeBackFrom({ account, intentId, clOrdId }: SendRequest, permit: string) {
    const undone = [keys.intent(account, intentId), keys.sent(account), keys.sending(account)];
    // If that fails as well, the intent is looked up at the broker.
    await runScript(redis, takeBack, undone, [clOrdId, permit, intentId]).catch(() => undefined);
  }

  function keysOf({ account, owner }: SendRequest): readonly string[] {
    return [
      keys.epoch(account),
      keys.unknown(account),
      keys.sending(account),
      keys.parked(account),
      keys.limits(account),
      keys.killSwitch({ accountId: account }),
      keys.sent(account),
      keys.userSwitch(account, owner.userId),
      keys.revokedHere(account),
    ];
  }

  function argumentsOf(
    { receivedAt, entryMaxAgeMs, exitMaxAgeMs }: NewIntent,
    { epoch, entry, clOrdId, plan, exitPlan, owner }: SendRequest,
    limits: Parameters<AcceptAndBegin>[2],
    { permit, hasShare }: { readonly permit: string; readonly hasShare: boolean },
  ): readonly (string | number)[] {
    return [
      receivedAt + BEGUN_WITHIN_MS,
      epoch,
      ...LIMITS.map((name) => limits[name] ?? ""),
      entry?.perAccount ?? "",
      entry === undefined ? exitMaxAgeMs : entryMaxAgeMs,
      clOrdId,
      permit,
      plan === undefined ? "" : JSON.stringify(plan),
      exitPlan === undefined ? "" : JSON.stringify(exitPlan),
      processId,
      owner.credentialId ?? "",
      hasShare ? 1 : 0,
    ];
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
