// The goal: a fill that is taken back leaves no exit behind. The method: one bracket over the entities of its entry.
import { describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { MendedBracket } from "../../../../src/brokers/tradovate/mended-bracket.ts";
import type { Placement } from "../../../../src/brokers/tradovate/order-bodies.ts";
import { viewOrder } from "../../../../src/brokers/tradovate/order-view.ts";
import type { TradovateSession } from "../../../../src/brokers/tradovate/session.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { contractById, ES, event, fill, order, placed } from "./entity-kit.ts";

const ENTRY = 100;
const BUY = {
  clOrdId: clOrdId(`i${"a".repeat(28)}-1`),
  contract: ES.code,
  side: "BUY",
  ordType: "MARKET",
  orderQty: 2,
  bracket: { stopLoss: { by: "distance", distance: ticks(20) } },
} as never;

describe("a fill of the entry that is taken back", () => {
  test("leaves no stop behind, and the bracket is over", async () => {
    const store = new EntityStore();
    const ended: number[] = [];
    let now = 0;
    const session = {
      store,
      view: (id: number) => viewOrder(store, id, contractById),
      accountOf: () => "account",
    } as unknown as TradovateSession;
    const bracket = new MendedBracket(
      {
        session,
        commands: () => ({
          placeExits: async () =>
            ({
              kind: "accepted",
              orderId: orderId("300"),
              stopLossOrderId: orderId("300"),
            }) as const,
          changeOrder: async () => ({ kind: "accepted" }) as const,
          endOrder: async (id: number) => {
            ended.push(id);
            return { kind: "accepted" } as const;
          },
        }),
        onTrouble: () => undefined,
        onError: () => undefined,
        elapsed: () => now,
      },
      {
        place: { account: { id: 5 }, contract: { id: 1 } } as unknown as Placement,
        order: BUY,
        entry: ENTRY,
      },
    );
    const tell = (...told: readonly ReturnType<typeof event>[]) => {
      for (const one of told) store.apply(one);
    };
    tell(
      ...placed(ENTRY),
      event("order", "Updated", order(ENTRY, "Filled")),
      event("fill", "Created", fill(1, ENTRY, 2)),
    );
    await bracket.protect();
    tell(...placed(300));
    tell(event("fill", "Updated", { ...fill(1, ENTRY, 2), active: false }));
    // another standing fill of nothing: the busted one alone leaves no fills
    for (let i = 0; i < 10; i += 1) {
      now += 1_000;
      await bracket.mend();
    }
    tell(event("order", "Updated", order(300, "Canceled")));
    expect([bracket.isOver()]).toEqual([true]);
  });
  test("in part: the stop that outlived its position is ended", async () => {
    const store = new EntityStore();
    const ended: number[] = [];
    let now = 0;
    const session = {
      store,
      view: (id: number) => viewOrder(store, id, contractById),
      accountOf: () => "account",
    } as unknown as TradovateSession;
    const both = {
      ...(BUY as object),
      bracket: {
        stopLoss: { by: "distance", distance: ticks(20) },
        takeProfit: { by: "distance", distance: ticks(20) },
      },
    } as never;
    const bracket = new MendedBracket(
      {
        session,
        commands: () => ({
          placeExits: async () =>
            ({
              kind: "accepted",
              orderId: orderId("300"),
              takeProfitOrderId: orderId("301"),
              stopLossOrderId: orderId("300"),
            }) as const,
          changeOrder: async () => ({ kind: "accepted" }) as const,
          endOrder: async (id: number) => {
            ended.push(id);
            return { kind: "accepted" } as const;
          },
        }),
        onTrouble: () => undefined,
        onError: () => undefined,
        elapsed: () => now,
      },
      {
        place: { account: { id: 5 }, contract: { id: 1 } } as unknown as Placement,
        order: both,
        entry: ENTRY,
      },
    );
    const tell = (...told: readonly ReturnType<typeof event>[]) => {
      for (const one of told) store.apply(one);
    };
    tell(
      ...placed(ENTRY),
      event("order", "Updated", order(ENTRY, "Filled")),
      event("fill", "Created", fill(1, ENTRY, 1)),
      event("fill", "Created", fill(2, ENTRY, 1)),
    );
    await bracket.protect();
    tell(...placed(300), ...placed(301));
    tell(event("fill", "Updated", { ...fill(2, ENTRY, 1), active: false }));
    tell(
      event("fill", "Created", fill(3, 301, 1)),
      event("order", "Updated", order(301, "Filled")),
    );
    for (let i = 0; i < 10; i += 1) {
      now += 1_000;
      await bracket.mend();
    }
    expect(ended).toContain(300);
  });
});
