import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionStatus, needsAPerson } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionBoard } from "../trading/ports.ts";

/** How long the first sessions may take before the gateway listens without them. */
const CONNECT_WITHIN_MS = 5_000;

/**
 * Waits until every connection but those at rest stands or asks for a person, wherever it is owned,
 * or for a few seconds.
 */
export async function untilConnected(
  board: Pick<ConnectionBoard, "known" | "status">,
  signal?: AbortSignal,
  resting: ReadonlySet<ConnectionId> = new Set(),
): Promise<void> {
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (performance.now() < deadline) {
    const known = board.known().filter((id) => !resting.has(id));
    if (known.length > 0 && known.every((id) => isSettled(board.status(id)))) return;
    signal?.throwIfAborted();
    await sleep(10);
  }
}

const isSettled = (status: ConnectionStatus): boolean =>
  status === "CONNECTED" || needsAPerson(status);
