import { randomUUID } from "node:crypto";
import type { AcceptAndBegin, Begun } from "../../trading/lane/ahead.ts";
import type { SendRequest } from "../../trading/lane/send-permit.ts";
import type { NewIntent } from "../../trading/orders/ports.ts";
import { toAcceptance } from "./accept-new-intent.ts";
import { LIMITS, decodeLimits } from "./redis-limit-store.ts";
import { createQuestionsBeyond } from "./redis-send-permits.ts";
import { type AcceptanceParts, createSendAcceptance } from "./send-acceptance.ts";

/**
 * Nothing is begun that its sender has given up waiting for, as it does after a second
 * (`redis/connect.ts`): nobody would send it, and the broker would be asked for it in vain.
 */
const BEGUN_WITHIN_MS = 1_000;

interface Parts extends AcceptanceParts {
  /** This process, which has the job in hand from then on. */
  readonly processId: string;
}

/** The acceptance goes out first, and what is asked beyond the account right behind it. */
export function createAcceptAndBegin(parts: Parts): AcceptAndBegin {
  const { keys, laneScripts, processId } = parts;
  const { alertAndBegin: ofAlert, intentAndBegin: ofIntent } = laneScripts;
  const sendAcceptance = createSendAcceptance(parts);
  const beyond = createQuestionsBeyond(parts);

  return async function acceptAndBegin(intent, request, limits): Promise<Begun> {
    const permit = randomUUID();
    const accepting = sendAcceptance(intent, {
      ofAlert,
      ofIntent,
      keys: keysOf(request),
      args: argumentsOf(intent, request, limits, permit),
    });
    const asking = beyond.ask(request).catch((error: unknown) => error as Error);
    const [reply, answer] = await Promise.all([accepting, asking]);
    const begun = toBegun(reply);
    if (begun.kind === "begun" && answer === undefined) return begun;

    // Nothing was sent, and nothing is: whatever was begun is taken back.
    const isBegun = begun.kind === "begun" || begun.kind === "unsure";
    const isTakenBack = isBegun && (await isCarriedOut(beyond.undo(request, permit)));
    const isForbidden =
      begun.kind === "begun" && answer !== undefined && !(answer instanceof Error);
    if (isForbidden && isTakenBack) return { ...begun, permit: answer };
    if (isBegun) return UNSURE;
    // An account that is refused by its own rules must not use up everyone's minute.
    const isCounted = request.entry !== undefined && answer === undefined;
    if (isCounted) await isCarriedOut(beyond.uncount(request));
    return begun;
  };

  function keysOf({ account }: SendRequest): readonly string[] {
    return [
      keys.epoch(account),
      keys.unknown(account),
      keys.sending(account),
      keys.parked(account),
      keys.limits(account),
      keys.killSwitch({ accountId: account }),
      keys.sent(account),
    ];
  }

  function argumentsOf(
    { receivedAt, entryMaxAgeMs, exitMaxAgeMs }: NewIntent,
    { epoch, entry, clOrdId, plan, exitPlan }: SendRequest,
    limits: Parameters<AcceptAndBegin>[2],
    permit: string,
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
    ];
  }
}

const isCarriedOut = async (step: Promise<void>): Promise<boolean> =>
  await step.then(
    () => true,
    () => false,
  );

const UNSURE: Begun = { kind: "unsure" };

function toBegun(reply: readonly unknown[] | undefined): Begun {
  if (reply === undefined) return UNSURE;
  const [answer, ...rest] = reply;
  if (answer === "begun") {
    return { kind: "begun", acceptedAt: Number(rest[0]), permit: { kind: "granted" } };
  }
  const acceptance = toAcceptance(reply);
  if (acceptance.kind !== "accepted") return acceptance;
  const stored = LIMITS.flatMap((name, at) => (rest[at] === "" ? [] : [[name, String(rest[at])]]));
  return { kind: "onLane", limits: decodeLimits(Object.fromEntries(stored)) };
}
