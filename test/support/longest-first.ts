import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A file that only names who is held to the cases of another one is small, and takes long. */
const SMALL_AND_LONG = "/conformance/";

/** What takes longest begins first, also where no run before has shown it and files go by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Each project's stay together: a worker serves one of them.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const isLong = ({ moduleId }: TestSpecification) => moduleId.includes(SMALL_AND_LONG);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
