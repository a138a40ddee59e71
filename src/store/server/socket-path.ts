import { createHash } from "node:crypto";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * What fits everywhere: Linux has room for 107 bytes, macOS for 103. A longer path is not refused
 * by every program: Redis cuts it off and listens somewhere else.
 */
const LONGEST_SOCKET_PATH = 103;

/**
 * The folder for a data folder's Unix sockets: the data folder itself, or, where the longest of
 * the names would not fit, a private one among the temporary files, named by the data folder's
 * real path, so that every process of the same data folder finds the same place.
 */
export async function socketFolder(dataDir: string, longestName: string): Promise<string> {
  const real = await realpath(dataDir);
  if (fits(path.join(real, longestName))) return real;

  const hash = createHash("sha256").update(real).digest("hex").slice(0, 16);
  const folder = path.join(tmpdir(), `gateway-${hash}`);
  if (!fits(path.join(folder, longestName))) {
    throw new Error(
      `The path of the data folder ${real} is too long for a socket, and so is that of ${tmpdir()}. ` +
        "Set DATA_DIR to a folder with a shorter path.",
    );
  }
  await makePrivateFolder(folder);
  return folder;
}

function fits(socket: string): boolean {
  return Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH;
}

/** Everybody may write to the temporary folder, so what stands there already is not trusted. */
async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(folder);
  const isOurs = found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (found.isDirectory() && isOurs) return;
  throw new Error(
    `${folder} belongs to somebody else or is open to others. ` +
      "Remove it, or set DATA_DIR to a folder with a shorter path.",
  );
}
