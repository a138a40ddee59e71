import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";

/** When the session that an instant lies in, or comes before, ends: Unix ms. */
export type SessionEndOf = (contract: ContractCode, at: number) => number;

/** Why all of a plan is to be closed now, in words; undefined while it is not. */
export function createCloseDue(sessionEndOf: SessionEndOf) {
  return ({ plan, contract, openedAt, filledAt }: RunningPlan, now: number): string | undefined => {
    const { closeAfterSeconds, closeBeforeSessionEndSeconds: before } = plan;
    if (openedAt === undefined) return undefined;
    if (closeAfterSeconds !== undefined && now >= openedAt + closeAfterSeconds * 1_000) {
      return `${closeAfterSeconds} s after its first fill`;
    }
    // Of the session that it was opened in: what was missed is still due in the next one.
    if (before === undefined) return undefined;
    const endsAt = sessionEndOf(contract, Math.min(openedAt, filledAt ?? openedAt));
    if (now < endsAt - before * 1_000) return undefined;
    return `${before} s before the end of the session`;
  };
}
