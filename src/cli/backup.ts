import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../config/index.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import type { Lifecycle } from "../app/lifecycle.ts";
import { connectRedis, untilRedisReady } from "../store/redis/connect.ts";
import { copyStore } from "../store/server/copy-store.ts";
import { createKeys } from "../store/keys.ts";
import { startRedisServer } from "../store/server/redis-server.ts";
import { readStoreFacts, STORE_FORMAT, type StoreIdentity } from "../store/trust/store-identity.ts";
import { LEDGER_FOLDER } from "../data-folder/ledger-files.ts";
import { copyDurably, makeFolder, syncFolder, writeDurably } from "../data-folder/private-files.ts";
import {
  type FileCommand,
  type FileCommandContext,
  required,
  UsageError,
} from "./command-words.ts";
import { findRedis } from "./open-for-command.ts";
import { storeFile } from "../data-folder/remembered-store.ts";
import { KEY_FILE } from "../data-folder/sealing-key.ts";

export const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
  "backup create": createBackup,
  "backup restore": restoreBackup,
};

const MANIFEST = "backup.json";
const SNAPSHOT = "store.rdb";
/** A Redis of any version takes it over as its log, a snapshot inside included. */
const LOG = "appendonly.aof";
const BACKUP_FORMAT = 2;
/** Older backups left the ledger's files out. */
const WITHOUT_LEDGER = 1;
const READY_WITHIN_MS = 10_000;

