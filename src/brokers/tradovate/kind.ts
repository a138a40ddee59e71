import { Type } from "@sinclair/typebox";
import { createTradovateAdapter, type TradovateObserver } from "./adapter.ts";
import { TRADOVATE_SECRETS, TradovateSettings } from "./config.ts";
import type { BrokerKind, BrokerOpening } from "../broker-kind.ts";

/** Which world it is, is said of the connection itself. */
const Settings = Type.Omit(TradovateSettings, ["environment"], {
  title: "Tradovate",
  additionalProperties: false,
});

export const TRADOVATE: BrokerKind = {
  settings: Settings,
  secrets: TRADOVATE_SECRETS,
  login: ["name", "restUrl"],
  local: ["restUrl", "wsUrl", "mdUrl"],
  places: [],
  environments: ["demo", "live"],
  notices: [],
  open: (opening) => {
    const { connectionId, environment, settings, deviceId, mayWrite, ...rest } = opening;
    const { memory, names, contracts, now } = rest;
    // Sound because the opening has been checked by the very schema.
    const checked = { ...settings, environment } as TradovateSettings;
    return createTradovateAdapter({
      connectionId,
      settings: checked,
      deviceId,
      mayWrite,
      memory,
      names,
      contracts,
      now,
      observer: observerOf(opening),
    });
  },
};

function observerOf({ connectionId, log, exitsMissing, alarms }: BrokerOpening): TradovateObserver {
  return {
    differs: (symbol, { field, ours, theirs }) =>
      log.warn("The broker's data of a contract are not those of our table", {
        connectionId,
        symbol,
        setting: field,
        reason: `ours ${ours}, theirs ${theirs}`,
      }),
    legTrouble: (accountId, { entry: orderId, contract, exits, reason }) => {
      exitsMissing(accountId, { contract, exits });
      alarms.raise({
        kind: "exitsNotAsAsked",
        connectionId,
        accountId,
        orderId,
        contract,
        reason,
      });
    },
    feedTrouble: (reason) => alarms.raise({ kind: "feedFailed", connectionId, reason }),
    trouble: (error) => log.warn("The broker connection has trouble", { connectionId, error }),
  };
}
