import { readdir } from "node:fs/promises";
import path from "node:path";
import { RedisServerError } from "./redis-binary.ts";

const LOGS = "appendonlydir";
const MANIFEST = /\.manifest$/;
const DATA = /\.(aof|rdb)$/;

/**
 * Redis starts empty beside data that it does not read: parts of its log without the manifest that
 * lists them, or a snapshot without a log. Throws `RedisServerError` where it would.
 */
export async function refuseUnreadData(dir: string): Promise<void> {
  const [here, logs] = await Promise.all([namesIn(dir), namesIn(path.join(dir, LOGS))]);
  const parts = logs.filter((name) => DATA.test(name));
  if (parts.length > 0 && !logs.some((name) => MANIFEST.test(name))) {
    throw unread(
      `${path.join(dir, LOGS)} holds data (${parts.join(", ")}) and no appendonly.aof.manifest, which lists them`,
      dir,
    );
  }
  // A log of Redis 6 lies beside; newer ones take it over.
  const hasLog = parts.length > 0 || here.some((name) => name.endsWith(".aof"));
  const snapshot = here.find((name) => name.endsWith(".rdb"));
  if (snapshot !== undefined && !hasLog) {
    throw unread(`${dir} holds a snapshot (${snapshot}) and no append-only log`, dir);
  }
}

function unread(what: string, dir: string): RedisServerError {
  return new RedisServerError(
    `${what}: Redis would start empty, and leave them unread. Nothing was started or written.\n` +
      'Put back what is missing, or restore a backup (docs/operations.md, "Backup and restore").\n' +
      `To begin anew on purpose, without the accounts, keys and orders there were, move what is in ${path.dirname(dir)} away.`,
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
