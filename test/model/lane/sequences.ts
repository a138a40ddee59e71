import fc from "fast-check";
import { anyStep, type Step } from "./steps.ts";
import { LaneWorld } from "./world.ts";

const MOST_STEPS = 14;

/** Without a bias to short ones: what is worth finding takes some steps. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc.noBias(
  fc.array(anyStep, { minLength: 1, maxLength: MOST_STEPS, size: "max" }),
);

/** Answers what is not as promised, in words. */
export async function carryOut(
  sequence: readonly Step[],
  without: ReadonlySet<string>,
): Promise<string | undefined> {
  const world = await LaneWorld.open(without);
  try {
    for (const step of sequence) await world.take(step);
    await world.endInOrder();
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    world.close();
  }
}

/** A failure with the steps that it needs. */
export async function fewestSteps(
  failing: readonly Step[],
  without: ReadonlySet<string>,
): Promise<{ readonly steps: readonly Step[]; readonly why: string }> {
  let steps = failing;
  let why = "";
  for (let at = failing.length; at >= 0; at -= 1) {
    const less = steps.filter((_, nth) => nth !== at);
    const stillWhy = await carryOut(less, without);
    if (stillWhy !== undefined) [steps, why] = [less, stillWhy];
  }
  return { steps, why };
}
