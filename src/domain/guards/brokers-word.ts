import type { GuardFacts } from "./guard-facts.ts";
import type { PnlRule } from "./rule.ts";
import type { Sight } from "./sight.ts";

/** The parts of the broker's last word that count now. One that it did not say, or that is too old, is absent. */
export interface BrokersWord {
  /** Closed on the trading day, less fees. */
  readonly closed?: number;
  readonly open?: number;
  /** Worth of the account, open positions included. */
  readonly worth?: number;
  /** Every fill that is known is in it. */
  readonly isComplete: boolean;
}

/**
 * Its word counts until something newer contradicts it. While a position is open, prices do so after
 * 10 s, and a fill does: then only a word that is new counts.
 */
export function brokersWord({ broker, isOpen, doubt }: GuardFacts, sight: Sight): BrokersWord {
  const isComplete = broker?.mayLackFills !== true;
  if (broker === undefined || doubt !== undefined || (!sight.broker && !isComplete)) {
    return { isComplete };
  }
  const { closed, open, worth } = broker;
  const isOpenKnown = sight.broker || !isOpen;
  return {
    isComplete,
    ...(closed !== undefined && { closed }),
    ...(isOpenKnown && open !== undefined && { open }),
    ...(isOpenKnown && worth !== undefined && { worth }),
  };
}

/**
 * The result of the trading day by the broker's word. A part that it does not say is ours where ours is
 * the milder one: a graver one may be the same loss, which both learn of at different moments.
 */
export function netByBroker(
  { kind, counts }: PnlRule,
  facts: GuardFacts,
  sight: Sight,
  own: { readonly closed: number; readonly open: number | undefined },
): number | undefined {
  const { closed, open: said, isComplete } = brokersWord(facts, sight);
  if (counts === "closed") return closed;
  const open = said ?? (isComplete && !facts.isOpen ? 0 : undefined);
  if (closed !== undefined && open !== undefined) return closed + open;
  if (!isComplete) return undefined;
  const milder = (ours: number) => (kind === "loss" ? Math.max(0, ours) : Math.min(0, ours));
  if (closed !== undefined) return own.open === undefined ? undefined : closed + milder(own.open);
  if (said === undefined) return undefined;
  return said + (own.open === undefined ? own.closed : milder(own.closed));
}
