import { randomBytes } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/index.ts";
import { errors } from "../errors.ts";
import { SealError, type SecretBox } from "../trading/connections/ports.ts";
import { createSealer, type Sealer, SEALING_KEY_BYTES } from "./seal.ts";
import { makeFolder, syncFolder, writeDurably } from "./private-files.ts";

type KeySettings = Pick<Config, "SEALING_KEY" | "DATA_DIR">;

export const KEY_FILE = "sealing.key";

/**
 * The key is the setting SEALING_KEY, or else a file in the data folder: made when something is sealed
 * for the first time, and by one of several processes that start at once.
 */
export function createSecretBox(config: KeySettings): SecretBox {
  const file = path.join(path.resolve(config.DATA_DIR), KEY_FILE);
  const given = config.SEALING_KEY;
  let known = given === undefined ? undefined : createSealer(Buffer.from(given, "base64"));

  async function forSealing(): Promise<Sealer> {
    try {
      return (known = createSealer((await readKey(file)) ?? (await makeKey(file))));
    } catch (error) {
      throw errors.sealingUnavailable(error, `${KEY_FILE} in DATA_DIR ${reasonOf(error)}`);
    }
  }

  async function forOpening(): Promise<Sealer> {
    const key = await readKey(file).catch((error: unknown) => {
      throw new SealError(`${KEY_FILE} in DATA_DIR ${reasonOf(error)}`);
    });
    if (key !== undefined) return (known = createSealer(key));
    throw new SealError(
      `There is no sealing key: neither SEALING_KEY is set, nor is there ${KEY_FILE} in DATA_DIR. ` +
        "Put the former one back, or set the connection's secrets anew",
    );
  }

  return {
    seal: async (connectionId, field, text) =>
      (known ?? (await forSealing())).seal(text, { connectionId, field }),
    open: async (connectionId, field, sealed) =>
      (known ?? (await forOpening())).open(sealed, { connectionId, field }),
  };
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === SEALING_KEY_BYTES) return key;
  throw new SealError("does not hold 32 bytes in base64");
}

/** On disk, whole, before anything is sealed with it; of two that make one, both use the first. */
async function makeKey(file: string): Promise<Buffer> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeDurably(draft, `${randomBytes(SEALING_KEY_BYTES).toString("base64")}\n`);
    await link(draft, file).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(folder);
  const key = await readKey(file);
  if (key === undefined) throw new SealError("was removed while it was made");
  return key;
}

function reasonOf(error: unknown): string {
  if (error instanceof SealError) return error.message;
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return `cannot be used (${typeof code === "string" ? code : "unknown reason"})`;
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
