import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/source-tree.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait.ts";

// The script alone, on a tree of one file, with an npm that only notes what it was asked for.

let tree: string;

async function plant(): Promise<void> {
  tree = await temporaryFolder();
  for (const folder of ["config", "src/console/api", "queues", "bin"]) {
    await mkdir(path.join(tree, folder), { recursive: true });
  }
  await copyFile(path.join(ROOT, "config/build.sh"), at("config/build.sh"));
  for (const file of ["src/main.ts", "package.json", "package-lock.json", "tsconfig.json"]) {
    await writeFile(at(file), "");
  }
  await writeFile(at("bin/npm"), '#!/bin/sh\necho "$*" >> calls\n[ ! -f broken ]\n');
  await chmod(at("bin/npm"), 0o755);
}

const at = (...names: string[]) => path.join(tree, ...names);

function build(...words: string[]) {
  const { status, stderr } = spawnSync("sh", [at("config/build.sh"), ...words], {
    encoding: "utf8",
    env: { PATH: `${at("bin")}:${process.env["PATH"]}` },
  });
  return { status, stderr };
}

/** Answers how often it has compiled, and what it said. */
async function ifChanged() {
  await rm(at("calls"), { force: true });
  const { status, stderr } = build("if-changed");
  const calls = await readFile(at("calls"), "utf8").catch(() => "");
  return { status, stderr, built: calls === "run --silent compile\n" };
}

/** Two changes within one tick of the file system's clock have one time. */
async function change(file: string, text: string): Promise<void> {
  await waitUntil("the change is seen", async () => {
    await writeFile(at(file), text);
    const newer = spawnSync("find", [at(file), "-cnewer", at("dist/.built")], { encoding: "utf8" });
    return newer.stdout !== "";
  });
}

const SILENT = { status: 0, stderr: "", built: false };

test("what was never built is built, and then no more", async () => {
  await plant();
  expect(await ifChanged()).toMatchObject({ status: 0, built: true });
  expect(await ifChanged()).toEqual(SILENT);
});

test.each(["src/main.ts", "queues/new.ts", "package-lock.json", "tsconfig.json"])(
  "a change of %s builds once, and says so",
  async (file) => {
    await plant();
    build();
    await change(file, "changed");
    const said = expect.stringContaining("The sources have changed");
    expect(await ifChanged()).toEqual({ status: 0, stderr: said, built: true });
    expect(await ifChanged()).toEqual(SILENT);
  },
);

test("a source that is gone is a change", async () => {
  await plant();
  await writeFile(at("src/old.ts"), "");
  build();
  await change("src/main.ts", "same moment");
  build();
  await rm(at("src/old.ts"));
  await waitUntil("its folder is newer", async () => {
    await writeFile(at("src/passing.ts"), "");
    await rm(at("src/passing.ts"));
    const newer = spawnSync("find", [at("src"), "-cnewer", at("dist/.built")], {
      encoding: "utf8",
    });
    return newer.stdout !== "";
  });
  expect(await ifChanged()).toMatchObject({ built: true });
});

test("types that the build writes itself are none", async () => {
  await plant();
  build();
  await change("src/console/api/schema.ts", "written");
  expect(await ifChanged()).toEqual(SILENT);
});

test("what fails is not taken for built", async () => {
  await plant();
  build();
  await writeFile(at("broken"), "");
  await change("src/main.ts", "broken");
  expect((await ifChanged()).status).not.toBe(0);
  await rm(at("broken"));
  expect(await ifChanged()).toMatchObject({ status: 0, built: true });
});
