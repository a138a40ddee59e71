// The goal: after the loss of everything one folder brings it all back, or says why it cannot.
// The method: the drill. Trade, back up while it runs, lose the data, restore, and trade on.
import {
  appendFile,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { createBackup, restoreBackup } from "../../src/cli/backup.ts";
import type { FileCommand } from "../../src/cli/command-words.ts";
import { appendToLedgerFile } from "../../src/data-folder/ledger-files.ts";
import { createSecretBox } from "../../src/data-folder/sealing-key.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import type { PlacedEntry } from "../../src/domain/ledger/ledger-entry.ts";
import { Lifecycle } from "../../src/app/lifecycle.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { STORE_FORMAT } from "../../src/store/trust/store-identity.ts";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

const ES = frontMonth("ES");
const BROKER = connectionId("broker-1");
const BUY = { action: "buy", symbol: "ES1!", qty: 2, alertId: "before-the-loss" };

let gateway: TestGateway;
let folder: string;
let sealed: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateway-backup-"));
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (settings: Record<string, string> = {}) =>
  loadConfig({ DATA_DIR: gateway.dataDir, ...settings });

async function run(
  command: FileCommand,
  words: string[],
  settings?: Record<string, string>,
  options: Record<string, string> = {},
) {
  const lifecycle = new Lifecycle();
  const binary = process.env["REDIS_SERVER_BIN"];
  const config = configOf(settings);
  const said = { positionals: words, options, set: [], unset: [] };
  try {
    return await command({
      ...said,
      config: binary === undefined ? config : { ...config, REDIS_SERVER_BIN: binary },
      lifecycle,
      log: createLogger("error", { write: () => undefined }),
    });
  } finally {
    await lifecycle.stop(5_000);
  }
}

const at = (name: string) => path.join(folder, name);

const ACCOUNT = accountId("paper-1");
const LOT = { kind: "lot", contract: ES.code, netQty: 1, at: 1 } as const;

/** Lines of the ledger leave the store. */
async function moveLines(...ids: string[]): Promise<void> {
  const lines = ids.map((id): PlacedEntry => ({ ...LOT, id }));
  await appendToLedgerFile(gateway.dataDir, ACCOUNT, lines);
}

async function linesMoved(): Promise<readonly string[]> {
  const file = path.join(gateway.dataDir, "ledger", `${ACCOUNT}.jsonl`);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as PlacedEntry).id);
}

/** Everything that the gateway keeps is gone, its folder included. */
async function loseAll(): Promise<void> {
  for (const name of await readdir(gateway.dataDir)) {
    await rm(path.join(gateway.dataDir, name), { recursive: true });
  }
}

