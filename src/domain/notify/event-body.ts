import type { EventType, GatewayEvent } from "./event.ts";

/** An event as programs read it: the body of a signed webhook, and what the API lists. */
export interface EventBody {
  readonly type: EventType;
  /** When it happened, ISO. */
  readonly timestamp: string;
  readonly apiVersion: "1";
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is not known is absent. */
export function presentEvent(event: GatewayEvent): EventBody {
  const { id, severity, accountId, accountName, connectionId, environment, message, advice } =
    event;
  return {
    type: event.type,
    timestamp: new Date(event.at).toISOString(),
    apiVersion: "1",
    data: {
      id,
      severity,
      ...(accountId !== undefined && { accountId }),
      ...(accountName !== undefined && { accountName }),
      ...(connectionId !== undefined && { connectionId }),
      ...(environment !== undefined && { environment }),
      message,
      ...(advice !== undefined && { advice }),
      ...event.facts,
    },
  };
}
