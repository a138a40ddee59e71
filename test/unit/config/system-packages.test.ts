import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../support/source-tree.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

// The scripts alone, on machines made of stand-ins: a PATH with what each system has, and a HOME.

/** The programs of every system, and of one that has Node.js. */
const EVERYWHERE = [
  "sh",
  "env",
  "cat",
  "head",
  "grep",
  "dirname",
  "mkdir",
  "mv",
  "rm",
  "chmod",
  "tar",
  "gzip",
];
const SCRIPTS = ["config/system-packages.sh", "test/support/run-tests.sh"];
const CHROMIUM = 'echo "Chromium 156.0"';
const INSTALLED =
  'printf "#!/bin/sh\\necho Chromium\\n" > "$BIN/$NAME" && /bin/chmod +x "$BIN/$NAME"';

const LINUX = { uname: 'case "$1" in -s) echo Linux ;; *) echo x86_64 ;; esac', id: "echo 1000" };
const ARM = { ...LINUX, uname: 'case "$1" in -s) echo Linux ;; *) echo aarch64 ;; esac' };
const ROOT_USER = { id: "echo 0" };
const DEBIAN = { ...ARM, "apt-get": "exit 100", "apt-cache": "exit 0" };
const UBUNTU = { ...LINUX, "apt-get": "exit 0", "apt-cache": "exit 100" };
const FEDORA = { ...ARM, dnf: "exit 1" };
const ARCH = { ...ARM, pacman: "exit 1" };
const MAC = {
  uname: 'case "$1" in -s) echo Darwin ;; *) echo arm64 ;; esac',
  id: "echo 501",
  brew: "exit 1",
};

/** Programs by their names, each with its commands. */
type Programs = Readonly<Record<string, string>>;

async function createMachine(programs: Programs) {
  const folder = path.join(await temporaryFolder(), "with a space");
  const bin = path.join(folder, "bin");
  const home = path.join(folder, "home");
  await mkdir(bin, { recursive: true });
  for (const name of EVERYWHERE) {
    const folders = (process.env["PATH"] ?? "").split(":");
    const file = folders.map((one) => path.join(one, name)).find((one) => existsSync(one));
    await symlink(file ?? name, path.join(bin, name));
  }
  await symlink(process.execPath, path.join(bin, "node"));
  for (const script of SCRIPTS) await cp(path.join(ROOT, script), path.join(folder, script));

  const add = async (file: string, commands: string) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${commands}\n`);
    await chmod(file, 0o755);
  };
  for (const [name, commands] of Object.entries(programs)) {
    await add(path.join(bin, name), commands);
  }

  /** Runs one of the scripts. */
  const run = (script: string, words: readonly string[], settings: Programs = {}) => {
    const { status, stdout, stderr } = spawnSync("sh", [path.join(folder, script), ...words], {
      env: { PATH: bin, HOME: home, BIN: bin, ...settings },
      encoding: "utf8",
    });
    return { code: status, said: stdout, errors: stderr };
  };
  return {
    folder,
    home,
    bin,
    add,
    run,
    get: (...words: string[]) => run("config/system-packages.sh", words),
  };
}

describe("a Chromium that is there serves", () => {
  test.each([
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "chrome",
  ])("%s on the PATH", async (name) => {
    const { bin, get } = await createMachine({ [name]: CHROMIUM });
    const said = `${path.join(bin, name)}\n`;
    expect(get("where", "chromium")).toEqual({ code: 0, said, errors: "" });
    expect(get("chromium")).toEqual({ code: 0, said: "", errors: "" });
  });

  test.each([
    ".cache/ms-playwright/chromium_headless_shell-1240/chrome-headless-shell-linux64/chrome-headless-shell",
    ".cache/ms-playwright/chromium-1240/chrome-linux64/chrome",
    "Library/Caches/ms-playwright/chromium_headless_shell-1240/chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "Library/Caches/ms-playwright/chromium-1240/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ])("%s at home", async (file) => {
    const { home, add, get } = await createMachine({});
    await add(path.join(home, file), CHROMIUM);
    expect(get("where", "chromium").said).toBe(`${path.join(home, file)}\n`);
  });

  test("the one that CHROMIUM_BIN names comes before all others", async () => {
    const { folder, add, run } = await createMachine({ chromium: CHROMIUM });
    const file = path.join(folder, "mine");
    await add(file, CHROMIUM);
    const found = run("config/system-packages.sh", ["where", "chromium"], { CHROMIUM_BIN: file });
    expect(found.said).toBe(`${file}\n`);
  });

  test("one that CHROMIUM_BIN names and that does not run is named", async () => {
    const { run } = await createMachine({ chromium: CHROMIUM });
    const { code, errors } = run("config/system-packages.sh", ["chromium"], {
      CHROMIUM_BIN: "/no",
    });
    expect([code, errors]).toEqual([
      1,
      "CHROMIUM_BIN names /no, which is no Chromium that runs here.\n",
    ]);
  });

  test.each([
    ["starts a snap's", `${CHROMIUM} # exec /snap/bin/chromium "$@"`],
    ["does not run", "exit 127"],
    ["is another program", "echo Firefox"],
  ])("but none that %s", async (_, commands) => {
    const { get } = await createMachine({ ...MAC, "chromium-browser": commands });
    expect(get("where", "chromium").code).toBe(1);
  });
});

