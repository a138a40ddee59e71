import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { heldText } from "../../domain/position.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import { hasLeft } from "../../domain/notify/told-outcome.ts";
import { GatewayError } from "../../errors.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../people/caller.ts";
import { labelsOf } from "./account-labels.ts";
import type { Act, Affected, Reply } from "./ports.ts";
import { allOf, fitting, lengthOf, LONGEST_LIST } from "./words.ts";

export type AuditLine = "Kill switch changed" | "A flatten was asked for by Telegram";

export interface CarryOutDeps {
  readonly gateway: Pick<Gateway, "flattenAccount" | "changeKillSwitch">;
  /** The line that an act leaves in the log. */
  readonly audit: (message: AuditLine, caller: Caller, account?: AccountId) => void;
}

/** What came of an account. What is not done for certain is told first, and never left out. */
interface Ending {
  readonly kind: "done" | "notDone" | "unknown";
  readonly text: string;
}

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
  const nameOf = labelsOf(own);
  if (act.kind === "stop") return await stop(deps, caller, act.of, nameOf);
  const endings = await Promise.all(
    holding.map(async (id) => named(nameOf(id), await flatten(deps, caller, id, nonce))),
  );
  const lines = linesOf(endings, (count) => `… and ${count} more that are closed`);
  return { title: "Flatten: what came of it", lines };
}

const named = (name: string, { kind, text }: Ending): Ending => ({
  kind,
  text: `${name}: ${text}`,
});

function linesOf(endings: readonly Ending[], more: (count: number) => string): readonly string[] {
  const textsOf = (isDone: boolean) =>
    endings.filter(({ kind }) => (kind === "done") === isDone).map(({ text }) => text);
  const open = allOf(textsOf(false), LONGEST_LIST);
  const look = endings.some(({ kind }) => kind === "unknown") ? [LOOK] : [];
  return [...open, ...look, ...fitting(textsOf(true), LONGEST_LIST - lengthOf(open), more)];
}

async function flatten(
  { gateway, audit }: CarryOutDeps,
  caller: Caller,
  account: AccountId,
  nonce: string,
): Promise<Ending> {
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
  const endings = await Promise.all(
    targets.map(async (accountId) => {
      const name = accountId === undefined ? "All accounts" : nameOf(accountId);
      const one = { active: true, reason: REASON, ...(accountId !== undefined && { accountId }) };
      try {
        await gateway.changeKillSwitch(caller, one);
        audit("Kill switch changed", caller, accountId);
        return named(name, { kind: "done", text: "on. New entries are refused, exits pass" });
      } catch (error) {
        return named(name, failureText(error));
      }
    }),
  );
  const lines = linesOf(endings, (count) => `… and ${count} more where it is on`);
  return {
    title: "Kill switch: what came of it",
    lines: [...lines, "Switch it off in the console"],
  };
}

const REASON = "Switched on by Telegram";

/** How a flatten ended. Only what the broker has confirmed is called done. */
function outcomeText(outcome: Outcome): Ending {
  switch (outcome.kind) {
    case "done":
      return resultText(outcome.result);
    case "unknown":
      return { kind: "unknown", text: `not known (${outcome.reason})` };
    case "unprotected":
      return { kind: "unknown", text: outcome.reason };
    case "unfinished":
      return {
        kind: "notDone",
        text: `not done yet, and tried again by itself (${outcome.reason})`,
      };
    case "held":
      return { kind: "notDone", text: `waits for its market (${outcome.reason})` };
    case "denied":
    case "rejected":
    case "notSent":
    case "expired":
    case "overtaken":
    case "withdrawn":
    case "lost":
      return { kind: "notDone", text: `not closed (${outcome.reason})` };
  }
}

function resultText(result: IntentResult): Ending {
  if (result.kind !== "FLATTEN") return { kind: "unknown", text: "not known" };
  const { closed, remaining, remainingOrderIds, problems } = result;
  const of = (all: readonly { contract: (typeof closed)[number]["contract"]; netQty: number }[]) =>
    all.map(({ contract, netQty }) => `${heldText(netQty)} ${symbolOfCode(contract)}`).join(", ");
  const open = [
    ...(remaining.length > 0 ? [`STILL HELD: ${of(remaining)}`] : []),
    ...(remainingOrderIds.length > 0 ? [`${remainingOrderIds.length} orders remain`] : []),
    ...problems,
  ];
  const nothing = hasLeft(result) ? [] : ["nothing was held"];
  const done = closed.length === 0 ? nothing : [`closed ${of(closed)}`];
  return { kind: open.length === 0 ? "done" : "notDone", text: [...open, ...done].join("; ") };
}

/** A failure that may have done something is never told as one that has not. */
function failureText(error: unknown): Ending {
  if (!(error instanceof GatewayError)) {
    return { kind: "unknown", text: "not known: the gateway failed" };
  }
  const { message } = error;
  return error.spec.retry === "check-first"
    ? { kind: "unknown", text: `not known (${message})` }
    : { kind: "notDone", text: `not done (${message})` };
}
