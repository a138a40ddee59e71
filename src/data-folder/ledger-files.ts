import { open } from "node:fs/promises";
import path from "node:path";
import type { AccountId } from "../domain/ids.ts";
import type { PlacedEntry } from "../domain/ledger/ledger-entry.ts";
import { makeFolder } from "./private-files.ts";

/**
 * Appends lines that leave Redis to the account's file, one JSON object a line, and resolves once they
 * are on the disk. A line may be there twice: its `id` tells.
 */
export async function appendToLedgerFile(
  dataDir: string,
  account: AccountId,
  lines: readonly PlacedEntry[],
): Promise<void> {
  const folder = path.join(dataDir, "ledger");
  await makeFolder(folder);
  const file = await open(path.join(folder, `${account}.jsonl`), "a", 0o600);
  try {
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await file.datasync();
  } finally {
    await file.close();
  }
}
