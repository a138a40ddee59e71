import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { SendPermit, SendRequest } from "../trading/store-ports.ts";
import type { Keys } from "./keys.ts";
import { runScript } from "./script.ts";
import { beginSending } from "./scripts/begin-sending.ts";
import { countOrder } from "./scripts/count-order.ts";
import { takeBack } from "./scripts/take-back.ts";
import { translateStoreErrors } from "./store-error.ts";

export const permitScripts = [beginSending, countOrder, takeBack];

type Entry = NonNullable<SendRequest["entry"]>;

/**
 * `IntentStore.beginSending`. The account's own step and the questions beyond the account go out at
 * once on one connection, the write-ahead first: a revocation or kill switch that was acknowledged
 * before it was asked for is always seen. What they forbid is taken back before it is answered; a
 * crash between the two leaves an intent SENDING that the broker never had, which is looked up.
 */
export function createSendPermits({ redis, keys }: { redis: Redis; keys: Keys }) {
  return async function begin(request: SendRequest): Promise<SendPermit> {
    const { entry } = request;
    const permit = randomUUID();
    const [[answer, detail], beyond, isCounted] = await Promise.all([
      writeAhead(request, permit),
      askBeyondAccount(request),
      entry === undefined ? true : count(request, entry),
    ]);
    const own = toPermit(answer, detail, entry);
    // What was begun is carried through: a revocation stops only what sends its first order.
    const isDecisive = own.kind === "granted" && (detail === 1 || entry !== undefined);
    const refusal = isDecisive ? (beyond ?? limitOfAll(isCounted, entry)) : undefined;
    if (refusal === undefined && own.kind === "granted") return own;

    await Promise.all([
      refusal !== undefined && undo(request, permit),
      // An account that is refused by its own rules must not use up everyone's minute.
      entry !== undefined && isCounted && uncount(request),
    ]);
    return refusal ?? own;
  };

  async function writeAhead(request: SendRequest, permit: string) {
    const { account, intentId, clOrdId, epoch, expiresAt, maxOrders, plan, entry } = request;
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
      ],
    );
    return reply as readonly [answer: string, detail?: string | number];
  }

  /** What forbids sending and lives under other hash tags than the account's. */
  async function askBeyondAccount({ owner, entry }: SendRequest): Promise<SendPermit | undefined> {
    const { userId, credentialId } = owner;
    const switchKey = keys.killSwitch({ userId });
    const [revoked, killSwitch] = await translateStoreErrors(
      Promise.all([
        credentialId === undefined ? 0 : redis.exists(keys.revoked(credentialId)),
        entry === undefined ? undefined : redis.hmget(switchKey, "active", "reason"),
      ]),
    );
    if (revoked !== 0) return { kind: "revoked" };
    return killSwitch?.[0] === "1" ? killed(killSwitch[1]) : undefined;
  }

  async function count(request: SendRequest, { inAll }: Entry): Promise<boolean> {
    const args = [inAll, memberOf(request)];
    return (await runScript(redis, countOrder, [keys.sentByAll], args)) === 1;
  }

  async function uncount(request: SendRequest): Promise<void> {
    await translateStoreErrors(redis.zrem(keys.sentByAll, memberOf(request)));
  }

  async function undo({ account, intentId, clOrdId }: SendRequest, permit: string) {
    const undone = [keys.intent(account, intentId), keys.sent(account), keys.sending(account)];
    await runScript(redis, takeBack, undone, [clOrdId, permit, intentId]);
  }
}

const memberOf = ({ account, clOrdId }: SendRequest) => `${account}:${clOrdId}`;

function limitOfAll(isCounted: boolean, entry: Entry | undefined): SendPermit | undefined {
  if (isCounted || entry === undefined) return undefined;
  return { kind: "limited", which: "all", limit: entry.inAll };
}

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
