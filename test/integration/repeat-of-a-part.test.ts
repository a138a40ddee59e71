// The goal: an exit that had closed a part before it was given up is not begun anew by a repeat. The
// method: the real scripts on a real Redis.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { intentId, orderId } from "../../src/domain/ids.ts";
import type { Outcome } from "../../src/domain/intent.ts";
import { AlertKit, same } from "../unit/store/alert-kit.ts";

let kit: AlertKit;
beforeEach(async () => {
  kit = await AlertKit.open();
});
afterEach(() => kit.base.corner.close());

const original = intentId("original");
const givenUp = (kind: "expired" | "withdrawn" | "overtaken"): Outcome => ({
  kind,
  reason: "Given up",
  soFar: {
    kind: "FLATTEN",
    closed: [{ contract: "ESZ2026" as ContractCode, netQty: 1, orderId: orderId("7") }],
    canceledOrderIds: [],
    remaining: [],
    remainingOrderIds: [],
    problems: [],
  },
});

test.each(["expired", "withdrawn", "overtaken"] as const)(
  "a replay of a replay that %s after it closed a part is known",
  async (kind) => {
    await kit.accept({ sameAs: same("A") });
    const sameAs = same("A", { replayOf: original });
    const first = await kit.accept({ sameAs });
    await kit.base.begin(first);
    await kit.base.settle(first, givenUp(kind));
    expect(await kit.send({ sameAs })).toMatchObject({ kind: "known", intentId: first });
  },
);

test.each(["expired", "withdrawn", "overtaken"] as const)(
  "an alert that %s after it closed a part is known",
  async (kind) => {
    const first = await kit.accept({ sameAs: same("A", { id: "id-1" }) });
    await kit.base.begin(first);
    await kit.base.settle(first, givenUp(kind));
    const again = { sameAs: same("A", { id: "id-1" }) };
    expect(await kit.send(again)).toMatchObject({ kind: "known", intentId: first });
  },
);
