// The goal: legs that wait for their entry go where its first fill says, unless a person moved them.
// The method: what the mender knows of them, over the entities of one entry.
import { expect, test } from "vitest";
import { BracketLegs, type WatchedEntry } from "../../../../src/brokers/tradovate/bracket-legs.ts";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { type OrderView, viewOrder } from "../../../../src/brokers/tradovate/order-view.ts";
import type { TradovateSession } from "../../../../src/brokers/tradovate/session.ts";
import type { NewOrderSingle } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { command, contractById, event, fill, order, placed, version } from "./entity-kit.ts";

const [ENTRY, TARGET, STOP] = [100, 200, 300];
/** In ticks: the entry asks for 20,001, and is filled two better. */
const [TARGET_AT, STOP_AT] = [20_041, 19_981];
const away = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;
const BUY = {
  side: "BUY",
  ordType: "LIMIT",
  price: ticks(20_001),
  bracket: { takeProfit: away(40), stopLoss: away(20) },
} as NewOrderSingle;

/** The new levels of legs whose orders are at these prices now, in ticks. */
function shifted(target: number, stop: number) {
  const store = new EntityStore();
  const leg = (id: number, more: object) => [
    event("order", "Created", order(id, "Suspended", { action: "Sell" as const })),
    event("command", "Created", command(id, "OnHold")),
    event("orderVersion", "Created", version(id, more)),
  ];
  const told = [
    ...placed(ENTRY),
    ...leg(TARGET, { price: target / 4 }),
    ...leg(STOP, { orderType: "Stop", price: undefined, stopPrice: stop / 4 }),
    event("fill", "Created", fill(1, ENTRY, 1, 19_999 / 4)),
  ];
  for (const one of told) store.apply(one);
  const view = (id: number) => viewOrder(store, id, contractById);
  const session = { store, view } as unknown as TradovateSession;
  const asked = { entry: ENTRY, target: TARGET, stop: STOP, order: BUY } as WatchedEntry;
  return new BracketLegs(session, asked, () => 0).shifted(view(ENTRY) as OrderView);
}

test("both follow the fill from where they were placed", () => {
  expect(shifted(TARGET_AT, STOP_AT)).toEqual({
    takeProfit: TARGET_AT - 2,
    stopLoss: STOP_AT - 2,
  });
});

test("one that a person moved stays there", () => {
  expect(shifted(TARGET_AT, STOP_AT + 6)).toEqual({ takeProfit: TARGET_AT - 2 });
  expect(shifted(TARGET_AT - 8, STOP_AT)).toEqual({ stopLoss: STOP_AT - 2 });
});
