// The goal: a turn that finds nothing to close is answered, and holds nothing up. The method: a stop that turns the other
// month around meanwhile.
import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdId, credentialId, orderId } from "../../../../src/domain/ids.ts";
import { ACCOUNT, type Lane, openLane, place, position } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});
const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);
const MAR = "ESH2027" as ContractCode;
function report(): void {
  const other = {
    orderId: orderId("news"),
    clOrdId: FOREIGN,
    ordStatus: "CANCELED",
    contract: MAR,
  } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, leavesQty: 0 }) });
}
const webhook = { source: { kind: "webhook", credentialId: credentialId("t1") } as never };

describe("a turn whose close had nothing left to close, and whose order may not follow", () => {
  // Nothing was sent, and that is known: UNKNOWN keeps the account's entries waiting for an outcome that no look-up finds.
  test.each([
    ["kill switch, closed by its stop", [], true],
    ["turned around meanwhile", [{ ...position(-2), contract: MAR }], false],
  ])("%s: is no unknown outcome, and the next entry goes", async (_, after, kill) => {
    lane.broker.held = [{ ...position(2), contract: MAR }];
    lane.intents.accountKillSwitch = { active: kill };
    lane.intents.after.beginSending = () => {
      delete lane.intents.after.beginSending;
      lane.broker.held = after;
      report();
    };
    const turned = { ...place({ side: "SELL", orderQty: 4 }), isFrontMonth: true } as never;
    const { outcome } = await lane.run(turned, webhook);
    lane.intents.accountKillSwitch = { active: false };
    const next = await lane.accept(place({ side: "SELL", orderQty: 1 }), webhook);
    await lane.work(next);
    const first = lane.record(next).state;
    expect([outcome?.kind === "unknown", first]).toEqual([false, "DONE"]);
  });
});
