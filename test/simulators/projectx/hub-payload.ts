import type { EventKind, HubEvent } from "./entities.ts";
import { END_OF_RECORD, invocation } from "./hub-protocol.ts";
import type { HubSettings, Unreadable } from "./hub-settings.ts";

const TARGETS: Readonly<Record<EventKind, string>> = {
  account: "GatewayUserAccount",
  order: "GatewayUserOrder",
  position: "GatewayUserPosition",
  trade: "GatewayUserTrade",
};
const IDS: ReadonlySet<string> = new Set([
  "id",
  "accountId",
  "orderId",
  "parentOrderId",
  "linkedOrderId",
]);
const BARE_WHEN_MIXED: ReadonlySet<EventKind> = new Set(["position", "trade"]);
const [CHANGED, GONE] = [1, 2] as const;

export const targetOf = (kind: EventKind): string => TARGETS[kind];

/** An event in the form that the settings give it. */
export function toPayload(event: HubEvent, settings: HubSettings): object {
  const { kind, action } = event;
  const { payload, positionEnd } = settings;
  const data = Object.fromEntries(
    Object.entries(event.data).map(([name, value]: [string, unknown]) => [
      name,
      toField(kind, name, value, settings),
    ]),
  );
  const isBare = payload === "bare" || (payload === "mixed" && BARE_WHEN_MIXED.has(kind));
  if (isBare) return data;
  const isEnd = kind === "position" && action === GONE && positionEnd === "changed";
  return { action: isEnd ? CHANGED : action, data };
}

function toField(kind: EventKind, name: string, value: unknown, settings: HubSettings): unknown {
  if (typeof value !== "number") return value;
  if (IDS.has(name)) return settings.ids === "text" ? String(value) : value;
  return kind === "order" && name === "status" ? (settings.callsStatus[value] ?? value) : value;
}

/** A record that no client can make anything of. */
export function unreadableRecord(form: Unreadable, target: string): string {
  switch (form) {
    case "noJson":
      return `{"type":1,"target":"${target}","arguments":[{"action":1,"data":{"id":${END_OF_RECORD}`;
    case "nothing":
      return invocation(target, []);
    case "null":
      return invocation(target, [null]);
    case "text":
      return invocation(target, ["?"]);
    case "noId":
      return invocation(target, [{ action: 1, data: { status: "?" } }]);
  }
}
