import { mkdir } from "node:fs/promises";
import path from "node:path";

const FOR_US_ALONE = 0o700;

/**
 * Creates a folder and those above it that are missing; one that is there stays as it is. Node's own
 * way never ends where a folder cannot be made although the one above it is there, as in /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isMade(folder)) return;
  await makeFolder(path.dirname(folder));
  if (await isMade(folder)) return;
  await mkdir(folder, FOR_US_ALONE);
}

/** False where the folder above is missing, or says that it is. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, FOR_US_ALONE);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return true;
    if (code === "ENOENT" && path.dirname(folder) !== folder) return false;
    throw error;
  }
  return true;
}
