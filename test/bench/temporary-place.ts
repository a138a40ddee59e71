import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Programs } from "./build.ts";
import type { Place } from "./contender.ts";

/** Lends an empty folder, and removes it afterwards. */
export async function temporaryPlace<Value>(
  { programs, signal }: { readonly programs: Programs; readonly signal: AbortSignal },
  use: (place: Place) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-bench-"));
  try {
    return await use({ programs, signal, folder });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
