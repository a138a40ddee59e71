import { readFile } from "node:fs/promises";

/** What `/proc` counts in: 100 a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that the processes have used so far, those of their ended children included. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const used = await Promise.all(pids.map(cpuOf));
  return used.reduce((total, seconds) => total + seconds, 0);
}

/** How often a process has written so far, to whatever it has open. */
export async function writeCalls(pid: number): Promise<number> {
  const figures = await readFile(`/proc/${pid}/io`, "utf8");
  return Number(/^syscw: (\d+)$/m.exec(figures)?.[1]);
}

/** Resident memory of the processes together, in bytes. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(pids.map(residentOf));
  return sizes.reduce((total, size) => total + size, 0);
}

/** A process and everything it has started, except the process named and what that has started. */
export async function processTree(pid: number, except?: number): Promise<number[]> {
  if (pid === except) return [];
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(file, "utf8").catch(() => "");
  const children = text.split(" ").map(Number).filter(Boolean);
  const below = await Promise.all(children.map((child) => processTree(child, except)));
  return [pid, ...below.flat()];
}

async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces: the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  const ticks = (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0);
  return ticks / TICKS_PER_SECOND;
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}
