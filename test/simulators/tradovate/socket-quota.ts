import type { Settings } from "./settings.ts";
import type { SocketSession } from "./socket-session.ts";

/** The user's sockets that count, the oldest first. */
export function countedSockets(
  sockets: Iterable<SocketSession>,
  user: string,
  { mdSocketsCount }: Settings,
): readonly SocketSession[] {
  return [...sockets].filter(
    (socket) => socket.user === user && (mdSocketsCount || socket.kind !== "md"),
  );
}
