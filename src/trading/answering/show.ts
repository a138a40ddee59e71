import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { formatMinor, type Minor } from "../../domain/money.ts";
import { alertOutcome } from "../alerts/alert-outcome.ts";
import type { AlertEnding, LoggedAlert } from "../alerts/alert-log.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { ConnectionView } from "../connections/connection-uses.ts";
import type { Gateway } from "../gateway.ts";
import type { AccountMoney } from "../money/read-money.ts";
import type { OwnFigures } from "../money/value-account.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { Caller } from "../people/caller.ts";
import type { Trouble } from "../reads/overview.ts";
import { labelsOf } from "./account-labels.ts";
import type { Reply } from "./ports.ts";
import type { Reading } from "./read-command.ts";
import { fitting, holdingText, lengthOf, LONGEST_LIST, someOf, spanText } from "./words.ts";

export interface ShowDeps {
  readonly gateway: Pick<
    Gateway,
    "readStanding" | "readAllMoney" | "listAlerts" | "listConnections"
  >;
  readonly describe: DescribeContract;
  readonly accounts: Pick<AccountDirectory, "of">;
}

const MOST_TROUBLES = 8;
const MOST_ALERTS = 10;

/** What a person asked to see of their accounts, in words. */
export async function show(deps: ShowDeps, caller: Caller, what: Reading): Promise<Reply> {
  switch (what) {
    case "status":
      return await showStatus(deps, caller);
    case "positions":
      return await showPositions(deps, caller);
    case "pnl":
      return await showMoney(deps, caller);
    case "alerts":
      return await showAlerts(deps, caller);
    case "connections":
      return await showConnections(deps, caller);
  }
}

async function showStatus({ gateway }: ShowDeps, caller: Caller): Promise<Reply> {
  const now = caller.receivedAt;
  const [all, standing] = await Promise.all([
    gateway.listConnections(caller),
    gateway.readStanding(caller),
  ]);
  const paused = all.filter(({ setup }) => setup?.paused === true).length;
  const { connections, killSwitch, holdings, unknownOutcomes, unprotectedPositions, ...rest } =
    standing;
  const { waiting, oldestWaitingMs, troubles } = rest;
  const oldest = holdings.filter(({ live }) => !live).map(({ asOf }) => asOf);
  const longest =
    oldestWaitingMs === undefined ? "" : `, the oldest for ${spanText(oldestWaitingMs)}`;
  return {
    title: "Status",
    lines: [
      `Connections: ${connections.connected} of ${connections.total} up${paused === 0 ? "" : `, ${paused} paused`}`,
      `Kill switch: ${switchText(killSwitch)}`,
      `Positions: ${holdings.length}`,
      ...(unprotectedPositions > 0 ? [`Exits missing: ${unprotectedPositions}`] : []),
      ...(unknownOutcomes > 0 ? [`Outcomes not known: ${unknownOutcomes}`] : []),
      ...(waiting > 0 ? [`Waiting orders: ${waiting}${longest}`] : []),
      ...(oldest.length > 0
        ? [`Some positions are as of ${spanText(now - Math.min(...oldest))} ago`]
        : []),
      "",
      ...(troubles.length === 0
        ? ["No trouble is known"]
        : someOf(troubles.map(troubleText), MOST_TROUBLES)),
    ],
  };
}

function switchText({ active, accounts }: { active: boolean; accounts: number }): string {
  if (active) return "on for all accounts";
  return accounts === 0 ? "off" : `on for ${accounts} ${accounts === 1 ? "account" : "accounts"}`;
}

const troubleText = ({ severity, message, advice }: Trouble): string =>
  `${severity === "info" ? "Note" : severity === "warning" ? "Warning" : "Critical"}: ${message}. ${advice}`;

async function showPositions(
  { gateway, describe, accounts }: ShowDeps,
  caller: Caller,
): Promise<Reply> {
  const [{ holdings, asOf }, connections] = await Promise.all([
    gateway.readStanding(caller),
    gateway.listConnections(caller),
  ]);
  const nameOf = labelsOf(accounts.of(caller.userId));
  const lines = holdings.map((one) => holdingText(one, describe, { now: asOf, nameOf }));
  const first = [
    ...someOf(
      connections.flatMap((one) => mayBeOld(one, asOf)),
      MOST_TROUBLES,
    ),
    ...(lines.length === 0 ? ["Nothing is held, as far as is known"] : []),
  ];
  const title = `Positions: ${holdings.length}`;
  return { title, lines: [...first, ...fitting(lines, LONGEST_LIST - lengthOf(first), andMore)] };
}

const andMore = (count: number): string => `… and ${count} more`;

