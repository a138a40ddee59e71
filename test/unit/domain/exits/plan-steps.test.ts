import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { PlanTarget } from "../../../../src/domain/exits/exit-plan.ts";
import {
  isTargetFilled,
  type PairState,
  type PlanSight,
  splitSteps,
  type TargetFills,
} from "../../../../src/domain/exits/plan-steps.ts";
import {
  baseOf,
  type PlannedPair,
  type RunningPlan,
} from "../../../../src/domain/exits/running-plan.ts";
import { shareOut } from "../../../../src/domain/exits/share-out.ts";
import { intentId, orderId } from "../../../../src/domain/ids.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";

interface Pair {
  readonly qty: number;
  /** What its take-profit has filled. */
  cumQty: number;
  profitQty: number;
  stopQty: number;
}

const MOST_STEPS = 100;
const ENTRY = 4_000;

/** A broker that links exits, with a plan on it: what fills at one exit goes from the other one too. */
class World {
  readonly filledQty: number;
  readonly largest: number;
  running: RunningPlan;
  readonly first: Pair;
  readonly pairs: Pair[] = [];
  /** A pair that was asked for and is not there yet. */
  #asked: PlannedPair | undefined;
  readonly #states: PairState[] = [];

  constructor(targets: readonly PlanTarget[], filledQty: number) {
    this.filledQty = filledQty;
    this.first = { qty: filledQty, cumQty: 0, profitQty: filledQty, stopQty: filledQty };
    this.largest = Math.max(...shareOut(targets, filledQty).map(({ qty }) => qty));
    this.running = {
      planId: intentId(`i${"0".repeat(28)}`),
      plan: { targets, stop: { by: "ticks", ticks: ticks(20) } },
      contract: "ESZ2026" as ContractCode,
      side: "BUY",
      scope: "entry",
      begunAt: 0,
      filled: { qty: filledQty, avgPx: { numerator: ENTRY, denominator: 1 } },
      pairs: [],
      closes: 0,
    };
  }

  get all(): readonly Pair[] {
    return [this.first, ...this.pairs];
  }

  get held(): number {
    return this.filledQty - this.all.reduce((sum, { cumQty }) => sum + cumQty, 0);
  }

  get stops(): number {
    return this.all.reduce((sum, { stopQty }) => sum + stopQty, 0);
  }

