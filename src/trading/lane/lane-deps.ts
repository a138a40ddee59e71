import type { ClOrdId } from "../../domain/ids.ts";
import { type IntentRecord, type LegPlan, type Outcome, ownerOf } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { DescribeContract } from "../gateway.ts";
import type { Broker, OwnedConnection } from "../ports.ts";
import { type IntentStore, type LaneContext, StoreError } from "../store-ports.ts";
import type { OrderWatch } from "./order-watch.ts";

/** What every kind of intent is carried out with. */
export interface LaneDeps {
  readonly intents: IntentStore;
  readonly watch: OrderWatch;
  readonly defaultLimits: AccountLimits;
  /** Orders per minute of the whole appliance. */
  readonly maxOrdersPerMinute: number;
  readonly describe: DescribeContract;
  /** False once another process may be the owner: from then on nothing is sent. */
  readonly maySend: () => boolean;
}

/** One intent with the broker that it is for. */
export interface LaneTask {
  readonly context: LaneContext;
  readonly record: IntentRecord;
  readonly broker: Broker;
  readonly connection: OwnedConnection;
}

/** An order is one order; other intents have a handful, and never more than this. */
const MOST_ORDERS = 64;

export interface Sending {
  readonly clOrdId: ClOrdId;
  /** Given for what adds risk. */
  readonly entry?: { readonly maxOrdersPerMinute: number } | undefined;
  readonly plan?: LegPlan | undefined;
}

/**
 * Writes the state SENDING with the order's identifier before anything is sent. Answers the outcome
 * to end with when nothing may be sent, undefined when it may.
 */
export async function beforeSending(
  { intents, maxOrdersPerMinute, maySend }: LaneDeps,
  { record }: LaneTask,
  { clOrdId, entry, plan }: Sending,
): Promise<Outcome | undefined> {
  if (!maySend()) {
    throw new StoreError("the lanes are another owner's now", { certainlyNotWritten: true });
  }
  const permit = await intents.beginSending({
    account: record.accountId,
    intentId: record.intentId,
    clOrdId,
    expiresAt: entry === undefined ? record.exitExpiresAt : record.entryExpiresAt,
    maxOrders: record.intent.kind === "PLACE" ? 1 : MOST_ORDERS,
    plan,
    ...(entry !== undefined && {
      entry: {
        perAccount: entry.maxOrdersPerMinute,
        inAll: maxOrdersPerMinute,
        owner: ownerOf(record),
      },
    }),
  });
  switch (permit.kind) {
    case "granted":
      return undefined;
    case "limited": {
      const whose = permit.which === "account" ? "The account" : "The gateway";
      const reason = `${whose} has sent ${permit.limit} orders within a minute, which is its limit`;
      return { kind: "denied", code: "LIMIT_EXCEEDED", reason };
    }
    case "killed": {
      const reason = "The kill switch is on: only orders that reduce a position are sent";
      return { kind: "denied", code: "KILL_SWITCH_ON", reason };
    }
    case "expired":
      return { kind: "expired", reason: "It became too old to be sent" };
    case "refused":
      return { kind: "withdrawn", reason: `Nothing was sent: ${permit.reason}` };
  }
}
