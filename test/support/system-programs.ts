import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./source-tree.ts";

/** The one place that knows where a program may lie, and how a system gets it. */
export const SYSTEM_PACKAGES = path.join(ROOT, "config/system-packages.sh");

/** The paths of what runs on this machine. Throws with the line that gets it when it is not there. */
export function findPrograms(name: "chromium" | "prometheus"): readonly string[] {
  const { status, stdout, stderr } = spawnSync("sh", [SYSTEM_PACKAGES, "where", name], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split("\n");
}
