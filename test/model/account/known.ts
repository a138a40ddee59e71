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

/** Remove an entry with the change that mends it: its test fails as soon as its steps break nothing. */
export const KNOWN: readonly Known[] = [];

export const knownAs = ({ invariant, what }: Broken): Known | undefined =>
  KNOWN.find((known) => known.invariant === invariant && known.says.test(what));