describe("a Redis that is there serves", () => {
  test.each(["redis-server", "valkey-server", "redis-check-rdb"])("%s", async (name) => {
    const { get } = await createMachine({ [name]: "exit 0" });
    expect(get("redis")).toEqual({ code: 0, said: "", errors: "" });
  });

  test.each(["REDIS_URL", "REDIS_URL_FILE"])("also one that %s names", async (name) => {
    const { run } = await createMachine({});
    const { code } = run("config/system-packages.sh", ["redis"], { [name]: "redis://127.0.0.1" });
    expect(code).toBe(0);
  });
});

describe("what cannot be had stops the command with the line to run", () => {
  test.each([
    ["Debian", "redis", DEBIAN, /apt-get install .* redis-tools'\n$/],
    ["Fedora", "redis", FEDORA, /su -c 'dnf install -y valkey'\n$/],
    ["Arch", "redis", ARCH, /su -c 'pacman -S --noconfirm valkey'\n$/],
    ["macOS", "redis", MAC, / {2}brew install redis\n$/],
    ["an unknown system", "redis", ARM, /REDIS_URL=/],
    ["Debian", "chromium", DEBIAN, /playwright-core install --with-deps --only-shell chromium\n$/],
    ["Fedora", "chromium", FEDORA, /su -c 'dnf install -y chromium-headless'\n$/],
    ["macOS", "chromium", MAC, / {2}npx playwright-core install --only-shell chromium\n$/],
    ["Debian", "prometheus", DEBIAN, /su -c 'apt-get update'\n$/],
    ["macOS", "prometheus", MAC, / {2}brew install prometheus alertmanager\n$/],
    ["Fedora", "prometheus", FEDORA, /prometheus.io\/download/],
  ])("%s without %s", async (_, name, system, line) => {
    const { get } = await createMachine(system);
    const { code, errors } = get(name);
    expect([code, errors]).toEqual([1, expect.stringMatching(line)]);
    expect(errors).toContain(
      `No ${name} was found on this machine. Run this once, then try again:`,
    );
  });

  test("through sudo where there is one that asks", async () => {
    const { get } = await createMachine({ ...DEBIAN, sudo: "exit 1" });
    expect(get("redis").errors).toMatch(/^ {2}sudo sh -c 'apt-get update && .*'\n$/m);
  });

  test("also where its own package does not install, as root", async () => {
    const { get } = await createMachine({ ...DEBIAN, ...ROOT_USER });
    const { code, errors } = get("redis");
    expect([code, errors]).toEqual([1, expect.stringMatching(/^ {2}apt-get update && apt-get/m)]);
  });
});

describe("what is missing is got", () => {
  test.each([
    ["redis", "redis-tools", "redis-check-rdb"],
    ["chromium", "chromium-headless-shell", "chromium-headless-shell"],
  ])("%s as Debian's package, by root", async (name, debian, program) => {
    const { folder, add, bin, get } = await createMachine({ ...DEBIAN, ...ROOT_USER });
    const asked = path.join(folder, "asked");
    const install = `case "$*" in *" ${debian}") NAME=${program}; ${INSTALLED} ;; esac`;
    await add(path.join(bin, "apt-get"), `echo "$*" >> "${asked}"; ${install}`);
    expect(get(name).code).toBe(0);
    expect(await readFile(asked, "utf8")).toContain(`--no-install-recommends ${debian}\n`);
    expect(get(name)).toEqual({ code: 0, said: "", errors: "" });
  });

  test("Chromium as npm's package, by anybody on Ubuntu", async () => {
    const { folder, add, bin, get } = await createMachine(UBUNTU);
    const packed = path.join(folder, "package");
    const shell = '#!/bin/sh\necho "Chromium in $LD_LIBRARY_PATH"\n';
    await mkdir(path.join(packed, "bin"), { recursive: true });
    await writeFile(path.join(packed, "bin/chromium.br"), brotliCompressSync(shell));
    for (const [archive, name] of [
      ["al2023", "lib"],
      ["fonts", "fonts"],
    ] as const) {
      await mkdir(path.join(folder, name));
      const { stdout } = spawnSync("tar", ["-C", folder, "-c", name]);
      await writeFile(path.join(packed, `bin/${archive}.tar.br`), brotliCompressSync(stdout));
    }
    spawnSync("tar", ["-C", folder, "-czf", path.join(folder, "packed"), "package"]);
    await add(path.join(bin, "npm"), `cat "${folder}/packed" > chromium.tgz`);
    expect(get("chromium").code).toBe(0);
    const file = path.join(folder, "node_modules/.cache/chromium/chromium");
    expect(get("where", "chromium").said).toBe(`${file}\n`);
    const { stdout } = spawnSync(file, { encoding: "utf8" });
    expect(stdout).toBe(`Chromium in ${path.dirname(file)}/lib\n`);
  });
});

describe("npm test", () => {
  const vitest = { vitest: 'echo "$@"' };
  const run = "run --config test/vitest.config.ts";

  test("needs nothing for unit tests", async () => {
    const machine = await createMachine({ ...MAC, ...vitest });
    const { code, said } = machine.run("test/support/run-tests.sh", ["--project", "unit"]);
    expect([code, said]).toEqual([0, `${run} --project unit\n`]);
  });

  test.each([
    ["integration", "redis", {}],
    ["browser", "redis", {}],
    ["browser", "chromium", { "redis-server": "exit 0" }],
    ["long", "prometheus", { "redis-server": "exit 0" }],
  ])("ends before the first test of %s where there is no %s", async (project, name, programs) => {
    const machine = await createMachine({ ...MAC, ...vitest, ...programs });
    const ended = machine.run("test/support/run-tests.sh", [`--project=${project}`]);
    expect(ended).toMatchObject({ code: 1, said: "" });
    expect(ended.errors).toContain(`No ${name} was found`);
  });

  test("runs everything but the long ones where nothing is named", async () => {
    const programs = { "redis-server": "exit 0", chromium: CHROMIUM };
    const machine = await createMachine({ ...MAC, ...vitest, ...programs });
    const { said } = machine.run("test/support/run-tests.sh", ["test/unit"]);
    const all = "--project unit --project integration --project browser";
    expect(said).toBe(`${run} ${all} test/unit\n`);
  });
});
