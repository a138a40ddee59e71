import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  chmod,
  constants,
  copyFile,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
} from "node:fs/promises";
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
import { makeFolder, syncFolder, writeDurably } from "../data-folder/private-files.ts";
import { type FileCommandContext, required, UsageError } from "./command-words.ts";
import { findRedis } from "./open-for-command.ts";
import { storeFile } from "../data-folder/remembered-store.ts";
import { KEY_FILE } from "../data-folder/sealing-key.ts";

const MANIFEST = "backup.json";
const SNAPSHOT = "store.rdb";
/** A Redis of any version takes it over as its log, a snapshot inside included. */
const LOG = "appendonly.aof";
const BACKUP_FORMAT = 1;
const READY_WITHIN_MS = 10_000;
const FOR_US_ALONE = 0o600;

/** What a backup says of itself. */
interface BackupManifest {
  readonly format: number;
  readonly store: StoreIdentity;
  readonly takenAt: string;
  /** SHA-256 of each file, in hex. */
  readonly files: Readonly<Record<string, string>>;
}

/** A copy of one moment, while the gateway runs or rests: the store, and what opens its secrets. */
export async function createBackup(context: FileCommandContext): Promise<string> {
  const { config, lifecycle, log, positionals } = context;
  const folder = path.resolve(required(positionals[0], "the folder to write the backup to"));
  if ((await filesIn(folder)).length > 0) throw new UsageError(`${folder} is not empty`);
  const { target } = await findRedis(config, lifecycle, log);
  if ("nodes" in target || "sentinels" in target) {
    throw new UsageError(
      "A Redis with replicas is backed up with its own means: take a snapshot (BGSAVE) of each master's replica, and keep DATA_DIR with it",
    );
  }
  const store = await readIdentity(target, lifecycle);

  const draft = `${folder}.${randomBytes(6).toString("hex")}`;
  await makeFolder(draft);
  try {
    await copyStore(target, path.join(draft, SNAPSHOT));
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
  await refuseUsed(redisDir, config, manifest);

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
    await syncFolder(redisDir);
    await syncFolder(config.DATA_DIR);
    if (config.REDIS_URL === undefined) await prove(context, manifest);
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    throw error;
  }
  return [
    `The store of ${manifest.takenAt} is in ${redisDir}.`,
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
  if (manifest.format !== BACKUP_FORMAT || manifest.store.format > STORE_FORMAT) {
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
  { store, files }: BackupManifest,
): Promise<void> {
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
  await copyFile(from, to, constants.COPYFILE_EXCL);
  written.push(to);
  await chmod(to, FOR_US_ALONE);
}

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const hashes = names.map(async (name) => [name, await hashOf(path.join(folder, name))] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

const keyFile = ({ DATA_DIR }: Config): string => path.join(path.resolve(DATA_DIR), KEY_FILE);

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(missing)) ?? [];

const isMissing = async (file: string): Promise<boolean> =>
  (await readFile(file).catch(missing)) === undefined;

function missing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
