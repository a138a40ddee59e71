import type { AlertRequest, ReadAlert } from "../../domain/alert.ts";
import { wouldClose } from "../../domain/asked-for.ts";
import { namesPosition, STRATEGY_ALERT_ID } from "../../domain/declared/strategy-alert-id.ts";
import type { Alarms } from "../alarms/alarm.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Settled } from "../orders/order-uses.ts";
import type { BrokerReads } from "../ports.ts";
import type { AlertEntry } from "./alert-log.ts";

/** Charting platforms send an alert again after 5 s at the earliest. */
const RESENT_AFTER_MS = 5_000;

const REASON = `The same alert came twice within seconds, and was carried out once. A position is still open. If these were two fills of an exit, its message needs "alertId": "${STRATEGY_ALERT_ID}"`;

/** Never fails, and its caller waits for nothing. */
export type TellRepeatedExit = (
  alert: ReadAlert,
  entry: AlertEntry,
  first: Settled | undefined,
) => void;

/**
 * Raises an alarm for a duplicate that may be the second of two equal fills of an exit: its message has no
 * position after the fill, it came too soon for a resend, and it would still close something.
 */
export function createTellRepeatedExit({
  accounts,
  reads,
  alarms,
}: {
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly reads: Pick<BrokerReads, "positions">;
  readonly alarms: Pick<Alarms, "raise">;
}): TellRepeatedExit {
  return function tellRepeatedExit(alert, entry, first) {
    if (!mayBeAnotherFill(alert, entry, first)) return;
    const { accountId, alertId, requestId } = entry;
    const raise = () =>
      alarms.raise({
        kind: "exitTakenForRepeat",
        intentId: alertId,
        accountId,
        requestId,
        reason: REASON,
      });
    isStillOpen(entry, first).then((isOpen) => isOpen && raise(), raise);
  };

  async function isStillOpen({ accountId }: AlertEntry, first: Settled | undefined) {
    const account = accounts.find(accountId);
    if (account === undefined || first === undefined) return true;
    const held = await reads.positions(account.connectionId, accountId);
    return wouldClose(first.record.intent, held);
  }
}

function mayBeAnotherFill(
  { request, saidPosition, senderAlertId, test }: ReadAlert,
  { receivedAt, replayOf }: AlertEntry,
  first: Settled | undefined,
): boolean {
  if (test === true || replayOf !== undefined || !takesOutAgain(request)) return false;
  if (saidPosition !== undefined || namesPosition(senderAlertId ?? "")) return false;
  if (first === undefined) return true;
  const { acceptedAt, outcome } = first.record;
  // Another ending has an alarm of its own.
  const isDone = outcome === undefined || outcome.kind === "done";
  return isDone && receivedAt - acceptedAt < RESENT_AFTER_MS;
}

/** Whether two of it may take out twice as much: neither a target nor what closes all of it. */
function takesOutAgain(request: AlertRequest): boolean {
  if (request.kind === "order") return true;
  if (request.kind !== "adjust") return false;
  const { aim } = request;
  if (aim.to === "close") return "qty" in aim || aim.percent < 100;
  return aim.to === "order" || (aim.to === "enter" && aim.whenOpposite === "reduceIfLess");
}
