import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { intentId, orderId } from "../../../../src/domain/ids.ts";
import { outcomeError } from "../../../../src/http/present/outcome.ts";

test.each(["withdrawn", "expired", "overtaken"] as const)(
  "an exit that was %s after it had closed a part is not said to be unsent, nor safe to try again",
  (kind) => {
    const closed = [{ contract: "ESZ2026" as ContractCode, netQty: 1, orderId: orderId("7") }];
    const soFar = {
      kind: "FLATTEN",
      closed,
      canceledOrderIds: [],
      remaining: [],
      remainingOrderIds: [],
      problems: [],
    } as const;
    const record = {
      intentId: intentId("i1"),
      intent: { kind: "FLATTEN", cancelResting: false },
    } as Parameters<typeof outcomeError>[0];
    const error = outcomeError(record, { kind, reason: "A person took it back", soFar });
    expect(error.spec.retry).not.toBe("safe");
    expect(error.spec.meaning).not.toMatch(/unsent/u);
    expect(JSON.stringify(error.facts ?? {})).toContain("ESZ2026");
  },
);
