import { type Action, ENDED, type EventKind, type HubEvent } from "./entities.ts";
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
const [NEW, CHANGED, GONE] = [0, 1, 2] as const;

export const targetOf = (kind: EventKind): string => TARGETS[kind];

/** An event in the form that the settings give it. */
export function toPayload(event: HubEvent, settings: HubSettings): object {
  const { kind } = event;
  const { payload, nulls } = settings;
  const fields = Object.entries(event.data) as readonly [string, unknown][];
  const isLeftOut = (value: unknown) => kind === "order" && nulls === "omitted" && value === null;
  const data = Object.fromEntries(
    fields
      .filter(([, value]) => !isLeftOut(value))
      .map(([name, value]) => [name, toField(kind, name, value, settings)]),
  );
  const isBare = payload === "bare" || (payload === "mixed" && BARE_WHEN_MIXED.has(kind));
  if (isBare) return data;
  return { action: actionOf(event, settings), data };
}

function actionOf({ kind, action, data }: HubEvent, settings: HubSettings): Action {
  const { positionEnd, actions } = settings;
  if (kind === "position" && action === GONE && positionEnd === "changed") return CHANGED;
  if (actions === "byEvent" || (kind !== "order" && kind !== "position")) return action;
  if (kind === "order" && "status" in data && ENDED.has(Number(data.status))) return GONE;
  return action === NEW ? CHANGED : action;
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
