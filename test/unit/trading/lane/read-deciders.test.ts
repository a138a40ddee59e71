// The goal: no exit waits for requests that anything else has used up, or is sized by memory.
// The method: each intent runs on the lane, and the broker notes the decider that its reads name.
import { expect, test } from "vitest";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Decider } from "../../../../src/trading/ports.ts";
import { ES, openLane, place, position } from "../lane-kit.ts";

const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
const es = { kind: "ADJUST", contract: ES, terms } as const;
const levels = { stopLoss: { by: "price", price: ticks(3_900) } } as const;

test.each<[string, Intent, Decider]>([
  ["a flatten", { kind: "FLATTEN", cancelResting: true }, "exit"],
  ["a close", { ...es, aim: { to: "close", percent: 100 } }, "exit"],
  ["a target of nothing", { ...es, aim: { to: "position", netQty: 0 } }, "exit"],
  ["a cancel", { kind: "CANCEL", orderId: orderId("7") }, "exit"],
  ["a cancel of entries", { kind: "CANCEL_ENTRIES" }, "exit"],
  ["a protection", { kind: "PROTECT", contract: ES, levels }, "exit"],
  ["an order", place(), "entry"],
  ["a target", { ...es, aim: { to: "position", netQty: 2 } }, "entry"],
  [
    "a change, which may make an order larger",
    { kind: "MODIFY", orderId: orderId("7"), clOrdId: clOrdId("a-1"), change: { orderQty: 3 } },
    "entry",
  ],
])("reads of %s name what they decide on", async (_, intent, decider) => {
  const lane = await openLane();
  const { broker } = lane;
  broker.held = [position(1)];
  const named = new Set<Decider | undefined>();
  const [positions, working] = [broker.positions.bind(broker), broker.workingOrders.bind(broker)];
  const noting = {
    positions: async (_account: unknown, by?: Decider) => {
      named.add(by);
      return await positions();
    },
    workingOrders: async (_account: unknown, by?: Decider) => {
      named.add(by);
      return await working();
    },
  };
  Object.assign(broker, noting);
  await lane.run(intent);
  expect([...named]).toEqual([decider]);
});
