import path from "node:path";
import { mkdir, open } from "node:fs/promises";

const FILE_MODE = 0o600;

/** A new file that is on the disk, whole, when this resolves; its name is after `syncFolder`. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts the names in a folder on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const FOLDER_MODE = 0o700;

/**
 * Creates a folder and those above it that are missing; one that is there stays as it is. Node's own
 * way never ends where a folder cannot be made although the one above it is there, as in /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isMade(folder)) return;
  await makeFolder(path.dirname(folder));
  if (await isMade(folder)) return;
  await mkdir(folder, FOLDER_MODE);
}

/** False where the folder above is missing, or says that it is. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, FOLDER_MODE);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return true;
    if (code === "ENOENT" && path.dirname(folder) !== folder) return false;
    throw error;
  }
  return true;
}
