import { open } from "node:fs/promises";

const FOR_US_ALONE = 0o600;

/** A new file that is on the disk, whole, when this resolves; its name is after `syncFolder`. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", FOR_US_ALONE);
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