/** What a backup says of itself. */
interface BackupManifest {
  readonly format: number;
  readonly store: StoreIdentity;
  readonly takenAt: string;
  /** SHA-256 of each file, in hex. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * A copy of one moment, while the gateway runs or rests: the store, the lines that have left it, and what
 * opens its secrets. The store comes first. A line leaves it only once it is in its file, so each line is
 * in the one or the other. A line in both has the same id.
 */
export async function createBackup(context: FileCommandContext): Promise<string> {
  const { config, lifecycle, log, positionals } = context;
  const folder = path.resolve(required(positionals[0], "the folder to write the backup to"));
  if ((await filesIn(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
  const { target } = await findRedis(config, lifecycle, log);
  if ("nodes" in target || "sentinels" in target) {
    throw new UsageError(
      "A Redis with replicas is backed up with its own means: take a snapshot (BGSAVE) of each master's replica, and after it copy the DATA_DIR of every worker: its folder ledger has the lines that left Redis",
    );
  }
  const store = await readIdentity(target, lifecycle);

  const draft = `${folder}.${randomBytes(6).toString("hex")}`;
  await makeFolder(draft);
  try {
    await copyStore(target, path.join(draft, SNAPSHOT));
    const accounts = await copyLedger(config, draft);
    const key = await readFile(keyFile(config), "utf8").catch(missing);
    if (key !== undefined) await writeDurably(path.join(draft, KEY_FILE), key);
    const files = await hashesOf(draft);
    const takenAt = new Date().toISOString();
    const manifest: BackupManifest = { format: BACKUP_FORMAT, store, takenAt, files };
    await writeDurably(path.join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    await syncFolder(draft);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    await syncFolder(path.dirname(folder));
    return [
      `${folder} holds the whole store as of ${takenAt}.`,
      ...(accounts === 0
        ? []
        : [
            `It has the ledger lines of ${accounts} account${accounts === 1 ? "" : "s"} that had left the store.`,
          ]),
      key === undefined
        ? config.SEALING_KEY === undefined
          ? "Nothing is sealed yet, so there is no sealing key in it."
          : "The sealing key is the setting SEALING_KEY: keep it as well, it is not in the backup."
        : "The sealing key is in it: keep it as you keep passwords.",
    ].join("\n");
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Puts a backup where nothing is yet, and proves that it can be read. */
export async function restoreBackup(context: FileCommandContext): Promise<string> {
  const { config, lifecycle, options, positionals } = context;
  const from = path.resolve(required(positionals[0], "the folder of the backup"));
  const manifest = await readManifest(from);
  const redisDir = redisFolder(config, options["redis-dir"]);
  const folder = await openDataFolder(config.DATA_DIR);
  lifecycle.started("the data folder", () => folder.close());
  await refuseUsed(redisDir, config, manifest, from);

  const written: string[] = [];
  try {
    await makeFolder(redisDir);
    await place(path.join(from, SNAPSHOT), path.join(redisDir, LOG), written);
    if (manifest.files[KEY_FILE] !== undefined && (await isMissing(keyFile(config)))) {
      await place(path.join(from, KEY_FILE), keyFile(config), written);
    }
    if (await isMissing(storeFile(config))) {
      written.push(storeFile(config));
      await writeDurably(storeFile(config), `${JSON.stringify(manifest.store)}\n`);
    }
    await restoreLedger(config, from, manifest, written);
    await syncFolder(redisDir);
    await syncFolder(config.DATA_DIR);
    if (config.REDIS_URL === undefined) await prove(context, manifest);
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    throw error;
  }
  return [
    `The store of ${manifest.takenAt} is in ${redisDir}.`,
    ...(manifest.format === WITHOUT_LEDGER
      ? ["An older version made this backup: it has no ledger lines that had left the store."]
      : []),
    ...(config.REDIS_URL === undefined
      ? ["It was read whole. Start the gateway."]
      : ["Start this Redis with appendonly yes, and then the gateway."]),
    "What was sent after that time is not in it: compare every account's orders and positions with the broker.",
  ].join("\n");
}

/** One's own Redis keeps its data where it was told to: that has to be said. */
function redisFolder(config: Config, given: string | undefined): string {
  if (config.REDIS_URL === undefined) return path.join(path.resolve(config.DATA_DIR), "redis");
  return path.resolve(
    required(given, "--redis-dir, the folder in which the Redis of REDIS_URL keeps its data,"),
  );
}

async function readManifest(from: string): Promise<BackupManifest> {
  const text = await readFile(path.join(from, MANIFEST), "utf8").catch(missing);
  if (text === undefined) throw new UsageError(`${from} is no backup: there is no ${MANIFEST}`);
  const manifest = JSON.parse(text) as BackupManifest;
  const isKnown = [WITHOUT_LEDGER, BACKUP_FORMAT].includes(manifest.format);
  if (!isKnown || manifest.store.format > STORE_FORMAT) {
    throw new UsageError(
      `${from} was made by a gateway that keeps things in another form; restore it with that version`,
    );
  }
  for (const [name, expected] of Object.entries(manifest.files)) {
    const found = await hashOf(path.join(from, name)).catch(missing);
    if (found === expected) continue;
    throw new UsageError(`${path.join(from, name)} is damaged or missing; nothing was restored`);
  }
  if (manifest.files[SNAPSHOT] === undefined) throw new UsageError(`${from} holds no ${SNAPSHOT}`);
  return manifest;
}

async function refuseUsed(
  redisDir: string,
  config: Config,
  manifest: BackupManifest,
  from: string,
): Promise<void> {
  const { store, files } = manifest;
  const data = (await filesIn(redisDir)).filter((name) =>
    /^appendonlydir$|\.(aof|rdb)$/.test(name),
  );
  if (data.length > 0) {
    throw new UsageError(`${redisDir} holds data (${data.join(", ")}): move them away first`);
  }
  const remembered = await readFile(storeFile(config), "utf8").catch(missing);
  if (remembered !== undefined && !remembered.includes(store.id)) {
    throw new UsageError(
      `${storeFile(config)} names another store than the backup's: move what is in ${config.DATA_DIR} away first`,
    );
  }
  const key = files[KEY_FILE];
  const found = await hashOf(keyFile(config)).catch(missing);
  if (found !== undefined && key !== undefined && found !== key) {
    throw new UsageError(`${keyFile(config)} is another key than the backup's: move it away first`);
  }
  for (const { name, file } of ledgerFilesOf(config, manifest)) {
    if (await isMissing(file)) continue;
    // A file only grows: one that goes on from the backup's has all of its lines.
    const { size } = await stat(path.join(from, name));
    if ((await hashOf(file, size)) === files[name]) continue;
    throw new UsageError(`${file} has other lines than the backup's: move it away first`);
  }
}

/** Copies each account's file to the backup, and answers how many there are. */
async function copyLedger({ DATA_DIR }: Config, draft: string): Promise<number> {
  const folder = path.join(path.resolve(DATA_DIR), LEDGER_FOLDER);
  const entries = (await readdir(folder, { withFileTypes: true }).catch(missing)) ?? [];
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0) return 0;
  await makeFolder(path.join(draft, LEDGER_FOLDER));
  for (const name of names) {
    await copyDurably(path.join(folder, name), path.join(draft, LEDGER_FOLDER, name)).catch(
      (error: unknown) => {
        throw new UsageError(`${path.join(folder, name)} cannot be read: ${reasonOf(error)}`);
      },
    );
  }
  await syncFolder(path.join(draft, LEDGER_FOLDER));
  return names.length;
}

/** The files of a backup's ledger, and where each of them belongs. */
const ledgerFilesOf = ({ DATA_DIR }: Config, { files }: BackupManifest) =>
  Object.keys(files)
    .filter((name) => path.dirname(name) === LEDGER_FOLDER)
    .map((name) => ({ name, file: path.join(path.resolve(DATA_DIR), name) }));

async function restoreLedger(
  config: Config,
  from: string,
  manifest: BackupManifest,
  written: string[],
): Promise<void> {
  const files = ledgerFilesOf(config, manifest);
  if (files.length === 0) return;
  const folder = path.join(path.resolve(config.DATA_DIR), LEDGER_FOLDER);
  await makeFolder(folder);
  for (const { name, file } of files) {
    if (await isMissing(file)) await place(path.join(from, name), file, written);
  }
  await syncFolder(folder);
}

/** Starts a Redis on it for a moment. */
async function prove(
  { config, log, lifecycle }: FileCommandContext,
  { store }: BackupManifest,
): Promise<void> {
  const server = await startRedisServer({
    dataDir: await realpath(config.DATA_DIR),
    binary: config.REDIS_SERVER_BIN,
    log: (line) => log.warn("Redis says", { reason: line }),
  });
  try {
    const { id } = await readIdentity({ path: server.path }, lifecycle);
    if (id !== store.id) throw new UsageError("The snapshot holds another store than it says");
  } finally {
    await server.stop();
  }
}

async function readIdentity(
  target: Parameters<typeof connectRedis>[0],
  lifecycle: Lifecycle,
): Promise<StoreIdentity> {
  const redis = connectRedis(target, "request");
  lifecycle.started("a connection to Redis", () => redis.disconnect());
  await untilRedisReady(redis, READY_WITHIN_MS);
  const { identity } = await readStoreFacts(redis, createKeys());
  redis.disconnect();
  if (identity !== undefined) return identity;
  throw new UsageError("This store does not say which one it is: start the gateway on it once");
}

async function place(from: string, to: string, written: string[]): Promise<void> {
  await copyDurably(from, to);
  written.push(to);
}

/** By its path in the folder. */
async function hashesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    hashes[path.relative(folder, file)] = await hashOf(file);
  }
  return hashes;
}

/** The hash of a whole file, or of its first so many bytes. */
async function hashOf(file: string, bytes?: number): Promise<string> {
  const hash = createHash("sha256");
  const end = bytes === undefined ? Number.POSITIVE_INFINITY : bytes - 1;
  if (end >= 0) await pipeline(createReadStream(file, { end }), hash);
  return hash.digest("hex");
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const keyFile = ({ DATA_DIR }: Config): string => path.join(path.resolve(DATA_DIR), KEY_FILE);

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(missing)) ?? [];

const isMissing = async (file: string): Promise<boolean> =>
  (await access(file).then(() => true, missing)) === undefined;

function missing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
