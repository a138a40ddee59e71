// The goal: whatever a leader does with its orders, and however they fill, each follower comes to hold
// what it is to hold, and nothing is left working for an order that is gone.
// The method: a leader places, changes, cancels and protects at random while the price wanders, Redis is
// killed, the gateway restarted and the broker's session broken; then it ends all its orders, and the
// paper broker is looked at.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OrderReport } from "../../../src/domain/order.ts";
import { waitUntil } from "../../support/wait.ts";
import { CopySite, type Desk, MNQ } from "./copy-desk.ts";
import { CHECK_SEED } from "../../support/check-seed.ts";

const BID = 100_000;
const TICKS_PER_POINT = 4;
/** With a drift that is put right, for an order may fill for the one and not for the other. */
const TERMS = {
  mode: "orders",
  driftPolicy: "repair",
  driftAfterSeconds: 2,
  maxAgeSeconds: 600,
};
const QUIET = { interval: 250 };

const side = fc.constantFrom<"buy" | "sell">("buy", "sell");
const qty = fc.integer({ min: 1, max: 3 });
const away = fc.integer({ min: 1, max: 8 });
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("limit" as const), side, qty, away }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("bracket" as const), side, qty, away }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const), side, qty, away }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("market" as const), side, qty }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), nth: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("change" as const), nth: fc.nat(9), qty, away }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      ticks: fc.integer({ min: -12, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("protect" as const), away }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

class Trader {
  readonly #site: CopySite;
  readonly #desk: Desk;
  #bid = BID;

  constructor(site: CopySite, desk: Desk) {
    this.#site = site;
    this.#desk = desk;
  }

  async carryOut(one: Deed): Promise<void> {
    switch (one.do) {
      case "limit":
        await this.#trade(one, { type: "limit", limitPrice: this.#price(one.side, -one.away) });
        return;
      case "stop":
        await this.#trade(one, { type: "stop", stopPrice: this.#price(one.side, one.away + 1) });
        return;
      case "bracket":
        await this.#trade(one, {
          type: "limit",
          limitPrice: this.#price(one.side, -one.away),
          bracket: {
            takeProfit: { price: this.#price(one.side, one.away) },
            stopLoss: { price: this.#price(one.side, -one.away - 8) },
          },
        });
        return;
      case "market":
        await this.#trade(one, {});
        return;
      case "move":
        this.#bid += one.ticks;
        this.#site.gateway.quote(MNQ, this.#bid);
        return;
      case "cancel":
        await this.#ask("delete", await this.#nth(one.nth), {});
        return;
      case "change": {
        const order = await this.#nth(one.nth);
        const limitPrice = this.#price(order?.side === "SELL" ? "sell" : "buy", -one.away);
        await this.#ask("patch", order, { qty: one.qty, limitPrice });
        return;
      }
      case "protect":
        await this.#protect(one.away);
    }
  }

  /** Answers how many there were. */
  async endOrders(): Promise<number> {
    const orders = await this.#orders();
    for (const order of orders) await this.#ask("delete", order, {});
    return orders.length;
  }

  /** In points, so many ticks from the market in the side's favour. */
  #price(of: "buy" | "sell", ticks: number): number {
    return (this.#bid + (of === "buy" ? ticks : 1 - ticks)) / TICKS_PER_POINT;
  }

  async #trade(one: { side: "buy" | "sell"; qty: number }, more: object): Promise<void> {
    await this.#desk.trade(one.side, one.qty, more);
  }

  async #protect(distance: number): Promise<void> {
    const { [MNQ.code]: net = 0 } = await this.#desk.positions();
    if (net === 0) return;
    const of = net > 0 ? "buy" : "sell";
    const stopLoss = { price: this.#price(of, -distance - 4) };
    const takeProfit = { price: this.#price(of, distance + 4) };
    const levels = { symbol: "MNQ1!", stopLoss, takeProfit };
    await this.#site.gateway.api.post(`/v1/accounts/${this.#desk.account}/protect`, levels);
  }

  async #orders(): Promise<readonly OrderReport[]> {
    const working = await this.#site.gateway.broker.working(this.#desk.account);
    return working.filter(({ role }) => role === "ORDER");
  }

  async #nth(n: number): Promise<OrderReport | undefined> {
    const orders = await this.#orders();
    return orders[n % Math.max(1, orders.length)];
  }

  async #ask(method: "delete" | "patch", order: OrderReport | undefined, body: object) {
    if (order === undefined) return;
    const path = `/v1/accounts/${this.#desk.account}/orders/${order.orderId}`;
    const { api } = this.#site.gateway;
    await (method === "delete" ? api.delete(path) : api.patch(path, body));
  }
}

const SIZES = [
  { terms: {}, of: (net: number) => net },
  { terms: { multiplier: 2 }, of: (net: number) => 2 * net },
  { terms: { multiplier: 0.5 }, of: (net: number) => Math.trunc(net / 2) + 0 },
  { terms: { fixedQty: 2 }, of: (net: number) => 2 * Math.sign(net) },
  { terms: { maxQty: 2 }, of: (net: number) => Math.sign(net) * Math.min(2, Math.abs(net)) },
];

test("every follower comes to hold what it is to hold", async () => {
  const site = await CopySite.open(1 + SIZES.length);
  try {
    const party = await site.group(
      TERMS,
      SIZES.map(({ terms }) => terms),
    );
    const trader = new Trader(site, party.leader);
    const deeds = fc.sample(deed, { numRuns: 120, seed: CHECK_SEED });
    for (const [n, one] of deeds.entries()) {
      // What does not get through is nobody's matter.
      await trader.carryOut(one).catch(() => undefined);
      if (n === 30) await killRedis(site);
      if (n === 60) await site.gateway.restart();
      if (n === 90) site.gateway.paper.breakSession(new Error("The link is lost"));
    }
    await expect.poll(async () => await trader.endOrders(), QUIET).toBe(0);

    const standing = async () => {
      const { [MNQ.code]: leaderNet = 0 } = await party.leader.positions();
      return await Promise.all(
        party.followers.map(async (desk, n) => {
          const { [MNQ.code]: net = 0 } = await desk.positions();
          const working = await site.gateway.broker.working(desk.account);
          const orders = working.filter(({ role }) => role === "ORDER").length;
          const due = SIZES[n]?.of(leaderNet) ?? 0;
          return { off: net - due, orders, state: await party.state(n) };
        }),
      );
    };
    const there = { off: 0, orders: 0, state: "following" };
    const message = `with CHECK_SEED=${CHECK_SEED}`;
    await expect.poll(standing, { ...QUIET, message }).toEqual(SIZES.map(() => there));
  } finally {
    await site.gateway.stop();
  }
});

async function killRedis({ gateway }: CopySite): Promise<void> {
  const pid = await gateway.redisPid();
  process.kill(pid, "SIGKILL");
  await waitUntil("another Redis runs", async () => (await gateway.redisPid()) !== pid);
}
