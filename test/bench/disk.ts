import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { medianOf } from "./statistics.ts";

const BLOCK = Buffer.alloc(4_096);
const TIMES = 200;

/** How long the disk that everything is measured on takes to write a little and sync it, ms. */
export async function measureSync(): Promise<number> {
  const name = path.join(tmpdir(), `gateway-bench-sync-${process.pid}`);
  const file = await open(name, "w");
  const took: number[] = [];
  try {
    while (took.length < TIMES) {
      const startedAt = performance.now();
      await file.write(BLOCK);
      await file.datasync();
      took.push(performance.now() - startedAt);
    }
  } finally {
    await file.close();
    await rm(name);
  }
  return medianOf(took);
}