describe.sequential("a backup", () => {
  test("is taken while the gateway runs, and is for its user alone", async () => {
    const { status, body } = await gateway.alert(BUY);
    expect([status, body.status]).toEqual([200, "filled"]);
    await moveLines("0-1", "0-2");
    sealed = await createSecretBox(configOf()).seal(BROKER, "password", "a broker's password");

    const said = await run(createBackup, [at("one")]);
    expect(said).toContain("The sealing key is in it");
    expect(said).toContain("the ledger lines of 1 account that had left the store");
    const files = ["backup.json", "ledger/paper-1.jsonl", "sealing.key", "store.rdb"];
    expect((await readdir(at("one"))).toSorted()).toEqual(files.map((name) => name.split("/")[0]));
    for (const folder of [at("one"), path.join(at("one"), "ledger")]) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
    for (const name of files) {
      expect((await stat(path.join(at("one"), name))).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(path.join(gateway.dataDir, "redis"))).join()).not.toContain(".rdb");
    await expect(run(createBackup, [at("one")])).rejects.toThrow(/is not empty/);
    await moveLines("0-3");
    expect((await gateway.alert({ ...BUY, alertId: "after" })).status).toBe(200);
    expect(gateway.log.join("\n")).not.toContain("may lose orders");
  });

  test("is not taken without a file of the ledger, which it names", async () => {
    const gone = path.join(gateway.dataDir, "ledger", "paper-2.jsonl");
    await symlink(path.join(folder, "nowhere"), gone);
    await expect(run(createBackup, [at("part")])).rejects.toThrow(`${gone} cannot be read`);
    expect((await readdir(folder)).filter((name) => name.startsWith("part"))).toEqual([]);
    await rm(gone);
  });

  test("is not restored over a folder that is used, nor by a running gateway", async () => {
    await expect(run(restoreBackup, [at("one")])).rejects.toThrow(/in use by another gateway/);
    await gateway.halt();
    await expect(run(restoreBackup, [at("one")])).rejects.toThrow(/redis holds data .* move them/);
  });

  test("brings back keys, webhooks, positions, sealed secrets and what was answered", async () => {
    const { key } = gateway;
    await loseAll();
    expect(await run(restoreBackup, [at("one")])).toMatch(/It was read whole.*[^]*with the broker/);
    await gateway.restart();

    expect(gateway.key).toBe(key);
    expect(await linesMoved()).toEqual(["0-1", "0-2"]);
    const { status, body } = await gateway.api.get("/v1/accounts/paper-1/positions");
    expect([status, body.positions]).toMatchObject([
      200,
      [{ symbol: ES.symbol, side: "long", qty: 2 }],
    ]);
    expect((await gateway.alert(BUY)).body.duplicate).toBe(true);
    expect((await gateway.alert({ ...BUY, alertId: "anew" })).status).toBe(200);
    expect(await createSecretBox(configOf()).open(BROKER, "password", sealed)).toBe(
      "a broker's password",
    );
    await gateway.halt();
  });

  test("leaves a file of the ledger that goes on from its own, and refuses another one", async () => {
    await loseAll();
    await moveLines("0-1", "0-2", "0-3");
    await run(restoreBackup, [at("one")]);
    expect(await linesMoved()).toEqual(["0-1", "0-2", "0-3"]);
    await loseAll();
    await moveLines("0-1", "0-4");
    await expect(run(restoreBackup, [at("one")])).rejects.toThrow(
      /paper-1\.jsonl has other lines than the backup's: move it away/,
    );
    expect(await linesMoved()).toEqual(["0-1", "0-4"]);
  });

  test("of an older version says that it has no lines of the ledger", async () => {
    await loseAll();
    const older = at("older");
    await cp(at("one"), older, { recursive: true });
    await rm(path.join(older, "ledger"), { recursive: true });
    const file = path.join(older, "backup.json");
    const { files, ...manifest } = JSON.parse(await readFile(file, "utf8"));
    const { "ledger/paper-1.jsonl": _, ...kept } = files;
    await writeFile(file, JSON.stringify({ ...manifest, format: 1, files: kept }));
    expect(await run(restoreBackup, [older])).toContain("it has no ledger lines that had left");
    await expect(linesMoved()).rejects.toThrow(/ENOENT/);
  });

  test.each<[string, (backup: string) => Promise<void>, RegExp]>([
    [
      "is damaged",
      async (backup) => await appendFile(path.join(backup, "store.rdb"), "x"),
      /store\.rdb is damaged or missing; nothing was restored/,
    ],
    [
      "lacks a file of the ledger",
      async (backup) => await rm(path.join(backup, "ledger"), { recursive: true }),
      /ledger\/paper-1\.jsonl is damaged or missing; nothing was restored/,
    ],
    [
      "lacks its key",
      async (backup) => await rm(path.join(backup, "sealing.key")),
      /sealing\.key is damaged or missing/,
    ],
    [
      "is in another form",
      async (backup) => {
        const file = path.join(backup, "backup.json");
        const manifest = JSON.parse(await readFile(file, "utf8"));
        await writeFile(
          file,
          JSON.stringify({ ...manifest, store: { id: "x", format: STORE_FORMAT + 1 } }),
        );
      },
      /keeps things in another form/,
    ],
    ["is none", async (backup) => await rm(path.join(backup, "backup.json")), /is no backup/],
  ])("that %s is refused, and nothing is written", async (_, spoil, reason) => {
    await loseAll();
    const spoilt = at("spoilt");
    await rm(spoilt, { recursive: true, force: true });
    await cp(at("one"), spoilt, { recursive: true });
    await spoil(spoilt);
    await expect(run(restoreBackup, [spoilt])).rejects.toThrow(reason);
    expect(await readdir(gateway.dataDir)).toEqual([]);
  });

  test("of another store is not put beside a key or an identity of this one", async () => {
    await loseAll();
    await writeFile(path.join(gateway.dataDir, "store.json"), '{"id":"other","format":1}');
    await expect(run(restoreBackup, [at("one")])).rejects.toThrow(/names another store/);
    await loseAll();
    await writeFile(path.join(gateway.dataDir, "sealing.key"), "another");
    await expect(run(restoreBackup, [at("one")])).rejects.toThrow(/another key than the backup's/);
  });

  test("is placed for a Redis of one's own in the folder that is named", async () => {
    const settings = { REDIS_URL: "unix:/nowhere.sock" };
    await loseAll();
    await expect(run(restoreBackup, [at("one")], settings)).rejects.toThrow(/--redis-dir/);

    const theirs = at("theirs");
    await run(restoreBackup, [at("one")], settings, { "redis-dir": theirs });
    expect(await readFile(path.join(theirs, "appendonly.aof"))).toEqual(
      await readFile(path.join(at("one"), "store.rdb")),
    );
    expect((await readdir(gateway.dataDir)).filter((name) => !name.endsWith(".sock"))).toEqual([
      "ledger",
      "sealing.key",
      "store.json",
    ]);
  });
});
