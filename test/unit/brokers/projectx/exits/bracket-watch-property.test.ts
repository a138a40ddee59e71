import fc from "fast-check";
import { expect, test } from "vitest";
import { reportOf, viewOrder } from "../../../../../src/brokers/projectx/order-view.ts";
import { type LegCut, legCuts } from "../../../../../src/domain/legs.ts";
import { isClosed } from "../../../../../src/domain/order.ts";
import { ES } from "../desk-kit.ts";
import { WatchedBroker } from "./watch-kit.ts";

const LIVE = 1;
const GONE = 3;
const SIZE = 4;

/**
 * Goal: whatever a broker does with legs, and whatever becomes of our words to it, exits that are placed
 * again are never for more than is held, and in the end all of that has both, beside a gateway that cuts
 * what is too much. Method: entries that fill in parts, legs that never come, end one by one or as a
 * group, and orders of which nobody hears, at random; the gateway's own rule of what is too much.
 */
type Event =
  | { readonly kind: "fill"; readonly entry: number; readonly hasLegs: boolean }
  | { readonly kind: "partialExit"; readonly endsLegs: boolean }
  | { readonly kind: "keep" }
  | { readonly kind: "endLeg"; readonly ending: "-SL" | "-TP"; readonly which: number }
  | { readonly kind: "stopFills"; readonly which: number }
  | { readonly kind: "answer"; readonly as: "unheard" | "notSent" | "refused" }
  | { readonly kind: "catchUp" }
  | { readonly kind: "wait"; readonly ms: number };

const entry = fc.constantFrom(1, 2, 3);
const which = fc.nat({ max: 5 });
const event = fc.oneof<fc.Arbitrary<Event>[]>(
  fc.record({ kind: fc.constant("fill" as const), entry, hasLegs: fc.boolean() }),
  fc.record({ kind: fc.constant("partialExit" as const), endsLegs: fc.boolean() }),
  fc.record({ kind: fc.constant("keep" as const) }),
  fc.record({
    kind: fc.constant("endLeg" as const),
    ending: fc.constantFrom("-SL" as const, "-TP" as const),
    which,
  }),
  fc.record({ kind: fc.constant("stopFills" as const), which }),
  fc.record({
    kind: fc.constant("answer" as const),
    as: fc.constantFrom("unheard" as const, "notSent" as const, "refused" as const),
  }),
  fc.record({ kind: fc.constant("catchUp" as const) }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(100, 700, 2_500) }),
);

/** A broker with three entries that rest. */
class Street {
  readonly broker = new WatchedBroker();
  /** Exits that were sent for more than is held, in words. */
  readonly tooMany: string[] = [];
  /** The gateway has ended a leg whose entry goes on, and says so to a person. */
  hasDropped = false;
  readonly #filled = new Map<number, number>();

  async open(): Promise<void> {
    await this.broker.watch.begin();
    for (const n of [1, 2, 3]) await this.broker.enter(n, SIZE, 0);
    this.broker.onPlace = ({ clOrdId, orderQty }) => {
      // What is sent again under its tag is there once.
      if (this.broker.tags().includes(clOrdId)) return;
      const standing = this.broker.standing(clOrdId.endsWith("-SL") ? "-SL" : "-TP");
      const { heldQty } = this.broker;
      if (standing + orderQty > heldQty) {
        this.tooMany.push(`${clOrdId} for ${orderQty} beside ${standing}, and ${heldQty} are held`);
      }
    };
  }

  async befall(event: Event): Promise<void> {
    const { broker } = this;
    switch (event.kind) {
      case "fill":
        return this.#fill(event.entry, event.hasLegs);
      case "partialExit":
        if (broker.heldQty < 2) return;
        broker.holds(broker.heldQty - 1);
        broker.trade(700, 1, 10, 1);
        if (!event.endsLegs) return;
        for (const { id } of [...broker.live("-SL"), ...broker.live("-TP")]) broker.turn(id, GONE);
        return;
      case "endLeg": {
        const legs = broker.live(event.ending);
        const leg = legs[event.which % Math.max(1, legs.length)];
        if (leg !== undefined) broker.turn(leg.id, GONE);
        return;
      }
      case "stopFills":
        return this.#fillStop(event.which);
      case "answer":
        broker.answers.push(ANSWERS[event.as]);
        return;
      case "catchUp":
        return broker.catchUp();
      case "keep":
        return this.keep();
      case "wait":
        return await broker.through(event.ms);
    }
  }

