import { Type } from "@sinclair/typebox";
import type { BrokerKind, BrokerOpening } from "../broker-kind.ts";
import { createProjectXAdapter } from "./adapter.ts";
import { PROJECTX_SECRETS, ProjectXSettings } from "./config.ts";
import { DEMO_HOSTS, FIRMS } from "./firms.ts";
import type { ProjectXObserver } from "./observer.ts";
import type { ProjectXHosts } from "./urls.ts";

/** Which world it is, is said of the connection itself. */
const Settings = Type.Omit(ProjectXSettings, ["environment"], {
  title: "ProjectX (TopstepX and others)",
  additionalProperties: false,
});

export const PROJECTX: BrokerKind = {
  settings: Settings,
  secrets: PROJECTX_SECRETS,
  login: ["firm", "userName", "restUrl"],
  local: ["restUrl", "rtcUrl"],
  notices: [
    {
      text: "Topstep forbids trading by its API from a VPS, a VPN or any remote server, and automation that nobody watches: run this gateway on a device of your own and stay with it, or the account may be closed. Other firms have rules of their own",
      source: "Topstep Help Center, TopstepX API Access, as others quote it",
      asOf: "2026-11-27",
    },
    {
      text: "The account must be set to Auto OCO Brackets on the firm's platform: with Position Brackets every order that brings exits is refused",
      source: "The service's own words, as others have seen them",
      asOf: "2026-11-27",
    },
    {
      text: "Choose live for a firm's accounts, evaluations too; demo is ProjectX's own demo service. This connection was tried against a simulator of ProjectX only, never against the service",
      source: "This gateway's documentation, docs/brokers.md",
      asOf: "2026-11-27",
    },
  ],
  open: (opening) => {
    const { connectionId, environment, settings, mayWrite, memory, contracts, now } = opening;
    // Sound because the opening has been checked by the very schema.
    const checked = { ...settings, environment } as ProjectXSettings;
    return createProjectXAdapter({
      connectionId,
      environment,
      hosts: hostsOf(checked),
      userName: checked.userName,
      apiKey: checked.apiKey,
      marketData: checked.marketData,
      contracts,
      observer: observerOf(opening),
      now,
      mayWrite,
      memory,
    });
  },
};

/** A look-alike that names only one of the two has both there. */
function hostsOf({ environment, firm, restUrl, rtcUrl }: ProjectXSettings): ProjectXHosts {
  const local = restUrl ?? rtcUrl;
  if (local !== undefined) return { api: restUrl ?? local, rtc: rtcUrl ?? local };
  return environment === "demo" ? DEMO_HOSTS : FIRMS[firm];
}

function observerOf({ connectionId, log, exitsMissing, alarms }: BrokerOpening): ProjectXObserver {
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
    trouble: (error) => log.warn("The broker connection has trouble", { connectionId, error }),
  };
}
