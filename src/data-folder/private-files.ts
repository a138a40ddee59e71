import path from "node:path";
import { constants, copyFile, mkdir, open, rm } from "node:fs/promises";

const FILE_MODE = 0o600;

/** Writes a new file; when this resolves its content is on the disk, and after `syncFolder` its name. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies to a new file of our own; when this resolves, its content is on the disk. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  try {
    const handle = await open(to, "r+");
    try {
      await handle.chmod(FILE_MODE);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

/** Flushes the names in a folder to the disk. */
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
 * Creates a folder and its missing parents; an existing one stays as it is. Node's recursive `mkdir`
 * never ends where the parent exists but no folder can be made in it, as in /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isMade(folder)) return;
  await makeFolder(path.dirname(folder));
  if (await isMade(folder)) return;
  await mkdir(folder, FOLDER_MODE);
}

/** False where the parent is missing, or the system says that it is. */
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
