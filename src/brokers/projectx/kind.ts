import type { BrokerKind, BrokerOpening } from "../broker-kind.ts";
import { createProjectXAdapter } from "./adapter.ts";
import { PROJECTX_SECRETS, ProjectXSettings } from "./config.ts";
import { hostsOf } from "./firms.ts";
import type { ProjectXObserver } from "./observer.ts";

/** When what follows was looked up. */
const asOf = "2026-11-27";
const TOPSTEP_PAGE =
  "Topstep Help Center, article 11187768, TopstepX API Access, as others read it on 2026-09-13";

export const PROJECTX: BrokerKind = {
  settings: ProjectXSettings,
  secrets: PROJECTX_SECRETS,
  login: ["firm", "userName", "restUrl"],
  local: ["restUrl", "rtcUrl"],
  places: ["firm"],
  // One service for all accounts of a firm. Each account says by itself whether it is simulated.
  environments: ["live"],
  notices: [
    {
      text: "Topstep forbids trading by its API from a VPS, a VPN or a remote server: “All trading activity must originate from your personal device. The use of VPS, VPNs, and remote servers is prohibited by Topstep's Terms of Use.” Run this gateway on a device of your own, or the account may be suspended",
      source: TOPSTEP_PAGE,
      asOf,
    },
    {
      text: "Automation that nobody watches is forbidden at Topstep too: stay with it. Orders by the API are final, and errors of a program are never made good",
      source:
        "algoproven.com, TopstepX API rules, on topstep.com; Topstep's own page as others quote it does not say it in so many words",
      asOf,
    },
    {
      text: "A Live Funded Account of Topstep may not be traded by the API; Practice, Trading Combine and Express Funded Accounts may. There is no demo service: begin with a Practice Account and one contract",
      source: TOPSTEP_PAGE,
      asOf,
    },
    {
      text: "ProjectX said that it ends its service for other firms than Topstep by 2026-02-28: what answers at their addresses now is not known, and each has rules of its own",
      source: "ProjectX's announcement of November 2025, as Finance Magnates and others quote it",
      asOf,
    },
    {
      text: "Set the account to Auto OCO Brackets on the firm's platform: with Position Brackets every order that brings exits is refused",
      source: "The service's own words, as others have recorded them",
      asOf,
    },
    {
      text: "This connection was tried against a simulator of ProjectX only, never against the service",
      source: "docs/brokers.md",
      asOf,
    },
  ],
  open: (opening) => {
    const { connectionId, environment, settings, mayWrite, memory, contracts, now } = opening;
    // Sound because the opening has been checked by the very schema.
    const checked = settings as ProjectXSettings;
    return createProjectXAdapter({
      connectionId,
      environment,
      hosts: hostsOf(checked),
      userName: checked.userName,
      apiKey: checked.apiKey,
      marketData: checked.marketData,
      liveCancels: checked.liveCancels,
      contracts,
      observer: observerOf(opening),
      now,
      mayWrite,
      memory,
    });
  },
};

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
