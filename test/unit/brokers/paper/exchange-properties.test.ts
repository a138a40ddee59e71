import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExchangeAccount } from "../../../../src/brokers/paper/exchange/exchange-account.ts";
import { leavesQty, toReport } from "../../../../src/brokers/paper/exchange/exchange-order.ts";
import type { EntryKind } from "../../../../src/brokers/paper/exchange/ledger.ts";
import { decodeAccount, encodeEntry, entryKey } from "../../../../src/brokers/paper/state.ts";
import { clOrdId } from "../../../../src/domain/ids.ts";
import { isClosed, type NewOrderSingle, SIDES, sign } from "../../../../src/domain/order.ts";
import { ORD_TYPES } from "../../../../src/domain/declared/order-types.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { A, B, createTestExchange, ES, type TestExchange } from "./test-exchange.ts";

type Step =
  | { readonly do: "quote"; readonly bid: number; readonly size: number }
  | { readonly do: "submit"; readonly account: typeof A; readonly order: Partial<NewOrderSingle> }
  | { readonly do: "protect"; readonly account: typeof A; readonly qty: number }
  | {
      readonly do: "modify";
      readonly account: typeof A;
      readonly nth: number;
      readonly price: number;
    }
  | {
      readonly do: "resize";
      readonly account: typeof A;
      readonly nth: number;
      readonly qty: number;
    }
  | { readonly do: "cancel"; readonly account: typeof A; readonly nth: number }
  | { readonly do: "close"; readonly account: typeof A }
  | { readonly do: "wait"; readonly hours: number };

const account = fc.constantFrom(A, B);
const qty = fc.integer({ min: 1, max: 8 });
const price = fc.integer({ min: 985, max: 1_015 }).map(ticks);
const distance = fc.integer({ min: 1, max: 8 }).map(ticks);
const nth = fc.nat(20);

const level = fc.oneof(
  fc.record({ by: fc.constant("price" as const), price }),
  fc.record({ by: fc.constant("distance" as const), distance }),
);
const order = fc
  .record({
    side: fc.constantFrom(...SIDES),
    orderQty: qty,
    ordType: fc.constantFrom(...ORD_TYPES),
    timeInForce: fc.constantFrom("DAY", "GTC", "GTC", "IOC", "FOK"),
    price,
    stopPx: price,
    trailOffset: distance,
    bracket: fc.option(fc.record({ takeProfit: level, stopLoss: level }, { requiredKeys: [] })),
  })
  // A trailing stop may say where it starts, but mostly does not.
  .map(({ bracket, ...rest }) => ({ ...rest, ...(bracket !== null && { bracket }) }));

const bid = fc.integer({ min: 985, max: 1_015 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("quote"), bid, size: fc.nat(12) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("submit"), account, order }) },
  fc.record({ do: fc.constant("protect"), account, qty }),
  fc.record({ do: fc.constant("modify"), account, nth, price }),
  fc.record({ do: fc.constant("resize"), account, nth, qty }),
  fc.record({ do: fc.constant("cancel"), account, nth }),
  fc.record({ do: fc.constant("close"), account }),
  fc.record({ do: fc.constant("wait"), hours: fc.integer({ min: 1, max: 10 }) }),
);
const steps = fc.array(step, { maxLength: 40, size: "max" });

/** Runs steps and calls back after each one. */
function run(todo: readonly Step[], after: (market: TestExchange, step: Step) => void) {
  const market = createTestExchange();
  for (const [i, one] of todo.entries()) {
    take(market, one, i);
    after(market, one);
  }
  return market;
}

