import { mayOpen } from "./adjust.ts";
import { type ContractCode, rootOfCode } from "./contract.ts";
import type { Intent, Outcome } from "./intent.ts";

/** What an exit ends wholly: everything of the account, of a root, or of one contract. */
export type Emptied = "account" | { readonly of: string };

/**
 * What is flat once the intent is carried out, whatever was held: an unsent entry before it would
 * open that again. Undefined for what closes a part, or only under a condition.
 */
export function emptiedBy(intent: Intent): Emptied | undefined {
  if (intent.kind === "FLATTEN") {
    const of = intent.contract ?? intent.root;
    return of === undefined ? "account" : { of };
  }
  if (intent.kind !== "ADJUST" || intent.onlyWhen !== undefined) return undefined;
  const { aim, contract, isFrontMonth } = intent;
  const isAll =
    (aim.to === "position" && aim.netQty === 0) ||
    (aim.to === "close" && "percent" in aim && aim.percent === 100 && aim.holding === undefined);
  if (!isAll) return undefined;
  return { of: isFrontMonth === true ? rootOfCode(contract) : contract };
}

/** The contract in which the intent may open or grow a position. */
export function openedBy(intent: Intent): ContractCode | undefined {
  if (intent.kind === "PLACE") return intent.order.contract;
  return intent.kind === "ADJUST" && mayOpen(intent.aim) ? intent.contract : undefined;
}

/** How what could open a position ends once an exit that was asked for after it went before it. */
export const OVERTAKEN = {
  kind: "overtaken",
  reason:
    "What it could open was closed by an exit that was asked for after it, so it was not sent and will not be; ask for it anew if it is wanted",
} as const satisfies Outcome;
