import fc from "fast-check";
import { anyStep, type Step as LaneStep } from "../lane/steps.ts";

/** How a position that comes with an exit plan leaves again. */
export const PLANS = ["timed", "twoTargets", "trailing"] as const;
/** Waits of the gateway, in which an event may happen. */
export const WAITS = ["guards", "read", "writeAhead"] as const;
export type Wait = (typeof WAITS)[number];
/** Events that may happen in such a wait. */
export const EVENTS = ["moves", "locks", "dies", "byHand"] as const;
/** How the exchange reports the next fill. */
export const FILL_REPORTS = ["late", "nameless", "unpriced", "voided", "corrected"] as const;
export type FillReport = (typeof FILL_REPORTS)[number];
/** Commands that the exchange refuses. */
export const REFUSALS = ["close", "cancel", "place"] as const;
export type Refusal = (typeof REFUSALS)[number];

type Side = "BUY" | "SELL";

/** One request to the account, or one event around it. Distances are ticks. */
export type Step =
  | LaneStep
  | {
      readonly do: "planned";
      readonly side: Side;
      readonly qty: number;
      readonly away: number | undefined;
      readonly plan: (typeof PLANS)[number];
    }
  /** An order with a timeout: an entry, or an exit of the whole position. */
  | {
      readonly do: "timed";
      readonly what: "entry" | "exit";
      readonly side: Side;
      readonly qty: number;
      readonly away: number;
      readonly seconds: number;
      readonly then: "cancel" | "market";
    }
  | { readonly do: "reduce"; readonly qty: number }
  | { readonly do: "reverse"; readonly stopLoss: number | undefined }
  | {
      readonly do: "into";
      readonly side: Side;
      readonly qty: number;
      readonly whenHeld: "add" | "replace";
      readonly stopLoss: number | undefined;
    }
  /** One message: close the position, then enter. */
  | {
      readonly do: "closeThenEnter";
      readonly side: Side;
      readonly qty: number;
      readonly stopLoss: number | undefined;
    }
  /** A copy: the leader's position is this now. */
  | { readonly do: "copy"; readonly netQty: number }
  | { readonly do: "cancelLeg"; readonly role: "TAKE_PROFIT" | "STOP_LOSS" }
  | { readonly do: "lock"; readonly isOn: boolean }
  | { readonly do: "byHand"; readonly side: Side; readonly qty: number }
  | { readonly do: "reports"; readonly how: FillReport }
  | { readonly do: "refuses"; readonly what: Refusal; readonly times: number }
  | { readonly do: "closes"; readonly seconds: number }
  | { readonly do: "silent"; readonly seconds: number }
  | {
      readonly do: "meanwhile";
      readonly wait: Wait;
      readonly nth: number;
      readonly event: (typeof EVENTS)[number];
      readonly ticks: number;
    };

export type StepOf<Name extends Step["do"]> = Extract<Step, { readonly do: Name }>;

const side = fc.constantFrom<Side[]>("BUY", "BUY", "SELL");
const qty = fc.integer({ min: 1, max: 4 });
const maybe = <Wish>(wish: fc.Arbitrary<Wish>) => fc.option(wish, { nil: undefined, freq: 2 });
const stopLoss = maybe(fc.constantFrom(4, 10, 20));
const is = <Name extends string>(name: Name) => fc.constant(name);

/** All steps use one contract, so that they meet each other. */
const laneStep = anyStep.map((step): Step => ("root" in step ? { ...step, root: "ES" } : step));

const planned = fc.record({
  do: is("planned"),
  side,
  qty,
  away: fc.option(fc.constantFrom(3, 8), { nil: undefined, freq: 3 }),
  plan: fc.constantFrom(...PLANS),
});
const timed = fc.record({
  do: is("timed"),
  what: fc.constantFrom("entry" as const, "exit" as const),
  side,
  qty,
  away: fc.constantFrom(3, 8, 15),
  seconds: fc.constantFrom(5, 20),
  then: fc.constantFrom("market" as const, "market" as const, "cancel" as const),
});
const reduce = fc.record({ do: is("reduce"), qty: fc.integer({ min: 1, max: 3 }) });
const reverse = fc.record({ do: is("reverse"), stopLoss });
const into = fc.record({
  do: is("into"),
  side,
  qty,
  whenHeld: fc.constantFrom("add" as const, "replace" as const),
  stopLoss,
});
const closeThenEnter = fc.record({ do: is("closeThenEnter"), side, qty, stopLoss });
const copy = fc.record({ do: is("copy"), netQty: fc.integer({ min: -3, max: 4 }) });
const cancelLeg = fc.record({
  do: is("cancelLeg"),
  role: fc.constantFrom("TAKE_PROFIT" as const, "STOP_LOSS" as const),
});
const lock = fc.record({ do: is("lock"), isOn: fc.constantFrom(true, true, false) });
const byHand = fc.record({ do: is("byHand"), side, qty: fc.integer({ min: 1, max: 2 }) });
const reports = fc.record({ do: is("reports"), how: fc.constantFrom(...FILL_REPORTS) });
const refuses = fc.record({
  do: is("refuses"),
  what: fc.constantFrom(...REFUSALS),
  times: fc.constantFrom(1, 1, 3),
});
const closes = fc.record({ do: is("closes"), seconds: fc.constantFrom(5, 30) });
const silent = fc.record({ do: is("silent"), seconds: fc.constantFrom(5, 30) });
const waiting = fc.record({ do: is("wait"), seconds: fc.constantFrom(3, 15, 30) });
const meanwhile = fc.record({
  do: is("meanwhile"),
  wait: fc.constantFrom(...WAITS),
  nth: fc.constantFrom(1, 1, 2, 3),
  event: fc.constantFrom("moves" as const, ...EVENTS),
  ticks: fc.constantFrom(-30, -9, -5, 5, 9, 30),
});

export const accountStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: laneStep },
  { weight: 14, arbitrary: planned },
  { weight: 6, arbitrary: timed },
  { weight: 6, arbitrary: reduce },
  { weight: 4, arbitrary: reverse },
  { weight: 4, arbitrary: into },
  { weight: 4, arbitrary: closeThenEnter },
  { weight: 3, arbitrary: copy },
  { weight: 2, arbitrary: cancelLeg },
  { weight: 4, arbitrary: lock },
  { weight: 2, arbitrary: byHand },
  { weight: 6, arbitrary: reports },
  { weight: 4, arbitrary: refuses },
  { weight: 3, arbitrary: closes },
  { weight: 2, arbitrary: silent },
  { weight: 12, arbitrary: waiting },
  { weight: 8, arbitrary: meanwhile },
);