function take(market: TestExchange, one: Step, i: number): void {
  const { exchange, quote, submit, clock } = market;
  const nthOrder = (from: typeof A, n: number) => {
    const working = [...accountOf(market, from).working.keys()];
    return working[n % Math.max(1, working.length)];
  };
  switch (one.do) {
    case "quote":
      return quote(one.bid, one.bid + 1, one.size);
    case "submit":
      return void submit(one.order, one.account);
    case "protect":
      return void exchange.submitProtection(one.account, {
        contract: ES,
        side: "SELL",
        orderQty: one.qty,
        takeProfit: { clOrdId: clOrdId(`T${i}`), price: ticks(1_005) },
        stopLoss: { clOrdId: clOrdId(`S${i}`), stopPx: ticks(995) },
      });
    case "modify": {
      const id = nthOrder(one.account, one.nth);
      if (id === undefined) return;
      const isStop = exchange.account(one.account)?.order(id)?.ordType.includes("STOP");
      const change = isStop ? { stopPx: ticks(one.price) } : { price: ticks(one.price) };
      return void exchange.modifyOrder(one.account, { orderId: id, ...change });
    }
    case "resize": {
      const id = nthOrder(one.account, one.nth);
      if (id !== undefined) exchange.modifyOrder(one.account, { orderId: id, orderQty: one.qty });
      return;
    }
    case "cancel": {
      const id = nthOrder(one.account, one.nth);
      if (id !== undefined) exchange.cancelOrder(one.account, id);
      return;
    }
    case "close":
      return void exchange.closePosition(one.account, ES, clOrdId(`X${i}`));
    case "wait":
      clock.now += one.hours * 3_600_000;
      return exchange.expireOrders();
  }
}

function accountOf({ exchange }: TestExchange, id: typeof A): ExchangeAccount {
  const found = exchange.account(id);
  if (found === undefined) throw new Error(`no account ${id}`);
  return found;
}

const ordersOf = (state: ExchangeAccount) => [...state.working.values(), ...state.closed.values()];
const snapshot = (state: ExchangeAccount) => ({
  lastId: state.lastId,
  orders: ordersOf(state).sort((a, b) => Number(a.orderId) - Number(b.orderId)),
  positions: [...state.positions.values()],
  fills: [...state.fills.values()],
});

test("a position is always the sum of its fills, and an order the sum of its own", () => {
  fc.assert(
    fc.property(steps, (todo) => {
      run(todo, (market) => {
        for (const id of [A, B]) {
          const state = accountOf(market, id);
          const fills = [...state.fills.values()];
          const net = fills.reduce((sum, { side, lastQty }) => sum + sign(side) * lastQty, 0);
          const position = state.positions.get(ES);
          expect(position?.netQty ?? 0).toBe(net);
          const open = (position?.lots ?? []).reduce((sum, lot) => sum + lot.qty, 0);
          expect(open).toBe(Math.abs(net));
          for (const { orderId, cumQty, orderQty } of ordersOf(state)) {
            const own = fills.filter((fill) => fill.orderId === orderId);
            expect(own.reduce((sum, { lastQty }) => sum + lastQty, 0)).toBe(cumQty);
            expect(cumQty).toBeLessThanOrEqual(orderQty);
          }
        }
      });
    }),
  );
});

test("no order is filled beyond its limit, nor beyond what the street displayed", () => {
  fc.assert(
    fc.property(steps, (todo) => {
      const taken = { BUY: 0, SELL: 0 };
      let size = 1_000;
      let seen = 0;
      run(todo, ({ reports }, one) => {
        if (one.do === "quote") {
          [taken.BUY, taken.SELL, size] = [0, 0, one.size];
        }
        for (const { order: at, fill } of reports.slice(seen)) {
          if (fill === undefined) continue;
          taken[fill.side] += fill.lastQty;
          if (at.price === undefined || !at.ordType.includes("LIMIT")) continue;
          expect(sign(fill.side) * (at.price - fill.lastPx)).toBeGreaterThanOrEqual(0);
        }
        seen = reports.length;
        expect(Math.max(taken.BUY, taken.SELL)).toBeLessThanOrEqual(size);
      });
    }),
  );
});

test("legs never close more than their entry filled, and both together neither", () => {
  fc.assert(
    fc.property(steps, (todo) => {
      run(todo, (market) => {
        for (const id of [A, B]) {
          const state = accountOf(market, id);
          for (const entry of ordersOf(state)) {
            const legs = entry.legIds.flatMap((leg) => state.order(leg) ?? []);
            const closed = legs.reduce((sum, { cumQty }) => sum + cumQty, 0);
            for (const leg of legs) {
              const live = leg.ordStatus === "HELD" ? 0 : leavesQty(leg);
              expect(closed + live).toBeLessThanOrEqual(entry.cumQty);
            }
            const isOver = !state.working.has(entry.orderId);
            const waiting = legs.filter(({ ordStatus }) => ordStatus === "HELD");
            expect(isOver ? waiting : []).toEqual([]);
          }
        }
      });
    }),
  );
});

