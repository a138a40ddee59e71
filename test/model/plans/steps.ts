import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { World } from "./world.ts";

/** One thing that happens while a plan runs, drawn at random. */
export type Step =
  | { readonly does: "move"; readonly ticks: number }
  /** Nobody trades more than so many contracts there for now. */
  | { readonly does: "thin"; readonly ticks: number; readonly size: number }
  | { readonly does: "reduce"; readonly qty: number }
  | { readonly does: "cancel" }
  /** The broker refuses, loses or delays what comes next. */
  | { readonly does: "refuse"; readonly what: "modify" | "pair"; readonly times: number }
  | { readonly does: "lose"; readonly isCarriedOut: boolean }
  | { readonly does: "delay"; readonly ms: number }
  | { readonly does: "cut" }
  | { readonly does: "kill" }
  | { readonly does: "wait"; readonly ms: number };

export interface Trade {
  readonly side: "buy" | "sell";
  readonly qty: number;
  /** Ticks behind the market that a limit order waits, or beyond it; absent: at the market. */
  readonly limit?: number;
  readonly plan: object;
  readonly steps: readonly Step[];
}

const ticks = (min: number, max: number) => fc.integer({ min, max });

/** In the order in which they are reached; the last one may run until the stop. */
const targets = fc
  .record({
    apart: fc.array(ticks(6, 16), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom("ticks", "money"),
    runs: fc.boolean(),
  })
  .map(({ apart, by, runs }) => {
    let at = 0;
    const levels = apart.map((more) => ((at += more), by === "ticks" ? at : at * 12.5));
    return [...levels.map((level) => ({ [by]: level })), ...(runs ? [{}] : [])];
  });

const plan = fc
  .record({
    targets,
    stop: ticks(10, 30).map((count) => ({ ticks: count })),
    breakeven: fc.option(
      fc.record({
        after: fc.oneof(
          ticks(3, 20).map((count) => ({ ticks: count })),
          fc.constant({ target: 1 }),
        ),
        plus: ticks(0, 2),
      }),
      { nil: undefined },
    ),
    trailing: fc.option(
      fc.record({
        from: fc.option(
          ticks(3, 20).map((count) => ({ ticks: count })),
          { nil: undefined },
        ),
        distance: ticks(5, 20).map((count) => ({ ticks: count })),
        step: ticks(1, 5),
      }),
      { nil: undefined },
    ),
  })
  .map((one) => JSON.parse(JSON.stringify(one)) as object);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant("move" as const), ticks: ticks(-8, 10) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("thin" as const),
      ticks: ticks(-3, 3),
      size: ticks(1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("reduce" as const), qty: ticks(1, 2) }) },
  { weight: 1, arbitrary: fc.constant({ does: "cancel" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("refuse" as const),
      what: fc.constantFrom("modify" as const, "pair" as const),
      times: ticks(1, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("lose" as const), isCarriedOut: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("delay" as const), ms: ticks(50, 600) }) },
  { weight: 1, arbitrary: fc.constant({ does: "cut" as const }) },
  { weight: 1, arbitrary: fc.constant({ does: "kill" as const }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), ms: ticks(0, 900) }) },
);

export const trade: fc.Arbitrary<Trade> = fc.record(
  {
    side: fc.constantFrom("buy" as const, "sell" as const),
    qty: ticks(1, 5),
    limit: ticks(-3, 1),
    plan,
    steps: fc.array(step, { minLength: 3, maxLength: 9 }),
  },
  { requiredKeys: ["side", "qty", "plan", "steps"] },
);

/** Enters, and answers whether the gateway took it. */
export async function enter(world: World, { side, qty, limit, plan: exitPlan }: Trade) {
  const at = side === "buy" ? world.bid - (limit ?? 0) : world.bid + 1 + (limit ?? 0);
  const order =
    limit === undefined ? {} : { type: "limit", limitPrice: at / 4, timeInForce: "day" };
  return await world.enter(side, { qty, exitPlan, ...order });
}

/** Prices go the trade's way where `ticks` is positive. */
export async function take(world: World, step: Step, way: 1 | -1): Promise<void> {
  switch (step.does) {
    case "move":
      return await world.move(step.ticks * way);
    case "thin":
      return await world.move(step.ticks * way, step.size);
    case "reduce":
      await world.alert({ action: "reduce", qty: step.qty });
      // Until exits are cut to what is left, a price that reaches them closes too much: a known window.
      return await world.untilCut();
    case "cancel":
      return void (await world.alert({ action: "cancel" }));
    case "refuse": {
      const endpoint = step.what === "modify" ? "order/modifyorder" : "order/placeoco";
      const fault = { kind: "failure", failureReason: "RiskCheckTimeout" } as const;
      return await world.turn({ knob: "fault", fault, endpoint, times: step.times });
    }
    case "lose":
      return await world.turn({
        knob: "loseNextAnswer",
        user: "joe",
        isCarriedOut: step.isCarriedOut,
      });
    case "delay":
      return await world.turn({ knob: "fault", fault: { kind: "delay", ms: step.ms }, times: 2 });
    case "cut":
      return await world.turn({ knob: "closeSockets" });
    case "kill":
      return await world.killAndStart();
    case "wait":
      return await sleep(step.ms);
  }
}