  get sight(): PlanSight {
    return {
      base: baseOf(this.running),
      isEntryWorking: false,
      filledQty: this.filledQty,
      openQty: this.held,
      heldQty: this.held,
      firstLegs: legsOf(this.first, 0),
      firstFilledQty: this.first.cumQty,
      pairLegs: this.pairs.flatMap((pair, n) => legsOf(pair, n + 1)),
      pairStates: [...this.#states, ...(this.#asked === undefined ? [] : (["open"] as const))],
      hasStood: [],
      otherStopQty: 0,
      otherTargetQty: 0,
      quote: undefined,
    };
  }

  /** A take-profit of those that are there fills in part, or wholly. */
  fill(chosen: number, most: number): void {
    const pair = this.all[chosen % this.all.length];
    if (pair === undefined) return;
    const qty = Math.min(most, pair.profitQty, this.held);
    pair.cumQty += qty;
    pair.profitQty -= qty;
    // One that is done ends the other one.
    pair.stopQty = pair.profitQty === 0 ? 0 : Math.max(0, pair.stopQty - qty);
  }

  ask(pair: PlannedPair): void {
    this.#asked = pair;
    this.running = { ...this.running, pairs: [...this.running.pairs, pair] };
  }

  arrive(): void {
    if (this.#asked === undefined) return;
    const { qty } = this.#asked;
    this.#asked = undefined;
    // The lane places nothing while stops are for more than is held; whoever keeps legs takes that away.
    const isCrowded = this.stops > this.held || qty > this.held;
    this.#states.push(isCrowded ? "failed" : "standing");
    const leavesQty = isCrowded ? 0 : qty;
    this.pairs.push({ qty: leavesQty, cumQty: 0, profitQty: leavesQty, stopQty: leavesQty });
    if (isCrowded) this.keepLegs();
  }

  /** Stops are for no more than is held, in the end. */
  keepLegs(): void {
    for (const pair of this.all) {
      const cut = Math.min(pair.stopQty, this.stops - this.held);
      if (cut <= 0) continue;
      pair.stopQty -= cut;
      pair.profitQty = Math.min(pair.profitQty, pair.stopQty);
    }
  }

  shrink({ orderId: id, role, cumQty }: OrderReport, leavesQty: number): void {
    const pair = this.all[Number(id.split("-")[0])];
    if (pair === undefined) return;
    // The order's whole size is said, of what was seen of it.
    const size = cumQty + leavesQty;
    if (role === "STOP_LOSS") pair.stopQty = Math.min(pair.stopQty, size);
    else pair.profitQty = Math.min(pair.profitQty, Math.max(0, size - pair.cumQty));
    if (pair.profitQty === 0 || pair.stopQty === 0) [pair.profitQty, pair.stopQty] = [0, 0];
  }
}

function legsOf({ cumQty, profitQty, stopQty }: Pair, place: number): readonly OrderReport[] {
  const of = (role: OrderReport["role"], leavesQty: number, filled: number) => ({
    orderId: orderId(`${place}-${role}`),
    role,
    leavesQty,
    cumQty: filled,
    orderQty: leavesQty + filled,
    ...(role === "STOP_LOSS" && { stopPx: ticks(ENTRY - 20) }),
  });
  const legs = [of("TAKE_PROFIT", profitQty, cumQty), of("STOP_LOSS", stopQty, 0)];
  return legs.filter(({ leavesQty }) => leavesQty > 0) as unknown as OrderReport[];
}

const target = fc.oneof(
  fc.constant({}),
  fc.record({ qty: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ share: fc.integer({ min: 1, max: 60 }) }),
);
const targets = fc
  .array(target, { minLength: 1, maxLength: 8 })
  .map((all): PlanTarget[] =>
    all.map((one, n) => ({ ...one, at: { by: "ticks", ticks: ticks(10 * (n + 1)) } })),
  );
const fill = fc.record({
  isThere: fc.boolean(),
  chosen: fc.nat({ max: 8 }),
  qty: fc.integer({ min: 1, max: 6 }),
});

/** Does what is next, with whatever fills in between, until nothing is. */
function carryOut(world: World, between: () => void): void {
  for (let count = 0; count < MOST_STEPS; count += 1) {
    if (world.held === 0) return;
    const steps = splitSteps(world.running, world.sight);
    if (steps.length === 0) return;
    for (const step of steps) {
      if (step.kind === "add") {
        world.ask(step.pair);
        between();
        expectNoOther(world);
        world.arrive();
      } else if (step.kind === "shrink") world.shrink(step.leg, step.leavesQty);
      between();
    }
  }
  expect.unreachable("It never ends");
}

/** While one pair may still come, no other one is asked for. */
const expectNoOther = ({ running, sight }: World): void =>
  expect(splitSteps(running, sight).filter(isAdd)).toEqual([]);

const isAdd = ({ kind }: { readonly kind: string }) => kind === "add";

test("stops are for what is held, and for at most one part more, whatever fills meanwhile", () => {
  fc.assert(
    fc.property(targets, fc.integer({ min: 1, max: 40 }), fc.array(fill), (all, qty, fills) => {
      const world = new World(all, qty);
      const left = [...fills];
      carryOut(world, () => {
        const next = left.shift();
        if (next?.isThere === true) world.fill(next.chosen, next.qty);
        const { held, stops, largest } = world;
        // Once nothing is held, whatever is left is taken away.
        const isBetween = held === 0 || (stops >= held && stops <= held + largest);
        expect({ held, stops, isBetween }).toMatchObject({ isBetween: true });
      });
      world.keepLegs();
      expect(world.stops).toBe(world.held);
    }),
    { numRuns: 500 },
  );
});

test("in the end there is one pair a part, each of its size", () => {
  fc.assert(
    fc.property(targets, fc.integer({ min: 1, max: 40 }), (all, qty) => {
      const world = new World(all, qty);
      carryOut(world, () => undefined);
      const parts = shareOut(all, qty).map((slot) => slot.qty);
      expect(world.all.map(({ stopQty }) => stopQty)).toEqual(parts);
      expect(world.all.map(({ profitQty }) => profitQty)).toEqual(parts);
    }),
  );
});

test.each<[target: number, fills: TargetFills, boolean]>([
  [0, { filledQty: 4, first: 1, pairs: [0] }, false],
  [0, { filledQty: 4, first: 2, pairs: [0] }, true],
  [1, { filledQty: 4, first: 2, pairs: [1] }, false],
  [1, { filledQty: 4, first: 0, pairs: [2] }, true],
  [1, { filledQty: 4, first: 2, pairs: [] }, false],
])("target %i of two halves is reached with %j filled: %s", (nth, fills, isReached) => {
  const at = (count: number) => ({ by: "ticks", ticks: ticks(count) }) as const;
  const { running } = new World([{ at: at(10), qty: 2 }, { at: at(20) }], 4);
  const pairs = [{ target: 1, qty: 2 }];
  expect(isTargetFilled({ ...running, pairs }, nth, fills)).toBe(isReached);
});
