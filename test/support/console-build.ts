import path from "node:path";
import { build } from "vite";
import { ROOT } from "./source-tree.ts";

/** Before the browser's tests: the pages as they are served, built from what is here now. */
export async function setup(): Promise<void> {
  for (const config of ["src/console/vite.config.ts", "src/console/api-docs/vite.config.ts"]) {
    await build({ configFile: path.join(ROOT, config), logLevel: "warn" });
  }
}
