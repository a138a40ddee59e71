import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These files mostly wait for a broker's times. Those that only name who is held to cases are small, too. */
const WAITING = "/conformance/";

/**
 * The longest files begin first, also where no run before has shown them and files go by their size. Files
 * that mostly wait run beside others: all of them at once would leave the cores without work.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Each project's stay together: a worker serves one of them.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const waits = ({ moduleId }: TestSpecification) => moduleId.includes(WAITING);
      const waiting = own.filter(waits);
      const others = own.filter((file) => !waits(file));
      return own.flatMap((_, at) => [...waiting.slice(at, at + 1), ...others.slice(at, at + 1)]);
    });
  }
}
