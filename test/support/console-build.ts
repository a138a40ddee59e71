import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { writeApiTypes } from "../../src/console/api/write-schema.ts";
import { ROOT } from "./source-tree.ts";

/** Where each is built from, and where the gateway reads it. */
const PAGES = [
  ["src/console/vite.config.ts", "dist/console"],
  ["src/console/api-docs/vite.config.ts", "dist/api-docs"],
] as const;

/** Before the browser's tests: the pages as they are served, built from what is here now. */
export async function setup(): Promise<void> {
  await writeApiTypes();
  const own = process.env["NODE_ENV"] ?? "test";
  // The runner's own would make it a build for developers, which nobody is served.
  process.env["NODE_ENV"] = "production";
  try {
    for (const [config, folder] of PAGES) await buildPages(config, path.join(ROOT, folder));
  } finally {
    process.env["NODE_ENV"] = own;
  }
}

/** Put in its place when it is whole: a gateway of another run may start right now. */
async function buildPages(config: string, folder: string): Promise<void> {
  const next = `${folder}-next-${process.pid}`;
  const former = `${folder}-former-${process.pid}`;
  await build({
    configFile: path.join(ROOT, config),
    build: { outDir: next },
    logLevel: "warn",
  });
  await rename(folder, former).catch(() => undefined);
  await rename(next, folder);
  await rm(former, { recursive: true, force: true });
}
