import type { Logger } from "../observability/logger.ts";
import type { StrategyView } from "../trading/strategies/strategy-views.ts";
import type { Caller, Gateway } from "../trading/gateway.ts";

/** Leaves a line in the log for each change of what may be traded, and by whose key. */
export function auditChanges(gateway: Gateway, log: Logger): Gateway {
  return {
    ...gateway,
    ...auditRisk(gateway, log),
    ...auditConnections(gateway, log),
    ...auditWebhooks(gateway, log),
    ...auditCopyGroups(gateway, log),
    ...auditStrategies(gateway, log),
  };
}

function auditRisk(gateway: Gateway, log: Logger) {
  return {
    changeKillSwitch: async (caller, change) => {
      const view = await gateway.changeKillSwitch(caller, change);
      const { active, accountId, reason } = change;
      log.warn("Kill switch changed", {
        ...who(caller),
        state: active ? "on" : "off",
        ...(accountId !== undefined && { accountId }),
        ...(reason !== undefined && { reason }),
      });
      return view;
    },
    changeLimits: async (caller, accountId, change) => {
      const limits = await gateway.changeLimits(caller, accountId, change);
      log.warn("Limits changed", { ...who(caller), accountId });
      return limits;
    },
  } satisfies Partial<Gateway>;
}

/** By their ids: settings are not for logs. */
function auditConnections(gateway: Gateway, log: Logger) {
  return {
    addConnection: async (caller, request) => {
      const view = await gateway.addConnection(caller, request);
      const { connectionId, broker: kind } = view;
      log.warn("Connection added", { ...who(caller), connectionId, kind });
      return view;
    },
    changeConnection: async (caller, connectionId, change) => {
      const view = await gateway.changeConnection(caller, connectionId, change);
      const state = view.setup?.paused === true ? "paused" : "active";
      log.warn("Connection changed", { ...who(caller), connectionId, state });
      return view;
    },
    removeConnection: async (caller, connectionId) => {
      await gateway.removeConnection(caller, connectionId);
      log.warn("Connection removed", { ...who(caller), connectionId });
    },
    testConnection: async (caller, connectionId) => {
      const trial = await gateway.testConnection(caller, connectionId);
      log.info("Connection tested", { ...who(caller), connectionId, outcome: trial.result });
      return trial;
    },
    reconnectConnection: async (caller, connectionId) => {
      const view = await gateway.reconnectConnection(caller, connectionId);
      log.warn("Connection may log in again", { ...who(caller), connectionId });
      return view;
    },
  } satisfies Partial<Gateway>;
}

function auditWebhooks(gateway: Gateway, log: Logger) {
  return {
    createWebhook: async (caller, request) => {
      const created = await gateway.createWebhook(caller, request);
      const { id: webhookId, accountId } = created.webhook;
      log.info("Webhook created", { ...who(caller), webhookId, accountId });
      return created;
    },
    changeWebhook: async (caller, webhookId, change) => {
      const webhook = await gateway.changeWebhook(caller, webhookId, change);
      const { accountId } = webhook;
      log.info("Webhook changed", { ...who(caller), webhookId, accountId });
      return webhook;
    },
    deleteWebhook: async (caller, webhookId) => {
      await gateway.deleteWebhook(caller, webhookId);
      log.info("Webhook deleted", { ...who(caller), webhookId });
    },
    replayAlert: async (caller, alert) => {
      const handled = await gateway.replayAlert(caller, alert);
      log.warn("Alert replayed", { ...who(caller), intentId: handled.alertId });
      return handled;
    },
  } satisfies Partial<Gateway>;
}

function auditCopyGroups(gateway: Gateway, log: Logger) {
  return {
    createCopyGroup: async (caller, request) => {
      const view = await gateway.createCopyGroup(caller, request);
      const { groupId, leader: accountId } = view.group;
      log.warn("Copy group created", { ...who(caller), groupId, accountId });
      return view;
    },
    changeCopyGroup: async (caller, groupId, change) => {
      const view = await gateway.changeCopyGroup(caller, groupId, change);
      const state = view.group.paused ? "paused" : "active";
      log.warn("Copy group changed", { ...who(caller), groupId, state });
      return view;
    },
    deleteCopyGroup: async (caller, groupId) => {
      await gateway.deleteCopyGroup(caller, groupId);
      log.warn("Copy group deleted", { ...who(caller), groupId });
    },
    putFollower: async (caller, groupId, accountId, request) => {
      const view = await gateway.putFollower(caller, groupId, accountId, request);
      log.warn("Follower set", { ...who(caller), groupId, accountId });
      return view;
    },
    changeFollower: async (caller, groupId, accountId, change) => {
      const view = await gateway.changeFollower(caller, groupId, accountId, change);
      log.warn("Follower changed", { ...who(caller), groupId, accountId });
      return view;
    },
    removeFollower: async (caller, groupId, accountId) => {
      const view = await gateway.removeFollower(caller, groupId, accountId);
      log.warn("Follower removed", { ...who(caller), groupId, accountId });
      return view;
    },
    syncCopyGroup: async (caller, groupId, account) => {
      const copies = await gateway.syncCopyGroup(caller, groupId, account);
      log.warn("Followers brought in line", { ...who(caller), groupId, count: copies.length });
      return copies;
    },
  } satisfies Partial<Gateway>;
}

function auditStrategies(gateway: Gateway, log: Logger) {
  const told = ({ strategy }: StrategyView) => ({
    strategyId: strategy.strategyId,
    accountId: strategy.accountId,
    state: strategy.enabled ? strategy.mode : "off",
  });
  return {
    createStrategy: async (caller, request) => {
      const view = await gateway.createStrategy(caller, request);
      log.warn("Strategy created", { ...who(caller), ...told(view) });
      return view;
    },
    changeStrategy: async (caller, id, change) => {
      const view = await gateway.changeStrategy(caller, id, change);
      log.warn("Strategy changed", { ...who(caller), ...told(view) });
      return view;
    },
    deleteStrategy: async (caller, strategyId) => {
      await gateway.deleteStrategy(caller, strategyId);
      log.warn("Strategy deleted", { ...who(caller), strategyId });
    },
  } satisfies Partial<Gateway>;
}

const who = ({ userId, credentialId, requestId }: Caller) => ({ userId, credentialId, requestId });
