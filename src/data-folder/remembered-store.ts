import { randomBytes } from "node:crypto";
import { access, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/index.ts";
import type { Logger } from "../observability/logger.ts";
import {
  parseIdentity,
  type RememberedStore,
  type StoreIdentity,
} from "../store/trust/store-identity.ts";
import { makeFolder, syncFolder, writeDurably } from "./private-files.ts";
import { KEY_FILE } from "./sealing-key.ts";

type FolderSetting = Pick<Config, "DATA_DIR">;

/** Outside of Redis, so that a Redis that lost everything is told from one that is new. */
export const storeFile = ({ DATA_DIR }: FolderSetting): string =>
  path.join(path.resolve(DATA_DIR), "store.json");

/** Which store was used with this data folder. A sealing key is as old as the first sealed secret. */
export async function readRememberedStore(config: FolderSetting): Promise<RememberedStore> {
  const text = await readFile(storeFile(config), "utf8").catch(ignoreMissing);
  if (text !== undefined) return parseIdentity(text);
  const keyFile = path.join(path.resolve(config.DATA_DIR), KEY_FILE);
  const isUsed = await access(keyFile).then(
    () => true,
    () => false,
  );
  return isUsed ? "nameless" : undefined;
}

/** Beside a Redis of one's own there may be no folder to write to: it is said, and nothing more. */
export async function rememberStore(
  config: FolderSetting,
  identity: StoreIdentity,
  log: Logger,
): Promise<void> {
  const file = storeFile(config);
  const folder = path.dirname(file);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await makeFolder(folder);
    await writeDurably(draft, `${JSON.stringify(identity)}\n`);
    await rename(draft, file);
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    log.warn("DATA_DIR cannot be written to: a store that is emptied is not noticed at a start", {
      error,
    });
  }
}

function ignoreMissing(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (MISSING.has(code)) return undefined;
  throw error;
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);
