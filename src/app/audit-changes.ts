import type { Logger } from "../observability/logger.ts";
import type { Gateway } from "../trading/gateway.ts";

/** Leaves a line in the log for each change of what may be traded, and by whose key. */
export function auditChanges(gateway: Gateway, log: Logger): Gateway {
  return {
    ...gateway,
    changeKillSwitch: async (caller, change) => {
      const { userId, credentialId, requestId } = caller;
      const view = await gateway.changeKillSwitch(caller, change);
      const { active, accountId, reason } = change;
      log.warn("Kill switch changed", {
        userId,
        credentialId,
        requestId,
        state: active ? "on" : "off",
        ...(accountId !== undefined && { accountId }),
        ...(reason !== undefined && { reason }),
      });
      return view;
    },
    reconnectConnection: async (caller, connectionId) => {
      const { userId, credentialId, requestId } = caller;
      const view = await gateway.reconnectConnection(caller, connectionId);
      log.warn("Connection may log in again", { userId, credentialId, requestId, connectionId });
      return view;
    },
    changeLimits: async (caller, accountId, change) => {
      const { userId, credentialId, requestId } = caller;
      const limits = await gateway.changeLimits(caller, accountId, change);
      log.warn("Limits changed", { userId, credentialId, requestId, accountId });
      return limits;
    },
  };
}
