import type { WireEntry } from "../simulators/wire-log.ts";

/** All that was on a simulator's wire. Each entry is fetched once: a test file makes thousands. */
export function wireReader(
  fetchFrom: (from: number) => Promise<readonly WireEntry[]>,
): () => Promise<readonly WireEntry[]> {
  const read: WireEntry[] = [];
  const last = () => read.at(-1)?.seq ?? 0;
  return async () => {
    for (const entry of await fetchFrom(last() + 1)) {
      if (entry.seq > last()) read.push(entry);
    }
    return read;
  };
}
