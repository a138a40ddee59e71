import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

const HOST = "127.0.0.1";
/** Below the ports that a system hands out by itself: nothing else comes upon one by chance. */
const FIRST = 10_000;
const LAST = 31_999;

/** Held while this process lives. */
const claims: Socket[] = [];
let next = FIRST + (process.pid % 200) * 110;

/**
 * The first of some ports in a row on which nothing listens. They stay this process' own: it holds the
 * UDP port of each number, so that no other test process takes the same for TCP meanwhile.
 */
export async function freePort(count = 1): Promise<number> {
  for (let tries = 0; tries <= LAST - FIRST; tries += 1) {
    const first = next + count > LAST ? FIRST : next;
    next = first + count;
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(canClaim))).every(Boolean)) return first;
  }
  throw new Error("There is no free port");
}

async function canClaim(port: number): Promise<boolean> {
  const claim = createSocket("udp4");
  claim.bind({ port, address: HOST, exclusive: true });
  if (!(await begins(claim))) return false;
  claims.push(claim.unref());
  const server = createServer().listen({ port, host: HOST, exclusive: true });
  if (!(await begins(server))) return false;
  server.close();
  await once(server, "close");
  return true;
}

async function begins(one: Socket | ReturnType<typeof createServer>): Promise<boolean> {
  return await once(one, "listening").then(
    () => true,
    () => false,
  );
}
