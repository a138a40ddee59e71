import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { Webhook } from "../domain/credential.ts";
import type { Intent } from "../domain/intent.ts";
import { errors, GatewayError } from "../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { AlertOrder, Gateway } from "./gateway.ts";
import { resolveHeld, resolveOrder } from "./resolve.ts";
import type { SubmitIntent } from "./submit-intent.ts";

/** Charting platforms hang up after 3 s; they are answered within 2 s whatever the broker does. */
const ANSWER_WITHIN_MS = 1_500;

export interface HandleAlertDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly submit: SubmitIntent;
  /** How old an alert's order may become unsent: entries, and what reduces a position. */
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
}

/** Turns an alert into an intent of the token's account (specification 4.3). */
export function createAlertUses(
  deps: HandleAlertDeps,
): Pick<Gateway, "requireAlertAccount" | "handleAlert"> {
  const { accounts, contracts, submit, entryMaxAgeMs, exitMaxAgeMs } = deps;
  return { requireAlertAccount, handleAlert };

  async function requireAlertAccount({ userId, accountId, paused }: Webhook): Promise<void> {
    if (paused) throw new GatewayError("WEBHOOK_PAUSED", "The webhook is paused");
    // The token outlives its account: an account that is gone is an inactive one.
    const account = accounts.find(accountId);
    if (account?.userId !== userId || !account.active) throw errors.accountInactive();
  }

  async function handleAlert(
    webhook: Webhook,
    alert: AlertOrder,
    { receivedAt, requestId }: Parameters<Gateway["handleAlert"]>[2],
  ) {
    await requireAlertAccount(webhook);
    const { userId, accountId, id } = webhook;
    return await submit({
      accountId,
      userId,
      requestId,
      receivedAt,
      source: { kind: "webhook", credentialId: id },
      intent: toIntent(contracts, alert, receivedAt),
      waitMs: ANSWER_WITHIN_MS,
      entryMaxAgeMs,
      exitMaxAgeMs,
    });
  }
}

function toIntent(contracts: ContractDirectory, alert: AlertOrder, nowMs: number): Intent {
  if (alert.kind === "order") return resolveOrder(contracts, alert.ticket, nowMs);
  // With a symbol it still closes the whole account, or nothing (4.3 rules 1 and 2).
  const root =
    alert.symbol === undefined ? undefined : resolveHeld(contracts, alert.symbol, nowMs).root;
  const mustHold = root === undefined ? {} : { mustHold: root };
  return { kind: "FLATTEN", ...mustHold, cancelResting: true };
}
