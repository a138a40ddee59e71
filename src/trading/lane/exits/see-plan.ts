import { type AccountId, type IntentId, intentIdOf, sentIdOf } from "../../../domain/ids.ts";
import type { OrderReport } from "../../../domain/order.ts";
import type { LaneConnection } from "../connected.ts";
import { readSnapshot } from "../read-snapshot.ts";
import type { KeptPlan } from "./kept-plan.ts";
import type { PlanKeeperDeps } from "./plan-deps.ts";
import type { PlanIntentId } from "./plan-reads.ts";
import { readPlan, type Seen } from "./read-plan.ts";

/** Reads one plan among all of its account. Throws `BrokerReadError`. */
export async function seePlan(
  { books, elapsed, intents, intentIdOf: idOf, quoteOf, now }: PlanKeeperDeps,
  account: AccountId,
  { kept, plans }: { readonly kept: KeptPlan; readonly plans: readonly KeptPlan[] },
  { broker }: LaneConnection,
): Promise<Seen> {
  const { ended, settled, submitting, running } = kept;
  const { contract } = running;
  const snapshot = await readSnapshot(account, broker, (code) => code === contract);
  const trip = await books.read(account, contract, running.begunAt);
  const find = async (of: AccountId, id: IntentId) => await intents.find(of, id);
  const others = plans.filter((one) => one !== kept);
  return await readPlan(
    {
      account,
      broker,
      intentIdOf: idOf,
      find,
      ended,
      settled,
      submitting,
      trip,
      noteNames: (orders) => books.name(account, contract, orders),
      elapsed: elapsed(),
    },
    running,
    snapshot,
    {
      isOthers: (leg) => others.some((other) => isOf(other, leg, idOf)),
      quote: quoteOf(account, contract),
      now: now(),
    },
  );
}

function isOf({ running }: KeptPlan, { clOrdId }: OrderReport, idOf: PlanIntentId): boolean {
  const { planId, pairs, clOrdId: entry } = running;
  if (clOrdId === undefined) return false;
  if (sentIdOf(clOrdId) === entry) return true;
  return pairs.some((_, nth) => idOf(planId, "pair", nth + 1) === intentIdOf(clOrdId));
}
