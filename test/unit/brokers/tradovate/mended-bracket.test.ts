// The goal: exits that follow their entry's fill are placed, in whichever order the entry's end and its fill are reported.
// The method: one bracket over the entities of its entry, and what it has placed.
import { expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { MendedBracket } from "../../../../src/brokers/tradovate/mended-bracket.ts";
import type { Placement } from "../../../../src/brokers/tradovate/order-bodies.ts";
import { viewOrder } from "../../../../src/brokers/tradovate/order-view.ts";
import type { TradovateSession } from "../../../../src/brokers/tradovate/session.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { NewOrderSingle, ProtectionOrder } from "../../../../src/domain/order.ts";
import { contractById, ES, event, fill, order, placed } from "./entity-kit.ts";

const ENTRY = 100;
const BUY = {
  clOrdId: clOrdId(`i${"a".repeat(28)}-1`),
  contract: ES.code,
  side: "BUY",
  ordType: "MARKET",
  orderQty: 2,
  bracket: { stopLoss: { by: "distance", distance: ticks(20) } },
} as unknown as NewOrderSingle;

function open() {
  const store = new EntityStore();
  const sent: ProtectionOrder[] = [];
  const session = {
    store,
    view: (id: number) => viewOrder(store, id, contractById),
    accountOf: () => "account",
  } as unknown as TradovateSession;
  const place = { account: { id: 5 }, contract: { id: 1 } } as unknown as Placement;
  const commands = () => ({
    placeExits: async (_: unknown, exits: ProtectionOrder) => {
      sent.push(exits);
      return {
        kind: "accepted",
        orderId: orderId("300"),
        stopLossOrderId: orderId("300"),
      } as const;
    },
    changeOrder: async () => ({ kind: "accepted" }) as const,
    endOrder: async () => ({ kind: "accepted" }) as const,
  });
  const bracket = new MendedBracket(
    { session, commands, onTrouble: () => undefined, onError: () => undefined, elapsed: () => 0 },
    { place, order: BUY, entry: ENTRY },
  );
  const tell = (...told: readonly ReturnType<typeof event>[]) => {
    for (const one of told) store.apply(one);
  };
  tell(...placed(ENTRY));
  return { bracket, sent, tell };
}

const END = event("order", "Updated", order(ENTRY, "Filled"));
const FILL = event("fill", "Created", fill(1, ENTRY, 2));

test("an entry that is called filled is not over before its fill is told", async () => {
  const { bracket, sent, tell } = open();
  tell(END);
  expect(bracket.isOver()).toBe(false);
  tell(FILL);
  await bracket.protect();
  expect(sent).toMatchObject([{ orderQty: 2, stopLoss: {} }]);
});

test("nor before all of its fills are told", () => {
  const { bracket, tell } = open();
  tell(END, event("fill", "Created", fill(1, ENTRY, 1)));
  expect(bracket.isOver()).toBe(false);
});

test("one that was cancelled unfilled is over", () => {
  const { bracket, tell } = open();
  tell(event("order", "Updated", order(ENTRY, "Canceled")));
  expect(bracket.isOver()).toBe(true);
});
