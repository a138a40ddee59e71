import fc from "fast-check";
import { TROUBLES, type Trouble } from "./lossy-broker.ts";

export const ROOTS = ["ES", "NQ"] as const;
export type Root = (typeof ROOTS)[number];

interface Legs {
  readonly takeProfit: number | undefined;
  readonly stopLoss: number | undefined;
}

/** Behind an outcome that is not known, or in the same moment: accepted, and worked with the next. */
interface Parked {
  readonly isParked: boolean;
}

/** One thing that somebody does. Distances are ticks. */
export type Step =
  | (Legs &
      Parked & {
        readonly do: "enter";
        readonly root: Root;
        readonly side: "BUY" | "SELL";
        readonly qty: number;
        readonly type: "MARKET" | "LIMIT" | "STOP";
        readonly away: number;
        readonly cancelFirst: boolean;
      })
  | (Legs &
      Parked & {
        readonly do: "target";
        readonly root: Root;
        readonly netQty: number;
        /** At a limit so far from the market; undefined: at the market. */
        readonly away: number | undefined;
      })
  | (Parked & {
      readonly do: "exit";
      readonly how: (typeof EXITS)[number];
      readonly root: Root;
    })
  /** An order at the market against what is held: a part of it, all, or more. */
  | (Legs & { readonly do: "out"; readonly root: Root; readonly more: number })
  /** An order that closes what is held at a price. */
  | {
      readonly do: "plainExit";
      readonly root: Root;
      readonly type: "LIMIT" | "STOP";
      readonly away: number;
      readonly less: number;
    }
  | { readonly do: "cancelEntries"; readonly root: Root | undefined }
  | (Legs & { readonly do: "protect"; readonly root: Root })
  | { readonly do: "switch"; readonly isOn: boolean }
  | {
      readonly do: "market";
      readonly root: Root;
      readonly ticks: number;
      readonly size: number;
    }
  | { readonly do: "trouble"; readonly kind: Trouble; readonly nth: number }
  | { readonly do: "restart" }
  | { readonly do: "wait"; readonly seconds: number };

/** `/v1` of all and of one root, a webhook's close, one that names a symbol, an exit of one symbol. */
const EXITS = [
  "all",
  "root",
  "close",
  "closeNamed",
  "exitOne",
  "flatTarget",
  "reduceAll",
  "half",
] as const;

export const DEEP = 1_000_000;

const root = fc.oneof(
  { weight: 4, arbitrary: fc.constant("ES" as const) },
  fc.constantFrom(...ROOTS),
);
const maybe = <Wish>(wish: fc.Arbitrary<Wish>) => fc.option(wish, { nil: undefined, freq: 2 });
const distance = fc.constantFrom(4, 10, 20);
const legs = { takeProfit: maybe(distance), stopLoss: maybe(distance) };
const isParked = fc.constantFrom(false, false, false, false, true);
const qty = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
  fc.constantFrom(6, 9),
);

const entering = fc.record({
  do: fc.constant("enter" as const),
  root,
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  qty,
  type: fc.constantFrom("MARKET" as const, "MARKET" as const, "LIMIT" as const, "STOP" as const),
  away: fc.constantFrom(3, 8, 15),
  cancelFirst: fc.constantFrom(false, false, true),
  isParked,
  ...legs,
});
const targeting = fc.record({
  do: fc.constant("target" as const),
  root,
  netQty: fc.constantFrom(-3, -1, 1, 2, 3, 5),
  away: maybe(fc.constantFrom(3, 6, 9)),
  isParked,
  ...legs,
});
const exiting = fc.record({
  do: fc.constant("exit" as const),
  how: fc.constantFrom(...EXITS),
  root,
  isParked,
});
const leaving = fc.record({
  do: fc.constant("out" as const),
  root,
  more: fc.constantFrom(0, 0, -1, 2),
  ...legs,
});
const restingExit = fc.record({
  do: fc.constant("plainExit" as const),
  root,
  type: fc.constantFrom("LIMIT" as const, "STOP" as const),
  away: fc.constantFrom(3, 8, 15),
  less: fc.constantFrom(0, 0, 1),
});
const protecting = fc.record({ do: fc.constant("protect" as const), root, ...legs });
const switching = fc.record({
  do: fc.constant("switch" as const),
  isOn: fc.constantFrom(true, true, false),
});
const canceling = fc.record({ do: fc.constant("cancelEntries" as const), root: maybe(root) });
const moving = fc.record({
  do: fc.constant("market" as const),
  root,
  ticks: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    fc.constantFrom(-30, -9, -5, -2, 2, 5, 9, 30),
  ),
  size: fc.constantFrom(1, 2, 3, DEEP, DEEP),
});
const failing = fc.record({
  do: fc.constant("trouble" as const),
  kind: fc.constantFrom(...TROUBLES),
  nth: fc.constantFrom(1, 1, 1, 2, 3),
});
const restarting = fc.constant({ do: "restart" as const });
const waiting = fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 1, 7) });

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: entering },
  { weight: 12, arbitrary: targeting },
  { weight: 14, arbitrary: exiting },
  { weight: 8, arbitrary: leaving },
  { weight: 10, arbitrary: restingExit },
  { weight: 6, arbitrary: protecting },
  { weight: 5, arbitrary: switching },
  { weight: 4, arbitrary: canceling },
  { weight: 22, arbitrary: moving },
  { weight: 12, arbitrary: failing },
  { weight: 2, arbitrary: restarting },
  { weight: 4, arbitrary: waiting },
);
