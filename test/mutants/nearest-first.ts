import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The first failure ends a mutant's run, and the tests that mirror its file are the likeliest to fail:
 * those come first, and the widest tests last.
 */
export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [mutated] = this.ctx.config.related ?? [];
    if (mutated === undefined) return sorted;
    const partsOf = (file: string) =>
      path
        .relative(this.ctx.config.root, file)
        .replace(/^(src|test\/unit)\//, "")
        .split(/[/.]/);
    const wanted = partsOf(mutated);
    const nearness = ({ moduleId }: TestSpecification) => {
      const parts = partsOf(moduleId);
      const apart = wanted.findIndex((part, at) => part !== parts[at]);
      return apart === -1 ? wanted.length : apart;
    };
    return sorted.toSorted((one, other) => nearness(other) - nearness(one));
  }
}
