import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./source-tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const SOURCE = path.join(ROOT, "test/support/slow-sync.c");

export interface SlowDisk {
  /** From now on each sync to disk takes so much longer. */
  readonly slowBy: (ms: number) => void;
  /** Programs that are started meanwhile, and what they start, write to this disk. */
  readonly during: <Value>(start: () => Promise<Value>) => Promise<Value>;
}

/** A disk whose syncs are as slow as a test says; it needs a C compiler, as a run on another date does. */
export async function openSlowDisk(): Promise<SlowDisk> {
  const folder = await temporaryFolder();
  const library = path.join(folder, "slow-sync.so");
  const options = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, SOURCE];
  execFileSync("cc", [...options, "-ldl"], { stdio: ["ignore", "inherit", "inherit"] });
  const file = path.join(folder, "ms");
  const slowBy = (ms: number) => writeFileSync(file, String(ms));
  slowBy(0);
  return {
    slowBy,
    during: async (start) => {
      const before = process.env["LD_PRELOAD"];
      process.env["LD_PRELOAD"] = before === undefined ? library : `${before} ${library}`;
      process.env["SLOW_SYNC_FILE"] = file;
      try {
        return await start();
      } finally {
        if (before === undefined) delete process.env["LD_PRELOAD"];
        else process.env["LD_PRELOAD"] = before;
        delete process.env["SLOW_SYNC_FILE"];
      }
    },
  };
}
