import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./source-tree.ts";

const REAPER = path.join(ROOT, "test/support/end-with-run.sh");
const NAME = "gateway-run-";
/** Redis writes each answer to the disk first, which is most of what the tests would wait for. */
const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Gives the run a folder that everything temporary lies in. Whoever still works there when the run is
 * gone is ended, also after a run that was killed: its Redis servers are in groups of their own.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Another project of the same run has made it.
  if (path.basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = await mkdtemp(path.join(await roomyPlace(), NAME));
  const reaper = spawn("sh", [REAPER, folder], {
    stdio: ["pipe", "inherit", "inherit"],
    detached: true,
  });
  process.env["TMPDIR"] = folder;

  return async () => {
    reaper.kill();
    await once(reaper, "exit");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Memory where this user has enough of it, as on any Linux outside of a small container. */
async function roomyPlace(): Promise<string> {
  const memory = await access(MEMORY, constants.W_OK).then(
    async () => await statfs(MEMORY),
    () => undefined,
  );
  const free = memory === undefined ? 0 : memory.bavail * memory.bsize;
  return free < NEEDED_BYTES ? tmpdir() : MEMORY;
}
