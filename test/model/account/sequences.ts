import fc from "fast-check";
import type { Broken } from "./invariants.ts";
import { accountStep, type Step } from "./steps.ts";
import { AccountWorld } from "./world.ts";

const MOST_STEPS = 16;

/** Without a bias to short ones: a finding takes several steps. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc.noBias(
  fc.array(accountStep, { minLength: 2, maxLength: MOST_STEPS, size: "max" }),
);

/** Returns the first invariant that is broken. */
export async function carryOut(steps: readonly Step[]): Promise<Broken | undefined> {
  const world = await AccountWorld.open();
  try {
    for (const step of steps) {
      const broken = await world.take(step);
      if (broken !== undefined) return broken;
    }
    return await world.endInOrder();
  } finally {
    world.close();
  }
}

/** The fewest steps that still fail in the same way. */
export async function fewestSteps(
  failing: readonly Step[],
  isSame: (broken: Broken) => boolean,
): Promise<readonly Step[]> {
  let steps = failing;
  for (let before = Infinity; steps.length < before;) {
    before = steps.length;
    for (let nth = steps.length - 1; nth >= 0; nth -= 1) {
      const less = steps.filter((_, at) => at !== nth);
      const broken = await carryOut(less);
      if (broken !== undefined && isSame(broken)) steps = less;
    }
  }
  return steps;
}
