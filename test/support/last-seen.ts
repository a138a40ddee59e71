import { AsyncLocalStorage } from "node:async_hooks";

interface Sight {
  last: string | undefined;
}

const sights = new AsyncLocalStorage<Sight>();
/** Enough to recognise an answer by. */
const LONGEST = 500;

/** Looks once, and keeps the last thing that was noted meanwhile in `sight`. */
export async function lookWith<T>(sight: Sight, look: () => T | Promise<T>): Promise<T> {
  return await sights.run(sight, async () => await look());
}

/** For the error of the wait that is under way, if there is one. */
export function noteSeen(text: string): void {
  const sight = sights.getStore();
  if (sight !== undefined) sight.last = text.slice(0, LONGEST);
}
