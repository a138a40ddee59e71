import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../faults/proxy.ts";
import type { Struck } from "./faults-done.ts";

/** Lets a whole link fail for a while, and heals it. */
export async function pullLink(
  proxy: FaultProxy,
  { link, ms }: { readonly link: "cut" | "halfOpen" | "latency"; readonly ms: number },
): Promise<Struck> {
  if (link === "cut") {
    const down = proxy.add({ kind: "down" });
    // Long enough: what was cut comes back at once.
    await sleep(ms / 4);
    down.remove();
    return { note: "", isHit: true, kills: 0 };
  }
  const fault =
    link === "halfOpen"
      ? proxy.add({ kind: "halfOpen" })
      : proxy.add({ kind: "latency", ms: 100, jitterMs: 300 });
  await sleep(ms);
  fault.remove();
  return { note: "", isHit: fault.hits > 0, kills: 0 };
}
