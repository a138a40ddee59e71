import type { ConnectionId } from "../domain/ids.ts";
import { errors } from "../errors.ts";
import type { ConnectionRecord, ConnectionRecords } from "./connection-records.ts";
import type { Caller, ConnectionView } from "./gateway.ts";

type Asker = Pick<Caller, "userId">;

interface ConnectionUses {
  readonly listConnections: (asker: Asker) => Promise<readonly ConnectionView[]>;
  readonly reconnectConnection: (asker: Asker, connection: ConnectionId) => Promise<ConnectionView>;
}

/** How a user's connections stand, and the word that one may try to log in again. */
export function createConnectionUses({
  records,
}: {
  readonly records: Pick<ConnectionRecords, "list" | "find" | "resume">;
}): ConnectionUses {
  return {
    listConnections: async ({ userId }) =>
      (await records.list()).filter((record) => record.userId === userId).map(toConnectionView),

    reconnectConnection: async ({ userId }, id) => {
      const record = await records.find(id);
      if (record === undefined || record.userId !== userId) throw errors.notFound("connection");
      await records.resume(id);
      return toConnectionView(record);
    },
  };
}

function toConnectionView(record: ConnectionRecord): ConnectionView {
  const { connectionId, broker, environment, status, since, stop } = record;
  return {
    connectionId,
    broker,
    environment,
    status,
    since,
    ...(stop !== undefined && { reason: stop.reason }),
  };
}
