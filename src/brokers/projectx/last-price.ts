import type { Ticks } from "../../domain/contracts/price.ts";
import type { KnownContract } from "./contract-desk.ts";
import { isRecord, listOf, parseInstant } from "./parse.ts";
import { toTicks } from "../price-numbers.ts";
import type { Requests } from "./requests.ts";

const MINUTES = 2;
/** A market that nobody has traded in for so long says nothing of where an order fills. */
const LOOKS_BACK_MS = 5 * 60_000;

/**
 * Where the market was last, in ticks, by the bar that is open or the one before: bars need no
 * subscription. Undefined where nothing has traded lately. Throws `BrokerReadError`.
 */
export async function lastPrice(
  requests: Pick<Requests, "read">,
  { id, tickSize }: KnownContract,
  now: number,
): Promise<Ticks | undefined> {
  const body = {
    contractId: id,
    live: false,
    startTime: new Date(now - LOOKS_BACK_MS).toISOString(),
    endTime: new Date(now + LOOKS_BACK_MS).toISOString(),
    unit: MINUTES,
    unitNumber: 1,
    limit: 10,
    includePartialBar: true,
  };
  const answer = await requests.read("History/retrieveBars", body, "entry");
  const bars = (listOf(answer, "bars") ?? []).flatMap((bar) => {
    if (!isRecord(bar) || typeof bar["c"] !== "number" || typeof bar["t"] !== "string") return [];
    return [{ at: parseInstant(bar["t"]), close: bar["c"] }];
  });
  // Newest first by the documents' example, and no document says so.
  const [newest] = bars.toSorted((one, other) => other.at - one.at);
  return newest === undefined ? undefined : toTicks(newest.close, tickSize);
}
