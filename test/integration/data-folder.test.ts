// The goal: one data folder has one gateway, and a dead one is never in the way.
// The method: hold the folder from several real processes, and kill them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDataFolder } from "../../src/data-folder/data-folder.ts";
import { socketFolder } from "../../src/store/server/socket-path.ts";
import { program } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait.ts";

/** Starts a process that tries to hold the folder, and says "held" or "refused". */
async function startHolder(folder: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [...program("hold-data-folder"), folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: String(said).trim() };
}

const refusalOf = async (folder: string): Promise<string> =>
  await openDataFolder(folder).then(
    () => Promise.reject(new Error("The folder was free")),
    ({ message }: Error) => message,
  );

/** Why it is refused. A holder that is slow to answer holds the folder as well, and is asked again. */
async function untilRefused(folder: string): Promise<string> {
  let refusal = "";
  await waitUntil("the holder answers", async () => {
    refusal = await refusalOf(folder);
    return !refusal.includes("a gateway that does not answer");
  });
  return refusal;
}

async function open(folder: string) {
  const held = await openDataFolder(folder);
  onTestFinished(() => held.close());
  return held;
}

test("the folder is created for this user alone", async () => {
  const folder = path.join(await temporaryFolder(), "a/b");
  const held = await open(folder);

  expect(held.path).toBe(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("where none can be made the reason is told at once", async () => {
  for (const folder of ["/proc/none", "/proc/none/below"]) {
    await expect(openDataFolder(folder)).rejects.toThrow(
      `The data folder ${folder} cannot be created (ENOENT). Set DATA_DIR to a folder`,
    );
  }
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, "");
  await expect(openDataFolder(path.join(file, "below"))).rejects.toThrow(/cannot be created/);
});

test("a second gateway is refused and told who is there, also by another path", async () => {
  const folder = await temporaryFolder();
  const { child } = await startHolder(folder);
  const message =
    `The data folder ${folder} is in use by another gateway (process ${child.pid}). ` +
    "Stop it first, or set DATA_DIR to another folder.";
  expect(await untilRefused(folder)).toContain(message);

  const link = path.join(await temporaryFolder(), "link");
  await symlink(folder, link);
  expect(await untilRefused(link)).toContain(message);
});

test("after kill -9 the folder is free at once, time after time", async () => {
  const folder = await temporaryFolder();
  for (let life = 1; life <= 2; life += 1) {
    const { child, said } = await startHolder(folder);
    expect(said).toBe("held");
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const start = performance.now();
  await open(folder);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test("a holder that is frozen still holds it", async () => {
  const folder = await temporaryFolder();
  const { child } = await startHolder(folder);
  child.kill("SIGSTOP");
  await expect(openDataFolder(folder)).rejects.toThrow("a gateway that does not answer");
});

test("of processes that start together exactly one wins, over a dead holder too", async () => {
  const folder = await temporaryFolder();
  const dead = await startHolder(folder);
  dead.child.kill("SIGKILL");
  await once(dead.child, "exit");

  const starts = await Promise.all(Array.from({ length: 3 }, () => startHolder(folder)));
  expect(starts.map(({ said }) => said).toSorted()).toEqual(["held", "refused", "refused"]);
});

test("of many that start in the same instant exactly one wins", async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < 20; round += 1) {
    const starts = await Promise.allSettled(
      Array.from({ length: 20 }, () => openDataFolder(folder)),
    );
    const winners = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    expect(winners).toHaveLength(1);
    await winners[0]?.close();
  }
  expect(await readdir(folder)).toEqual(["gateway-20.sock"]);
});

test("closing frees it", async () => {
  const folder = await temporaryFolder();
  await (await openDataFolder(folder)).close();
  await expect(open(folder)).resolves.toHaveProperty("path", folder);
});

test("a path with no room for a socket works all the same", async () => {
  const folder = path.join(await temporaryFolder(), "long-".repeat(30));
  await mkdir(folder);
  const sockets = await socketFolder(folder, "gateway.sock");
  onTestFinished(() => rm(sockets, { recursive: true }));
  expect(sockets).not.toContain("long");

  await open(folder);
  expect(await untilRefused(folder)).toContain(`(process ${process.pid})`);
});

test("a folder that cannot be created says what to set", async () => {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, "");
  await expect(openDataFolder(path.join(file, "data"))).rejects.toThrow(
    `The data folder ${file}/data cannot be created (ENOTDIR). Set DATA_DIR to a folder`,
  );
});

test("a place for sockets that others could have prepared is not used", async () => {
  const folder = path.join(await temporaryFolder(), "long-".repeat(30));
  await mkdir(folder);
  const sockets = await socketFolder(folder, "gateway.sock");
  onTestFinished(() => rm(sockets, { recursive: true, force: true }));

  await chmod(sockets, 0o777);
  await expect(openDataFolder(folder)).rejects.toThrow("is open to others");
  await rm(sockets, { recursive: true });
  await symlink(await temporaryFolder(), sockets);
  await expect(openDataFolder(folder)).rejects.toThrow("Remove it, or set DATA_DIR");
});
