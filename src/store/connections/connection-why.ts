import type { ConnectionStatus, ConnectionWhy } from "../../domain/connection-status.ts";

export function encodeWhy(why: ConnectionWhy | undefined): string {
  return why === undefined ? "" : JSON.stringify(why);
}

/** An owner of an earlier version says no reason: that is said then, and nothing old is shown. */
export function decodeWhy(
  status: ConnectionStatus | "",
  text: string | null | undefined,
): ConnectionWhy | undefined {
  if (status === "" || status === "CONNECTED") return undefined;
  if (typeof text !== "string" || text === "") return { reason: "Its owner does not say why" };
  return JSON.parse(text) as ConnectionWhy;
}
