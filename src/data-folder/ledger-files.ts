import { open } from "node:fs/promises";
import path from "node:path";
import type { AccountId } from "../domain/ids.ts";
import type { PlacedEntry } from "../domain/ledger/ledger-entry.ts";
import { makeFolder, syncFolder } from "./private-files.ts";

/** The folder of each account's lines that have left Redis. A backup and a restore take it along. */
export const LEDGER_FOLDER = "ledger";

/**
 * Appends lines that leave Redis to the account's file, one JSON object a line, and resolves once they
 * are on the disk. A line may be there twice: its `id` tells. One that broke off, where the disk was full
 * or the machine died, stays as it is, and the next begins behind it.
 */
export async function appendToLedgerFile(
  dataDir: string,
  account: AccountId,
  lines: readonly PlacedEntry[],
): Promise<void> {
  const folder = path.join(dataDir, LEDGER_FOLDER);
  await makeFolder(folder);
  const file = await open(path.join(folder, `${account}.jsonl`), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({
      buffer: Buffer.alloc(1),
      position: Math.max(0, size - 1),
    });
    if (size > 0 && buffer.toString() !== "\n") await file.appendFile("\n");
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await file.datasync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
}
