import type { AveragePrice } from "../../domain/contracts/price.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { copyOutcome } from "../../trading/copying/copy-outcome.ts";
import type { CopyEntry, LoggedCopy } from "../../trading/copying/ports.ts";
import { ACTION_OF } from "../words.ts";
import { outcomeInWords } from "./alert-words.ts";
import { presentAverage, presentTime } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** One line of the copy log. */
export function presentCopy(copy: LoggedCopy, describe: DescribeContract) {
  const { entry, intent, measure } = copy;
  return {
    id: entry.copyId,
    groupId: entry.groupId,
    accountId: entry.follower,
    leaderAccountId: entry.leader,
    cause: entry.cause,
    outcome: copyOutcome(copy),
    reason: reasonOf(copy, describe),
    symbol: symbolOf(entry.contract, describe),
    targetQty: entry.targetQty ?? null,
    leader: presentLeader(entry, describe),
    filledQty: measure?.filledQty ?? 0,
    averagePrice: priceOf(entry.contract, measure?.avgPx, describe),
    slippageTicks: measure?.slippageTicks ?? null,
    sentMs: measure?.sentMs ?? null,
    settledMs: measure?.settledMs ?? null,
    notedAt: presentTime(entry.notedAt),
    decisions: entry.decisions,
    intentId: intent?.intentId ?? null,
  };
}

/** A copy that is on its way because somebody asked for it. */
export function presentSync(entry: CopyEntry, describe: DescribeContract) {
  return {
    copyId: entry.copyId,
    accountId: entry.follower,
    symbol: symbolOf(entry.contract, describe),
    targetQty: entry.targetQty ?? null,
  };
}

function reasonOf({ skipped, intent }: LoggedCopy, describe: DescribeContract): string | null {
  if (skipped !== undefined) return skipped.reason;
  return intent?.outcome === undefined ? null : outcomeInWords(intent.outcome, describe);
}

/** What the leader did; null where the copy follows from something else. */
function presentLeader(entry: CopyEntry, describe: DescribeContract) {
  const { leaderContract, leaderSide, leaderQty, leaderPx, leaderOrderId } = entry;
  if (leaderContract === undefined || leaderSide === undefined || leaderQty === undefined) {
    return null;
  }
  return {
    symbol: describe(leaderContract).symbol,
    action: ACTION_OF[leaderSide],
    qty: leaderQty,
    averagePrice: priceOf(leaderContract, leaderPx, describe),
    at: presentTime(entry.leaderAt),
    orderId: leaderOrderId ?? null,
  };
}

const symbolOf = (contract: ContractCode | undefined, describe: DescribeContract) =>
  contract === undefined ? null : describe(contract).symbol;

function priceOf(
  contract: ContractCode | undefined,
  price: AveragePrice | undefined,
  describe: DescribeContract,
): number | null {
  return contract === undefined ? null : presentAverage(price, describe(contract));
}
