import type { Broken, INVARIANTS } from "./invariants.ts";
import type { Step } from "./steps.ts";

/** A way in which an invariant is known to be broken. */
export interface Known {
  readonly invariant: keyof typeof INVARIANTS;
  /** Matches the words of a failure of this kind. */
  readonly says: RegExp;
  /** Its number in the findings of 2026-11-28, and the issue that mends it. */
  readonly finding: string;
  readonly issue: number;
  /** The seed that found it, and the fewest steps that show it. */
  readonly seed: number;
  readonly steps: readonly Step[];
}

const NO_LEGS = { takeProfit: undefined, stopLoss: undefined } as const;
const NOW = { root: "ES", isParked: false } as const;

/** Remove an entry with the change that mends it: its test fails as soon as its steps break nothing. */
export const KNOWN: readonly Known[] = [
  {
    invariant: "15 a stop that was asked for works, or an alarm was raised",
    says: /held$/u,
    finding: "new: a stop that was cut while its entry filled does not grow again",
    issue: 44,
    seed: 7,
    steps: [
      { do: "target", netQty: 3, away: 3, ...NOW, ...NO_LEGS, stopLoss: 4 },
      { do: "into", side: "BUY", qty: 3, whenHeld: "add", stopLoss: undefined },
      { do: "market", root: "ES", ticks: -30, size: 1 },
      { do: "reduce", qty: 3 },
    ],
  },
  {
    invariant: "11 an exit spares what was asked for after it",
    says: /takes what came after$/u,
    finding:
      "new: contracts without a name are older within the two seconds that clocks may differ",
    issue: 44,
    seed: 8,
    steps: [
      { do: "closeThenEnter", side: "BUY", qty: 4, stopLoss: undefined },
      { do: "refuses", what: "close", times: 1 },
      { do: "exit", how: "close", ...NOW },
      { do: "exit", how: "reduceAll", ...NOW },
      { do: "copy", netQty: 3 },
      { do: "byHand", side: "BUY", qty: 2 },
    ],
  },
];

export const knownAs = ({ invariant, what }: Broken): Known | undefined =>
  KNOWN.find((known) => known.invariant === invariant && known.says.test(what));
