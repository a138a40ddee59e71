import { type AdjustIntent, mayOpen, planAdjust } from "./adjust.ts";
import { calledRoot, type ContractCode, isNameless, rootOfCode } from "./contracts/contract.ts";
import type { OpenPosition } from "./contracts/exit-contract.ts";
import type { Intent, Outcome } from "./intent.ts";
import type { Side } from "./order.ts";

/** What an exit or a cancel is about: everything of the account, of a root, or of one contract. */
export type Scope = "account" | { readonly of: string };

/**
 * Whose legs an intent of unknown outcome may still change, or is judged by: they are left to it.
 * Undefined for what leaves legs alone.
 */
export function legScopeOf(intent: Intent): Scope | undefined {
  switch (intent.kind) {
    case "PLACE":
      return { of: rootOfCode(intent.order.contract) };
    case "ADJUST":
      return { of: rootOfCode(intent.contract) };
    case "PROTECT":
      return intent.contract === undefined ? "account" : { of: rootOfCode(intent.contract) };
    case "FLATTEN":
      return scopeOf(intent);
    case "TIMEOUT":
      return { of: rootOfCode(intent.contract) };
    // Of these only the order is named.
    case "CANCEL":
    case "MODIFY":
      return "account";
    case "CANCEL_ENTRIES":
      return undefined;
  }
}

/** Undefined for what is neither. */
export function scopeOf(intent: Intent): Scope | undefined {
  switch (intent.kind) {
    case "FLATTEN":
    case "CANCEL_ENTRIES": {
      const of = intent.contract ?? intent.root;
      return of === undefined ? "account" : { of };
    }
    case "ADJUST":
      return mayOpen(intent.aim) ? undefined : symbolOf(intent);
    case "PLACE":
    case "CANCEL":
    case "MODIFY":
    case "PROTECT":
    case "TIMEOUT":
      return undefined;
  }
}

export const isInScope = (scope: Scope, contract: ContractCode): boolean =>
  scope === "account" || scope.of === contract || scope.of === rootOfCode(contract);

/** What of an earlier unsent entry goes before it, and is over once the intent is carried out. */
export interface Overtaking {
  readonly scope: Scope;
  /** Only what opens on this side; absent: on either. */
  readonly side?: Side;
  /** It may be refused by what is held then, and has overtaken nothing in that case. */
  readonly isConditional: boolean;
  /** It says where all of it is to be, so what an earlier adjustment was to close first goes too. */
  readonly isTarget?: true;
}

/** What no earlier entry may open any more, whatever was held. Undefined for what closes a part. */
export function overtakingOf(intent: Intent): Overtaking | undefined {
  if (intent.kind === "ADJUST" && isTarget(intent)) {
    return { scope: symbolOf(intent), isConditional: false, isTarget: true };
  }
  const scope = scopeOf(intent);
  if (scope === undefined) return undefined;
  if (intent.kind === "FLATTEN") return { scope, isConditional: intent.mustHold !== undefined };
  if (intent.kind !== "ADJUST") return { scope, isConditional: false };
  const { aim, onlyWhen } = intent;
  const isConditional = onlyWhen !== undefined;
  if (aim.to !== "close") return { scope, isConditional };
  if (!("percent" in aim) || aim.percent < 100) return undefined;
  const { holding } = aim;
  if (holding === undefined) return { scope, isConditional };
  return { scope, isConditional, side: holding === "LONG" ? "BUY" : "SELL" };
}

/** A position to be brought about whatever is held; one of nothing is an exit. */
const isTarget = ({ aim, onlyWhen }: AdjustIntent): boolean =>
  onlyWhen === undefined && aim.to === "position" && aim.netQty !== 0;

/** Whether what an entry opens is among it. */
export const isOvertaken = (
  { scope, side }: Overtaking,
  { contract, side: opened }: { readonly contract: ContractCode; readonly side: Side | undefined },
): boolean => isInScope(scope, contract) && (side === undefined || side === opened);

/** Whether an exit under a condition, asked for after an entry, would be carried out as things stand. */
export function wouldOvertake(
  exit: Intent,
  entry: { readonly contract: ContractCode; readonly side: Side },
  positions: readonly OpenPosition[],
): boolean {
  const overtaking = overtakingOf(exit);
  if (overtaking === undefined || !isOvertaken(overtaking, entry)) return false;
  if (exit.kind === "FLATTEN") return otherPosition(exit.mustHold, positions) === undefined;
  if (exit.kind !== "ADJUST") return true;
  return planAdjust(exit, { positions, working: [] }, String).kind !== "refuse";
}

