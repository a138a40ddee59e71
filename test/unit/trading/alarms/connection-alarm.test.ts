import { expect, test } from "vitest";
import type { ConnectionStatus } from "../../../../src/domain/connection-status.ts";
import { connectionId } from "../../../../src/domain/ids.ts";
import { AlarmBoard } from "../../../../src/trading/alarms/alarm-board.ts";
import { alarmOfConnection } from "../../../../src/trading/alarms/connection-alarm.ts";

test("a broker's last word stands until the connection is anything else", () => {
  const told: string[] = [];
  const alarms = new AlarmBoard(() => undefined);
  alarms.listen({
    raised: ({ kind }) => told.push(kind),
    cleared: ({ kind }) => told.push(`${kind} is over`),
  });
  const stand = (status: ConnectionStatus) =>
    alarmOfConnection(alarms, connectionId("c-1"), status, "The reason");
  for (const status of ["CONNECTED", "RECONNECTING", "DISCONNECTED"] as const) stand(status);
  expect(told).toEqual([]);
  stand("AUTH_EXPIRED");
  stand("AUTH_EXPIRED");
  stand("FATAL_ERROR");
  stand("CONNECTING");
  expect(told).toEqual([
    "loginRefused",
    "loginRefused is over",
    "connectionRefused",
    "connectionRefused is over",
  ]);
});
