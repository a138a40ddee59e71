import { symbolOfCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { IntentResult, Outcome } from "../../domain/intent.ts";
import { GatewayError } from "../../errors.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../people/caller.ts";
import type { Act, Affected, Reply } from "./ports.ts";
import { heldText, someOf } from "./words.ts";

export type AuditLine = "Kill switch changed" | "A flatten was asked for by Telegram";

export interface CarryOutDeps {
  readonly gateway: Pick<Gateway, "flattenAccount" | "changeKillSwitch">;
  /** The line that an act leaves in the log. */
  readonly audit: (message: AuditLine, caller: Caller, account?: AccountId) => void;
}

const MOST_LINES = 40;
const LOOK = "Look at /status and /positions before you try again";

/** Does what a button offered, once: `nonce` stands for it however often it is asked. */
export async function carryOut(
  deps: CarryOutDeps,
  caller: Caller,
  {
    act,
    nonce,
    holding,
    own,
  }: {
    readonly act: Act;
    readonly nonce: string;
    /** The accounts that hold what is to be flattened. */
    readonly holding: readonly AccountId[];
    readonly own: readonly StoredAccount[];
  },
): Promise<Reply> {
  const nameOf = (id: AccountId) => own.find(({ accountId }) => accountId === id)?.name ?? id;
  if (act.kind === "stop") return await stop(deps, caller, act.of, nameOf);
  const lines = await Promise.all(
    holding.map(async (id) => `${nameOf(id)}: ${await flatten(deps, caller, id, nonce)}`),
  );
  return { title: "Flatten: what came of it", lines: someOf(lines, MOST_LINES) };
}

async function flatten(
  { gateway, audit }: CarryOutDeps,
  caller: Caller,
  account: AccountId,
  nonce: string,
): Promise<string> {
  audit("A flatten was asked for by Telegram", caller, account);
  const once = { key: `telegram:${nonce}`, fingerprint: `flatten ${account}` };
  try {
    const { record } = await gateway.flattenAccount(caller, account, undefined, once);
    return outcomeText(record.outcome);
  } catch (error) {
    return failureText(error);
  }
}

async function stop(
  { gateway, audit }: CarryOutDeps,
  caller: Caller,
  of: Affected,
  nameOf: (id: AccountId) => string,
): Promise<Reply> {
  const targets: readonly (AccountId | undefined)[] = of === "all" ? [undefined] : of;
  const lines = await Promise.all(
    targets.map(async (accountId) => {
      const name = accountId === undefined ? "All accounts" : nameOf(accountId);
      const one = { active: true, reason: REASON, ...(accountId !== undefined && { accountId }) };
      try {
        await gateway.changeKillSwitch(caller, one);
        audit("Kill switch changed", caller, accountId);
        return `${name}: on. New entries are refused, exits pass`;
      } catch (error) {
        return `${name}: ${failureText(error)}`;
      }
    }),
  );
  return {
    title: "Kill switch: what came of it",
    lines: [...someOf(lines, MOST_LINES), "Switch it off in the console"],
  };
}

const REASON = "Switched on by Telegram";

/** How a flatten ended. Only what the broker has confirmed is called done. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "done":
      return resultText(outcome.result);
    case "unknown":
      return `not known (${outcome.reason}). ${LOOK}`;
    case "unprotected":
      return `${outcome.reason}. ${LOOK}`;
    case "denied":
    case "rejected":
    case "notSent":
    case "expired":
    case "overtaken":
    case "withdrawn":
    case "lost":
      return `not closed (${outcome.reason})`;
  }
}

function resultText(result: IntentResult): string {
  if (result.kind !== "FLATTEN") return `not known. ${LOOK}`;
  const { closed, remaining, remainingOrderIds, problems } = result;
  const of = (all: readonly { contract: (typeof closed)[number]["contract"]; netQty: number }[]) =>
    all.map(({ contract, netQty }) => `${heldText(netQty)} ${symbolOfCode(contract)}`).join(", ");
  const parts = [
    closed.length === 0 ? "nothing was held" : `closed ${of(closed)}`,
    ...(remaining.length > 0 ? [`STILL HELD: ${of(remaining)}`] : []),
    ...(remainingOrderIds.length > 0 ? [`${remainingOrderIds.length} orders remain`] : []),
    ...problems,
  ];
  return parts.join("; ");
}

/** A failure that may have done something is never told as one that has not. */
function failureText(error: unknown): string {
  if (!(error instanceof GatewayError)) return `not known: the gateway failed. ${LOOK}`;
  const { message } = error;
  return error.spec.retry === "check-first"
    ? `not known (${message}). ${LOOK}`
    : `not done (${message})`;
}
