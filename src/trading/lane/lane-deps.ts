import type { IntentRecord, Outcome } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { ClOrdId } from "../../domain/ids.ts";
import type { DescribeContract } from "../gateway.ts";
import type { Broker, OwnedConnection } from "../ports.ts";
import type { IntentStore, LaneContext } from "../store-ports.ts";
import type { OrderWatch } from "./order-watch.ts";

/** What every kind of intent is carried out with. */
export interface LaneDeps {
  readonly intents: IntentStore;
  readonly watch: OrderWatch;
  readonly defaultLimits: AccountLimits;
  /** Orders per minute of the whole appliance. */
  readonly maxOrdersPerMinute: number;
  readonly describe: DescribeContract;
}

/** One intent with the broker that it is for. */
export interface LaneTask {
  readonly context: LaneContext;
  readonly record: IntentRecord;
  readonly broker: Broker;
  readonly connection: OwnedConnection;
}

/**
 * Writes the state SENDING with the order's identifier before anything is sent. `entry` is given for
 * what adds risk: it is counted, and has the shorter age. Answers the outcome to end with when
 * nothing may be sent, undefined when it may.
 */
export async function beforeSending(
  { intents, maxOrdersPerMinute }: LaneDeps,
  { record }: LaneTask,
  clOrdId: ClOrdId,
  entry?: { readonly maxOrdersPerMinute: number },
): Promise<Outcome | undefined> {
  const permit = await intents.beginSending({
    account: record.accountId,
    intentId: record.intentId,
    clOrdId,
    expiresAt: entry === undefined ? record.exitExpiresAt : record.entryExpiresAt,
    ...(entry !== undefined && {
      countAgainst: { perAccount: entry.maxOrdersPerMinute, inAll: maxOrdersPerMinute },
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
    case "expired":
      return { kind: "expired", reason: "It became too old to be sent" };
    case "refused":
      return { kind: "withdrawn", reason: `Nothing was sent: ${permit.reason}` };
  }
}