  /** What the gateway does about legs, by the very rule of the gateway. */
  keep(): void {
    const { session } = this.broker;
    const reports = session.store.ordersOf("465").flatMap(({ id }) => {
      const view = viewOrder(session.store, id, session.contracts.byId);
      return view === undefined ? [] : [reportOf(session.store, view)];
    });
    const { heldQty: netQty } = this.broker;
    const cuts = legCuts({
      working: reports.filter(({ ordStatus }) => !isClosed(ordStatus)),
      positions: [{ contract: ES, netQty, expectedQty: netQty }],
      filled: reports.filter(({ ordStatus, role }) => ordStatus === "FILLED" && role !== "ORDER"),
      nativeOco: false,
    });
    for (const cut of cuts) this.#cut(cut);
  }

  #cut({ leg, leavesQty, why }: LegCut): void {
    const { watch } = this.broker;
    this.hasDropped ||= why === "entryGoesOn";
    const { orderId, cumQty } = leg;
    const orderQty = cumQty + leavesQty;
    const end =
      leavesQty === 0 ? watch.onCancel(orderId) : watch.onChange(orderId, { orderId, orderQty });
    if (leavesQty === 0) this.broker.turn(orderId, GONE);
    else this.broker.resize(orderId, orderQty);
    end(false);
  }

  /** One more contract of an entry, with the broker's own legs for all of it, or without them. */
  #fill(n: number, hasLegs: boolean): void {
    const filled = (this.#filled.get(n) ?? 0) + 1;
    if (filled > SIZE) return;
    this.#filled.set(n, filled);
    const { broker } = this;
    const before = broker.standing("-SL");
    broker.holds(broker.heldQty + 1);
    broker.fill(n, SIZE, filled);
    broker.trade(n * 10, 1, 10);
    const isFirst = broker.session.store.order(String(n * 10 + 1)) === undefined;
    if (hasLegs && isFirst && before <= broker.heldQty - filled) broker.legs(n, LIVE, filled);
  }

  /** A stop closes what it is for; of its group the broker ends its own target. */
  #fillStop(which: number): void {
    const { broker } = this;
    const stops = broker.live("-SL");
    const stop = stops[which % Math.max(1, stops.length)];
    const { size = 0, customTag = "" } = stop ?? {};
    if (stop === undefined || size > broker.heldQty) return;
    broker.session.hub("order", { ...stop, fillVolume: size, status: 2 });
    broker.holds(broker.heldQty - size);
    broker.trade(Number(stop.id), size, 5, 1);
    const target = broker
      .live("-TP")
      .find((leg) => leg.customTag === `${customTag.slice(0, -3)}-TP`);
    if (target !== undefined) broker.turn(target.id, GONE);
  }
}

const ANSWERS = {
  unheard: "taken, and nobody hears of it",
  notSent: { kind: "notSent", reason: "The budget is used up" },
  refused: { kind: "rejected", reason: "Not now" },
} as const;

test("exits that come back are never for more than is held, and in the end for all of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 25 }), async (events) => {
      const street = new Street();
      const { broker } = street;
      await street.open();
      for (const one of events) await street.befall(one);
      broker.answers.length = 0;
      broker.catchUp();
      for (let turn = 0; turn < 4; turn += 1) {
        await broker.through(4_000);
        street.keep();
      }
      broker.watch.end();
      expect(street.tooMany).toEqual([]);
      const isGivenUp = broker.troubles.some(({ reason }) => reason.includes("Not now"));
      if (isGivenUp || street.hasDropped) return;
      expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([
        broker.heldQty,
        broker.heldQty,
      ]);
    }),
    { numRuns: 300 },
  );
});
