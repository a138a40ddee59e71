import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithTest } from "./side-by-side.ts";

/** A folder of the running test's own, removed after it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-test-"));
  endWithTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
