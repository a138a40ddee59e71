import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createSecretBox } from "../../../src/data-folder/sealing-key.ts";
import { SealError } from "../../../src/trading/connections/ports.ts";
import { connectionId } from "../../../src/domain/ids.ts";

const ID = connectionId("sim-1");
const KEY = Buffer.alloc(32, 5).toString("base64");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sealing-"));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
});

const open = (settings: { SEALING_KEY?: string } = {}) =>
  createSecretBox({ DATA_DIR: path.join(folder, "data"), ...settings });
const keyFile = () => path.join(folder, "data/sealing.key");

test("the key is made when something is sealed, and for its owner's eyes alone", async () => {
  const box = open();
  await expect(box.open(ID, "password", "v1.x")).rejects.toThrow(SealError);
  await expect(stat(keyFile())).rejects.toThrow("ENOENT");
  const sealed = await box.seal(ID, "password", "hunter2");
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(keyFile(), "utf8"), "base64")).toHaveLength(32);
  expect(await open().open(ID, "password", sealed)).toBe("hunter2");
});

test("of many that make one at once all have the same", async () => {
  const boxes = Array.from({ length: 20 }, () => open());
  const sealed = await Promise.all(boxes.map((box) => box.seal(ID, "password", "hunter2")));
  const opened = await Promise.all(sealed.map((text) => open().open(ID, "password", text)));
  expect(new Set(opened)).toEqual(new Set(["hunter2"]));
});

test("the key of the settings is used, and no file is made", async () => {
  const sealed = await open({ SEALING_KEY: KEY }).seal(ID, "password", "hunter2");
  await expect(stat(keyFile())).rejects.toThrow("ENOENT");
  expect(await open({ SEALING_KEY: KEY }).open(ID, "password", sealed)).toBe("hunter2");
  await expect(open().open(ID, "password", sealed)).rejects.toThrow(/no sealing key/);
});

test("a file that holds no key seals nothing, and is left as it is", async () => {
  await open().seal(ID, "password", "x");
  await writeFile(keyFile(), "not a key");
  await expect(open().seal(ID, "password", "x")).rejects.toMatchObject({
    name: "SEALING_UNAVAILABLE",
    message: expect.stringContaining("32 bytes") as unknown,
  });
  expect(await readFile(keyFile(), "utf8")).toBe("not a key");
});
