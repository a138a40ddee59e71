import type { Socket } from "node:net";

/**
 * Ends a connection without a goodbye: by RST on TCP. A Unix socket knows no RST, and neither does a
 * connection that does not stand yet; they are closed. So is one that has said its goodbye: while
 * that is under way Node 20 cannot reset it (EINVAL), and would leave it open for ever.
 */
export function hardReset(socket: Socket): void {
  if (socket.destroyed) return;
  const isTcp = socket.localPort !== undefined;
  if (!isTcp || socket.connecting || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