/** A position that was closed, or opened, meanwhile is not seen. */
function mayBeOld(connection: ConnectionView, now: number): readonly string[] {
  if (connection.status === "CONNECTED") return [];
  const { since, setup } = connection;
  const what = setup?.paused === true ? "is paused" : "is not up";
  const long = since > 0 ? ` since ${spanText(now - since)}` : "";
  return [
    `Connection ${nameOf(connection)} ${what}${long}: what its accounts hold may have changed`,
  ];
}

async function showMoney({ gateway, accounts }: ShowDeps, caller: Caller): Promise<Reply> {
  const all = await gateway.readAllMoney(caller);
  const own = accounts.of(caller.userId);
  const nameOf = labelsOf(own);
  const lines = all.flatMap((one) => moneyLines(one, nameOf(one.account.accountId)));
  const none = "Nothing was traded today, and nothing is held, as far as is known";
  const first = [
    ...(own.length > all.length
      ? [`Only ${all.length} of ${own.length} accounts are looked at here`]
      : []),
    ...(lines.length === 0 ? [none] : []),
  ];
  return {
    title: "Today",
    lines: [...first, ...fitting(lines, LONGEST_LIST - lengthOf(first), andMore)],
  };
}

function moneyLines(
  { account, figures, asOf, pricesMissing }: AccountMoney,
  name: string,
): readonly string[] {
  const old = account.connectionStatus === "CONNECTED" ? "" : "; its connection is not up";
  return figures.map((one) => {
    const { pricedAt, isEstimated, areFeesExpected, unfeedQty, unpriced } = one;
    const priced = pricedAt === undefined ? undefined : asOf - pricedAt;
    const age =
      priced !== undefined && priced >= 60_000 ? `, at prices of ${spanText(priced)} ago` : "";
    const isOpen = pricedAt !== undefined || unpriced.length > 0;
    const why = pricesMissing !== undefined && isOpen ? ` (${pricesMissing})` : "";
    const missing =
      unpriced.length > 0
        ? `; no price for ${unpriced.map(symbolOfCode).join(", ")}${why}`
        : why === ""
          ? ""
          : `; no newer prices${why}`;
    const rough = isEstimated || areFeesExpected || unfeedQty > 0 ? "; partly estimated" : "";
    const closed = `closed ${amount(one, one.realizedPnl)}`;
    const fees = `fees ${amount(one, one.fees)}`;
    return `${name}: ${closed}, ${fees}, open ${amount(one, one.openPnl)}${age}${missing}${rough}${old}`;
  });
}

function amount({ currency }: OwnFigures, value: Minor | undefined): string {
  if (value === undefined || currency === "") return "not known";
  return `${formatMinor(value, currency)} ${currency}`;
}

async function showAlerts({ gateway }: ShowDeps, caller: Caller): Promise<Reply> {
  const { items } = await gateway.listAlerts(caller, { limit: MOST_ALERTS });
  const lines = items.map((one) => alertText(one, caller.receivedAt));
  return {
    title: "Newest alerts",
    lines: lines.length === 0 ? ["There are none"] : lines,
  };
}

function alertText(alert: LoggedAlert, now: number): string {
  const { accountId, receivedAt, request, contract } = alert.entry;
  const what = request === undefined ? "unreadable" : `${request.kind} ${contract ?? ""}`.trim();
  const why = "ending" in alert ? endingText(alert.ending) : outcomeText(alert);
  return `${spanText(now - receivedAt)} ago, ${accountId}, ${what}: ${alertOutcome(alert)}${why}`;
}

const endingText = (ending: AlertEnding): string =>
  ending.kind === "refused" ? ` (${ending.message})` : "";

function outcomeText({ intent: { outcome } }: Extract<LoggedAlert, { intent: unknown }>): string {
  return outcome !== undefined && "reason" in outcome ? ` (${outcome.reason})` : "";
}

async function showConnections({ gateway }: ShowDeps, caller: Caller): Promise<Reply> {
  const all = await gateway.listConnections(caller);
  const lines = all.map((one) => connectionText(one, caller.receivedAt));
  return { title: "Connections", lines: lines.length === 0 ? ["There are none"] : lines };
}

function connectionText(connection: ConnectionView, now: number): string {
  const { broker, environment, status, since, reason, setup } = connection;
  const state = setup?.paused === true ? "paused" : status === "CONNECTED" ? "up" : "not up";
  const long = since > 0 ? ` since ${spanText(now - since)}` : "";
  const why = status === "CONNECTED" || reason === undefined ? "" : ` (${reason})`;
  return `${nameOf(connection)} (${broker}, ${environment}): ${state}${long}${why}`;
}

const nameOf = ({ connectionId, setup }: ConnectionView): string => setup?.name ?? connectionId;