/** Another root than the one that must be held, where one is. What has no name refuses nothing. */
export function otherPosition(
  mustHold: string | undefined,
  positions: readonly OpenPosition[],
): string | undefined {
  if (mustHold === undefined) return undefined;
  const named = positions.filter(({ contract }) => !isNameless(contract));
  return named.map(({ contract }) => calledRoot(contract)).find((root) => root !== mustHold);
}

/** What another intent of unknown outcome asked for. */
export interface UnknownIntent {
  /** Absent where its record is gone. */
  readonly intent?: Intent;
  /** Whether it was accepted before the one at hand. */
  readonly isEarlier: boolean;
}

/**
 * Whether an intent of unknown outcome may still open, or turn around, what an exit closes or a
 * cancel ends, or lead beyond a target. What an exit before it sends may do that too, when it comes
 * after a close; of two exits, or targets, the earlier one never waits for the later one.
 */
export function mayStillOpen(exit: Intent, { intent, isEarlier }: UnknownIntent): boolean {
  const scope = scopeOf(exit) ?? overtakingOf(exit)?.scope;
  if (scope === undefined || intent === undefined) return false;
  if (!isEarlier && [exit, intent].some((one) => overtakingOf(one)?.isTarget)) return false;
  if (intent.kind === "PLACE") {
    const { order, isFrontMonth } = intent;
    return isAbout(scope, { contract: order.contract, ...(isFrontMonth && { isFrontMonth }) });
  }
  if (intent.kind === "TIMEOUT") return intent.then === "market" && isAbout(scope, intent);
  if (intent.kind !== "ADJUST") return false;
  const mayOpenLater = mayOpen(intent.aim) || (exit.kind !== "CANCEL_ENTRIES" && isEarlier);
  return mayOpenLater && isAbout(scope, intent);
}

/** Whether an intent of unknown outcome may open what an order closes. */
export function mayOpenAgainst(
  order: { readonly contract: ContractCode; readonly side: Side },
  { intent }: Pick<UnknownIntent, "intent">,
): boolean {
  const opened = intent && openedBy(intent);
  if (opened === undefined || rootOfCode(opened.contract) !== rootOfCode(order.contract)) {
    return false;
  }
  return opened.side !== order.side;
}

/** Whether an intent of unknown outcome may close what is held on a side of a contract. */
export function mayStillClose(
  held: { readonly contract: ContractCode; readonly side: Side },
  unknown: Pick<UnknownIntent, "intent">,
): boolean {
  const { intent } = unknown;
  if (intent?.kind !== "FLATTEN" && intent?.kind !== "ADJUST") return mayOpenAgainst(held, unknown);
  const scope = legScopeOf(intent);
  return scope !== undefined && isInScope(scope, held.contract);
}

/** Undefined where it depends on what is held. */
function openingSide(intent: Intent): Side | undefined {
  if (intent.kind === "PLACE") return intent.order.side;
  if (intent.kind === "TIMEOUT") return intent.side;
  if (intent.kind !== "ADJUST") return undefined;
  const { aim } = intent;
  if ("side" in aim) return aim.side;
  return aim.to === "position" ? (aim.netQty > 0 ? "BUY" : "SELL") : undefined;
}

/** Whether an intent cannot open or grow a position, whatever is held. A change may make an order larger. */
export const onlyReduces = (intent: Intent): boolean =>
  intent.kind !== "MODIFY" && openedBy(intent) === undefined;

/** Where the intent may open or grow a position. */
export function openedBy(
  intent: Intent,
): { readonly contract: ContractCode; readonly side: Side | undefined } | undefined {
  const side = openingSide(intent);
  if (intent.kind === "PLACE") return { contract: intent.order.contract, side };
  if (intent.kind === "TIMEOUT") {
    return intent.then === "market" ? { contract: intent.contract, side } : undefined;
  }
  if (intent.kind !== "ADJUST" || !mayOpen(intent.aim)) return undefined;
  return { contract: intent.contract, side };
}

/** How what could open a position ends once an exit, a cancel or a target was asked for after it. */
export const OVERTAKEN = {
  kind: "overtaken",
  reason:
    "An exit, a cancel or a new target of what it could open was asked for after it, so it was not sent and will not be; ask for it anew if it is wanted",
} as const satisfies Outcome;

/** What an order names. */
interface Named {
  readonly contract: ContractCode;
  readonly isFrontMonth?: true;
}

/** Of what names no month, every month is meant. */
const symbolOf = ({ contract, isFrontMonth }: Named): Scope => ({
  of: isFrontMonth === true ? rootOfCode(contract) : contract,
});

/** What names no month may be in any of its root. */
function isAbout(scope: Scope, { contract, isFrontMonth }: Named): boolean {
  if (isInScope(scope, contract)) return true;
  if (scope === "account" || isFrontMonth !== true) return false;
  return rootOfCode(scope.of as ContractCode) === rootOfCode(contract);
}
