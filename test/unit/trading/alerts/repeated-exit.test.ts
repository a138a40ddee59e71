import { expect, test } from "vitest";
import type { ReadAlert } from "../../../../src/domain/alert.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { Alarm } from "../../../../src/trading/alarms/alarm.ts";
import { createTellRepeatedExit } from "../../../../src/trading/alerts/repeated-exit.ts";
import { entryOf } from "./logged-alerts.ts";

const ES = "ESZ2026" as ContractCode;
const SOLD: ReadAlert = {
  request: {
    kind: "order",
    ticket: { symbol: "ES1!", side: "SELL", orderQty: 1, ordType: "MARKET" },
  },
  senderAlertId: "TP 2026-09-21T14:30:00Z",
  unread: [],
};
const REDUCED: ReadAlert = {
  ...SOLD,
  request: {
    kind: "adjust",
    symbol: "ES1!",
    aim: { to: "close", qty: 1 },
    terms: { ordType: "MARKET" },
  },
};
const TARGET: ReadAlert = {
  ...SOLD,
  request: {
    kind: "adjust",
    symbol: "ES1!",
    aim: { to: "position", netQty: 1 },
    terms: { ordType: "MARKET" },
  },
};

const order = { contract: ES, side: "SELL", orderQty: 1, ordType: "MARKET" } as const;

/** The alarms of a second one, so long after the first, in an account that holds so many then. */
async function raisedFor(
  alert: ReadAlert,
  { held = 1, afterMs = 800, outcome = "done" }: Partial<Case> = {},
): Promise<readonly Alarm[]> {
  const raised: Alarm[] = [];
  let isRead = Promise.resolve();
  const tell = createTellRepeatedExit({
    accounts: { find: () => ({ connectionId: "c1" }) as never },
    reads: {
      positions: async () => {
        isRead = new Promise((resolve) => void setImmediate(resolve));
        if (held === "unread") throw new Error("cannot be read");
        return held === 0 ? [] : [{ contract: ES, netQty: held }];
      },
    },
    alarms: { raise: (alarm) => void raised.push(alarm) },
  });
  const entry = entryOf("a2");
  const record = {
    acceptedAt: entry.receivedAt - afterMs,
    intent: { kind: "PLACE", order, isFrontMonth: true },
    outcome: { kind: outcome },
  };
  tell(alert, entry, { record, replayed: true } as never);
  await isRead;
  return raised;
}

interface Case {
  readonly held: number | "unread";
  readonly afterMs: number;
  readonly outcome: string;
}

const ID_WITH_POSITION = "TP 2026-09-21T14:30:00Z long 1";

test.each<readonly [string, ReadAlert, Partial<Case>, number]>([
  ["a sell, with a contract left", SOLD, {}, 1],
  ["a part that is closed, with a contract left", REDUCED, {}, 1],
  ["one without an id", { ...SOLD, senderAlertId: undefined } as never, {}, 1],
  ["a sell, of positions that cannot be read", SOLD, { held: "unread" }, 1],
  ["a sell, with nothing left", SOLD, { held: 0 }, 0],
  ["a sell that opened", SOLD, { held: -1 }, 0],
  ["a resend", SOLD, { afterMs: 5_000 }, 0],
  ["one whose first was refused", SOLD, { outcome: "rejected" }, 0],
  ["a target", TARGET, {}, 0],
  ["a test", { ...SOLD, test: true }, {}, 0],
  ["one whose id holds the position", { ...SOLD, senderAlertId: ID_WITH_POSITION }, {}, 0],
  ["one with the position in its fields", { ...SOLD, saidPosition: "long 1" }, {}, 0],
])("a duplicate of %s", async (_, alert, given, alarms) => {
  const raised = await raisedFor(alert, given);
  expect(raised).toHaveLength(alarms);
  for (const one of raised) {
    expect(one).toMatchObject({
      kind: "exitTakenForRepeat",
      reason: expect.stringContaining("{{strategy.market_position_size}}"),
    });
  }
});