test("an unchanged linked pair never fills more than its size", () => {
  const untouched = steps.map((todo) => todo.filter((one) => one.do !== "resize"));
  fc.assert(
    fc.property(untouched, (todo) => {
      const market = run(todo, () => undefined);
      for (const id of [A, B]) {
        const state = accountOf(market, id);
        for (const [i, one] of todo.entries()) {
          if (one.do !== "protect" || one.account !== id) continue;
          const target = state.orderOf(clOrdId(`T${i}`))?.cumQty ?? 0;
          const stop = state.orderOf(clOrdId(`S${i}`))?.cumQty ?? 0;
          expect(target + stop).toBeLessThanOrEqual(one.qty);
        }
      }
    }),
  );
});

test("fill-or-kill is all or nothing, and nothing immediate stays", () => {
  fc.assert(
    fc.property(steps, (todo) => {
      run(todo, (market) => {
        for (const id of [A, B]) {
          const orders = ordersOf(accountOf(market, id));
          const fok = orders.filter(({ timeInForce }) => timeInForce === "FOK");
          expect(fok.filter(({ cumQty, orderQty }) => cumQty % orderQty !== 0)).toEqual([]);
          const atOnce = orders.filter(({ timeInForce }) => ["IOC", "FOK"].includes(timeInForce));
          expect(atOnce.filter(({ ordStatus }) => !isClosed(ordStatus))).toEqual([]);
        }
      });
    }),
  );
});

test("a trailing stop never gives way", () => {
  const trail = fc.record({ side: fc.constantFrom(...SIDES), trailOffset: distance });
  fc.assert(
    fc.property(trail, fc.array(bid, { maxLength: 30 }), ({ side, trailOffset }, bids) => {
      const market = createTestExchange();
      const { orderId } = market.place({ side, ordType: "TRAILING_STOP", trailOffset });
      let last = market.order(orderId).stopPx ?? 0;
      for (const at of bids) {
        market.quote(at, at + 1);
        const { stopPx = 0 } = market.order(orderId);
        expect(sign(side) * (last - stopPx)).toBeGreaterThanOrEqual(0);
        last = stopPx;
      }
    }),
  );
});

test("quotes are wanted exactly while an order is live", () => {
  fc.assert(
    fc.property(steps, (todo) => {
      run(todo, (market) => {
        const isLive = [A, B].some((id) =>
          [...accountOf(market, id).working.values()].some(({ ordStatus }) => ordStatus !== "HELD"),
        );
        expect(market.interest.at(-1) ?? false).toBe(isLive);
      });
    }),
  );
});

test("what was kept is the whole state, and goes on from there as if nothing had happened", () => {
  fc.assert(
    fc.property(steps, bid, (todo, nextBid) => {
      const kept = { [A]: new Map<string, string>(), [B]: new Map<string, string>() };
      const market = run(todo, (running) => keepChanges(running, kept));
      const restarted = createTestExchange();
      restarted.clock.now = market.clock.now;
      for (const id of [A, B]) {
        restarted.exchange.removeAccount(id);
        const state = decodeAccount(id, kept[id] ?? new Map());
        restarted.exchange.addAccount(id, state);
        expect(snapshot(accountOf(restarted, id))).toEqual(snapshot(accountOf(market, id)));
      }

      for (const { quote } of [market, restarted]) quote(nextBid, nextBid + 1, 5);
      for (const id of [A, B]) {
        const [before, after] = [market, restarted].map((m) => accountOf(m, id));
        expect(after?.positions).toEqual(before?.positions);
        expect([...(after?.working.values() ?? [])].map(toReport).sort(byId)).toEqual(
          [...(before?.working.values() ?? [])].map(toReport).sort(byId),
        );
      }
    }),
  );
});

const byId = (a: { orderId: string }, b: { orderId: string }) =>
  Number(a.orderId) - Number(b.orderId);

/** Keeps what the exchange says has changed, and nothing else. */
function keepChanges(market: TestExchange, kept: Record<string, Map<string, string>>): void {
  for (const change of market.changes) {
    const [id = "", kind = "", entry = ""] = change.split(" ");
    const state = accountOf(market, id as typeof A);
    const key = entryKey(kind as EntryKind, entry);
    const value = encodeEntry({ account: state, totals: new Map() }, key);
    if (value === undefined) kept[id]?.delete(key);
    else kept[id]?.set(key, value);
  }
  market.changes.clear();
}
