import { statfs } from "node:fs/promises";
import type { Finding } from "./durability.ts";

/** Room for some hours of a busy gateway, and for one rewrite of a small log. */
const LOW_BYTES = 512 * 1024 * 1024;
/** With so little left Redis cannot write a single order. */
const FULL_BYTES = 1024 * 1024;

/** How many bytes a folder's disk can still take. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What a person must know of the disk that Redis writes to. */
export function judgeDisk(folder: string, freeBytes: number): readonly Finding[] {
  if (freeBytes >= LOW_BYTES) return [];
  if (freeBytes < FULL_BYTES) {
    const text = `The disk of ${folder} is full: nothing is accepted or sent until there is room. Delete what is not needed there, or make it larger; the gateway goes on by itself`;
    return [{ kind: "diskFull", text }];
  }
  const left = `${Math.floor(freeBytes / 1024 / 1024)} MB`;
  const text = `The disk of ${folder} has ${left} left: once it is full, alerts and orders are refused. Make room now`;
  return [{ kind: "diskLow", text }];
}
