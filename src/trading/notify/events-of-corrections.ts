import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { formatTicks, tickSize as sizeOf } from "../../domain/contracts/price.ts";
import type { FactsOf } from "../../domain/notify/event.ts";
import { type AccountId, intentIdOf } from "../../domain/ids.ts";
import type { LedgerEntry } from "../../domain/ledger/ledger-entry.ts";
import type { Fill } from "../../domain/order.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { EventDraft } from "./outbox.ts";

/** Facts beside the line itself. */
export interface CorrectionContext {
  readonly positionQty: number | undefined;
  readonly describe: DescribeContract;
  /** The day (ISO) of an account that an instant belongs to. */
  readonly dayOf: (account: AccountId, at: number) => string;
}

/** Says what the fill was, what it is, and in which day's figures that counts. */
export function draftOfCorrection(
  accountId: AccountId,
  { fill, former }: Extract<LedgerEntry, { kind: "correction" }>,
  { positionQty, describe, dayOf }: CorrectionContext,
): EventDraft {
  const { contract, side, orderId, clOrdId, lastQty, takenBack } = fill;
  const symbol = symbolOfCode(contract);
  const intentId = clOrdId === undefined ? undefined : intentIdOf(clOrdId);
  const was = textOf(former ?? fill, describe);
  const what =
    takenBack === true
      ? `the broker took back a fill: ${was} ${symbol}`
      : `the broker corrected a fill: ${was}, now ${textOf(fill, describe)} ${symbol}`;
  const day = dayOf(accountId, fill.transactTimeAt);
  const counts =
    former === undefined
      ? "It had not been counted"
      : `The figures of ${day} are corrected, also where its summary was sent before`;
  const facts: FactsOf<"order.fill_corrected"> = {
    ...(intentId !== undefined && { intentId }),
    orderId,
    symbol,
    action: side === "BUY" ? "buy" : "sell",
    qty: takenBack === true ? 0 : lastQty,
    outcome: takenBack === true ? "takenBack" : "corrected",
    reason: `${what}. ${counts}`,
    ...(positionQty !== undefined && { positionQty }),
  };
  const position = positionQty === undefined ? "" : `. Position: ${positionQty}`;
  return {
    type: "order.fill_corrected",
    severity: "critical",
    accountId,
    message: `${accountId}: ${what}. ${counts}${position}`,
    advice:
      "Check what the account holds and what protects it. Followers of this account are not changed",
    facts,
  };
}

function textOf({ side, lastQty, lastPx, contract, terms }: Fill, describe: DescribeContract) {
  const { tickSize } = describe(contract, terms);
  const at = tickSize === undefined ? "" : ` at ${formatTicks(lastPx, sizeOf(tickSize))}`;
  return `${side === "BUY" ? "bought" : "sold"} ${lastQty}${at}`;
}
