import type { AccountDirectory } from "./account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { Gateway } from "./gateway.ts";
import type { ResolveProtection } from "./resolve-protection.ts";

export interface ProtectPositionDeps {
  readonly accounts: AccountDirectory;
  readonly resolveProtection: ResolveProtection;
  readonly answer: AnswerIntent;
}

/** Attaches or replaces a position's take-profit and stop-loss (specification 4.2 rule 4). */
export function createProtectPosition(deps: ProtectPositionDeps): Gateway["protectPosition"] {
  const { accounts, resolveProtection, answer } = deps;

  return async function protectPosition(caller, accountId, { symbol, ...legs }) {
    const account = await accounts.requireActive(caller.userId, accountId);
    const intent = await resolveProtection(account, {
      legs,
      receivedAt: caller.receivedAt,
      ...(symbol !== undefined && { symbol }),
    });
    return await answer(caller, { accountId, intent });
  };
}
