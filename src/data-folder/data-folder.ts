import { randomUUID } from "node:crypto";
import { link, readdir, realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import path from "node:path";
import { socketFolder } from "../store/server/socket-path.ts";
import { makeFolder } from "./private-files.ts";

/** The folder of everything that must survive a restart, held by this process alone. */
export interface DataFolder {
  /** The folder's real path. */
  readonly path: string;
  close(): Promise<void>;
}

/** The data folder cannot be used; the message says what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** Another gateway holds it. */
export class DataFolderInUseError extends DataFolderError {}

const HOLDER = /^gateway-(\d+)\.sock$/;
const LONGEST_NAME = `gateway-${randomUUID()}.sock`;
const ANSWER_MS = 1_000;

/**
 * Creates the folder where it is missing, and holds it until `close` or the end of the process.
 * Throws `DataFolderError` when another process holds it.
 *
 * Each holder listens on a socket of its own, `gateway-<n>.sock`. A socket stops answering the
 * instant its process is gone, however it went, so no lock of the dead has to be waited for. The
 * next holder is whoever creates the name with the next number: a file is never removed to make
 * room for another of the same name, and so two that start together cannot both win. The newest
 * file stays behind on a stop, because the numbers must go on.
 */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  const real = await createFolder(dir);
  const sockets = await socketFolder(real, LONGEST_NAME);
  const candidate = path.join(sockets, `gateway-${randomUUID()}.sock`);
  const server = await listen(candidate, real);
  try {
    await takeNextNumber(sockets, candidate, real);
  } catch (error) {
    await close(server);
    throw error;
  } finally {
    await rm(candidate, { force: true });
  }
  return { path: real, close: () => close(server) };
}

/** Only what is created here is closed to others: a folder that was there keeps its mode. */
async function createFolder(dir: string): Promise<string> {
  try {
    await makeFolder(path.resolve(dir));
    return await realpath(dir);
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path.resolve(dir)} cannot be created (${reason(error)}). ` +
        "Set DATA_DIR to a folder that this user may write to.",
      { cause: error },
    );
  }
}

/** Answers whoever asks with the number of this process. */
async function listen(socket: string, dir: string): Promise<Server> {
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    client.end(`${process.pid}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new DataFolderError(
          `The data folder ${dir} cannot be written to, or takes no sockets (${reason(error)}). ` +
            "Set DATA_DIR to a folder on a local disk that this user may write to.",
          { cause: error },
        ),
      ),
    );
    server.listen(socket, resolve);
  });
  return server.unref();
}

async function takeNextNumber(sockets: string, candidate: string, dir: string): Promise<void> {
  for (;;) {
    const newest = (await numbers(sockets)).at(-1) ?? 0;
    const holder = await ask(path.join(sockets, `gateway-${newest}.sock`));
    if (holder.isAlive) throw inUse(dir, holder.pid);

    const mine = newest + 1;
    // The candidate listens already, so from its first instant under this name it answers.
    if (!(await isLinked(candidate, path.join(sockets, `gateway-${mine}.sock`)))) continue;

    const now = await numbers(sockets);
    // Others took over while this one was looking: a name can be free again below the newest.
    if (now.at(-1) !== mine) {
      await rm(path.join(sockets, `gateway-${mine}.sock`), { force: true });
      continue;
    }
    const past = now.filter((number) => number < mine);
    await Promise.all(
      past.map((n) => rm(path.join(sockets, `gateway-${n}.sock`), { force: true })),
    );
    return;
  }
}

async function numbers(sockets: string): Promise<number[]> {
  const found = (await readdir(sockets)).flatMap((name) => HOLDER.exec(name)?.[1] ?? []);
  return found.map(Number).toSorted((one, other) => one - other);
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** A socket that accepts is held, even when its process is frozen and says nothing. */
async function ask(socket: string): Promise<{ isAlive: boolean; pid?: number }> {
  return await new Promise((resolve) => {
    let answer = "";
    const client = connect(socket);
    const finish = (isAlive: boolean) => {
      client.destroy();
      const pid = Number.parseInt(answer, 10);
      resolve(Number.isNaN(pid) ? { isAlive } : { isAlive, pid });
    };
    client.setEncoding("utf8").setTimeout(ANSWER_MS, () => finish(true));
    client.on("data", (text: string) => (answer += text)).once("end", () => finish(true));
    client.once("error", (error: NodeJS.ErrnoException) =>
      finish(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}

function inUse(dir: string, pid: number | undefined): DataFolderError {
  const holder = pid === undefined ? "a gateway that does not answer" : `process ${pid}`;
  return new DataFolderInUseError(
    `The data folder ${dir} is in use by another gateway (${holder}). ` +
      "Stop it first, or set DATA_DIR to another folder.",
  );
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
