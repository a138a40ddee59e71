import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { heldText } from "../../domain/position.ts";
import type { ConnectionStatus } from "../../domain/connection-status.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { AlarmKind } from "../alarms/alarm.ts";
import { STOPS } from "../alarms/connection-alarm.ts";
import type { Severity } from "../../domain/severity.ts";
import { type FoundKind, needOf } from "../alarms/declared-alarms.ts";
import type { GuardAlarm } from "../alarms/guard-alarms.ts";
import type { PlanAlarm } from "../alarms/plan-alarms.ts";
import { guardTrouble } from "./guard-troubles.ts";
import { planTrouble } from "./plan-troubles.ts";
import type { AccountName, OpenWork, Trouble } from "./overview.ts";
import type { DriftedFollower, Unread } from "../ports.ts";
import type { Holding } from "./read-holdings.ts";
import type { FailingStrategy } from "../strategies/strategy-views.ts";
import type { ConnectionView } from "../connections/connection-uses.ts";

export interface OverviewFacts {
  /** By Redis' clock, Unix ms. */
  readonly now: number;
  /** What people call an account. */
  readonly nameOf: (account: AccountId) => string;
  /** Without those that are paused. */
  readonly connections: readonly ConnectionView[];
  readonly holdings: readonly Holding[];
  readonly work: readonly OpenWork[];
  readonly switches: { readonly ofUser: boolean; readonly accounts: readonly AccountId[] };
  readonly outOfStep: readonly AccountId[];
  /** What brokers tell and nobody here understands. */
  readonly unread: readonly Unread[];
  /** Followers that do not hold what they should, or that were stopped. */
  readonly drifted: readonly DriftedFollower[];
  /** What guards have brought accounts into. */
  readonly guards: readonly GuardAlarm[];
  /** Exit plans that cannot go on. */
  readonly plans: readonly PlanAlarm[];
  /** Strategies that trade, and whose newest slot did not come to what it should. */
  readonly failing: readonly FailingStrategy[];
  /** Webhooks with an exit plan that do not say who sends. */
  readonly unclear: readonly Webhook[];
  /** Connections that stand, and whose process did not answer just now. */
  readonly silent: readonly ConnectionView[];
  /** The store is not safe, has no room, or does not answer in time. */
  readonly store: readonly StoreTrouble[];
  /** Connections that stand, and on which nothing may be opened. */
  readonly blocked: readonly BlockedConnection[];
}

export interface StoreTrouble {
  readonly cause: "storeUnsafe" | "diskNeedsRoom" | "memoryNeedsRoom" | "storeSlow";
  /** Which it is: its words change with its figures. */
  readonly finding: string;
  readonly text: string;
}

export interface BlockedConnection {
  readonly connection: ConnectionView;
  /** In words. */
  readonly reason: string;
}

/** An intent is sent within milliseconds; one that waits longer than this waits for something. */
export const LONG_WAIT_MS = 10_000;

/** Of accounts that share a trouble, so many are named. */
const MOST_NAMED = 200;

/** Everything that needs a person, the most severe first, in words for its owner. */
export function findTroubles(facts: OverviewFacts): readonly Trouble[] {
  const { connections, work, failing, silent, outOfStep } = facts;
  const long = ({ waiting, oldestMs }: OpenWork) => waiting > 0 && oldestMs >= LONG_WAIT_MS;
  const troubles = [
    ...facts.store.map(storeTrouble),
    ...work.filter(({ unknown }) => unknown > 0).map((one) => unknownOutcome(one, facts)),
    ...work.filter(({ unfinished }) => unfinished > 0).map((one) => exitUnfinished(one, facts)),
    ...unprotected(facts),
    ...connections.filter(isDown).map(connectionDown),
    ...silent.map(ownerSilent),
    ...facts.blocked.map(entriesBlockedOn),
    ...outOfStep.map((account) => outOfStepWith(account, facts)),
    ...facts.unread.map((one) => notUnderstood(one, facts)),
    ...facts.guards.map((one) => guardTrouble(one, facts.nameOf)),
    ...facts.plans.map((one) => planTrouble(one, facts.nameOf)),
    ...unseen(facts),
    ...driftedFollowers(facts),
    ...failing.map((one) => strategyFails(one, facts)),
    ...facts.unclear.map(senderNotSaid),
    ...work.filter(long).map((one) => waits(one, facts)),
    ...work.filter(({ heldExits }) => heldExits > 0).map((one) => exitHeld(one, facts)),
    ...killSwitches(facts),
  ];
  const order: readonly Severity[] = ["critical", "warning", "info"];
  return order.flatMap((severity) => troubles.filter((one) => one.severity === severity));
}

function storeTrouble({ cause, finding, text }: StoreTrouble): Trouble {
  const message =
    cause === "storeUnsafe" ? `The gateway's database may lose orders. ${text}` : text;
  return { kind: "store", message, ...needOf(cause), about: finding };
}

function unknownOutcome({ accountId, unknown }: OpenWork, { nameOf }: OverviewFacts): Trouble {
  const [what, may] = unknown === 1 ? ["1 order", "It may"] : [`${unknown} orders`, "They may"];
  return {
    kind: "unknown",
    accountId,
    message: `${nameOf(accountId)}: the broker did not answer ${what}. ${may} be live. New entries wait until it is settled`,
    ...needOf("outcomeUnknown"),
  };
}

function exitUnfinished({ accountId, unfinished }: OpenWork, { nameOf }: OverviewFacts): Trouble {
  const what = unfinished === 1 ? "1 exit is" : `${unfinished} exits are`;
  return {
    kind: "exit",
    accountId,
    message: `${nameOf(accountId)}: ${what} not done yet, and tried again`,
    ...needOf("exitUnfinished"),
    about: "unfinished",
  };
}

function exitHeld({ accountId, heldExits }: OpenWork, { nameOf }: OverviewFacts): Trouble {
  const what = heldExits === 1 ? "1 exit waits" : `${heldExits} exits wait`;
  return {
    kind: "exit",
    accountId,
    message: `${nameOf(accountId)}: ${what} for the opening of the market`,
    ...needOf("exitHeld"),
    about: "held",
  };
}

const EXIT_NAMES = { STOP_LOSS: "stop-loss", TAKE_PROFIT: "take-profit" } as const;

/**
 * Exits that were asked for and are missing. The broker's word of now judges each open position, so a note
 * that outlasts the return of its exits does not count. A note without a position belongs to an entry that
 * rests, and may be true.
 */
function findUnprotected({ holdings, work }: Pick<OverviewFacts, "holdings" | "work">) {
  const missing = holdings.flatMap(({ account, position, protection }) =>
    protection.kind === "missing" ? [{ account, position, exits: protection.exits }] : [],
  );
  const judgedOf = (id: AccountId) =>
    holdings.filter(({ account, noted }) => account.accountId === id && noted.length > 0).length;
  const resting = work
    .map(({ accountId, unprotected: noted }) => ({ accountId, qty: noted - judgedOf(accountId) }))
    .filter(({ qty }) => qty > 0);
  return { missing, resting };
}

/** How many contracts they are in. */
export function countUnprotected(facts: Pick<OverviewFacts, "holdings" | "work">): number {
  const { missing, resting } = findUnprotected(facts);
  return resting.reduce((sum, { qty }) => sum + qty, missing.length);
}

/** By contract where it is held, else by account. */
function unprotected(facts: OverviewFacts): readonly Trouble[] {
  const { missing, resting } = findUnprotected(facts);
  return [
    ...missing.map(({ account, position, exits }): Trouble => ({
      kind: "unprotected",
      accountId: account.accountId,
      message: `${account.name}: ${heldText(position.netQty)} ${symbolOfCode(position.contract)} has no ${exits.map((exit) => EXIT_NAMES[exit]).join(" and no ")}, although one was requested`,
      ...needOf("unprotected"),
      about: position.contract,
    })),
    ...resting.map(({ accountId }): Trouble => ({
      kind: "unprotected",
      accountId,
      message: `${facts.nameOf(accountId)}: a stop-loss or take-profit that was requested may be missing`,
      ...needOf("exitsUncertain"),
    })),
  ];
}

/** Of a connection that stands and is relied on; another one is a trouble of its own. */
function unseen(facts: OverviewFacts): readonly Trouble[] {
  const { holdings, outOfStep, blocked: held, connections } = facts;
  const up = new Set(
    connections
      .filter(({ status }) => status === "CONNECTED")
      .map(({ connectionId }) => connectionId),
  );
  const doubted = new Set(held.map(({ connection }) => connection.connectionId));
  const accounts = new Map(
    holdings
      .filter(({ live, protection, account }) => {
        const isUp = live || up.has(account.connectionId);
        if (!isUp || protection.kind !== "unknown") return false;
        if (doubted.has(account.connectionId)) return false;
        return !outOfStep.includes(account.accountId);
      })
      .map(({ account: { accountId, name }, protection }) => {
        const reason = protection.kind === "unknown" ? protection.reason : "";
        return [accountId, { accountId, name, reason }] as const;
      }),
  );
  return [...accounts.values()].map(({ accountId, name, reason }) => ({
    kind: "unseen",
    accountId,
    message: `${name}: it cannot be checked whether its positions have a stop-loss. ${reason}`,
    ...needOf("unseen"),
  }));
}

type DownConnection = ConnectionView & { readonly status: Exclude<ConnectionStatus, "CONNECTED"> };

const isDown = (connection: ConnectionView): connection is DownConnection =>
  connection.status !== "CONNECTED";

function connectionDown(connection: DownConnection): Trouble {
  const { connectionId, since } = connection;
  const [cause, happened] = stateInWords(connection);
  return {
    kind: "connection",
    connectionId,
    ...(since > 0 && { since }),
    message: `${nameOf(connection)} ${happened}`,
    ...needOf(cause),
  };
}

const nameOf = ({ setup, connectionId }: ConnectionView) =>
  `Connection "${setup?.name ?? connectionId}"`;

function ownerSilent(connection: ConnectionView): Trouble {
  return {
    kind: "connection",
    connectionId: connection.connectionId,
    message: `${nameOf(connection)}: the gateway process that runs it does not answer. Orders may not be sent`,
    ...needOf("ownerSilent"),
  };
}

function entriesBlockedOn({ connection, reason }: BlockedConnection): Trouble {
  return {
    kind: "connection",
    connectionId: connection.connectionId,
    message: `${nameOf(connection)} is up, but its data cannot be trusted now (${reason}). Entries are refused, exits pass`,
    ...needOf("feedFailed"),
  };
}

const MEANWHILE = "Orders are refused meanwhile, and its positions are not watched";

/** What it needs, and what has happened. */
function stateInWords({
  status,
  reason,
  retryAt,
}: DownConnection): readonly [cause: AlarmKind | FoundKind, happened: string] {
  const said = reason === undefined || reason === "" ? "" : ` (${reason})`;
  const next =
    retryAt === undefined ? "" : `. The next login is tried at ${new Date(retryAt).toISOString()}`;
  switch (status) {
    case "AUTH_EXPIRED":
      return [STOPS[status], `was refused its login by the broker${said}. ${MEANWHILE}`];
    case "FATAL_ERROR":
      return [STOPS[status], `was refused by the broker${said}. ${MEANWHILE}`];
    case "CONNECTING":
      return [
        "connectionOpening",
        `is logging in${said}. Orders are refused until it is up${next}`,
      ];
    case "RECONNECTING":
      return [
        "connectionLost",
        `was lost and is reconnecting${said}. Orders are refused meanwhile${next}`,
      ];
    case "DISCONNECTED":
      return [
        "connectionUnowned",
        `is down${said}: no process of the gateway runs it. ${MEANWHILE}`,
      ];
  }
}

function outOfStepWith(accountId: AccountId, { nameOf: name }: OverviewFacts): Trouble {
  return {
    kind: "outOfStep",
    accountId,
    message: `${name(accountId)}: the broker does not show this account, so no orders are sent for it. It is tried again automatically`,
    ...needOf("outOfStep"),
  };
}

function notUnderstood(
  { account: accountId, problem }: Unread,
  { nameOf: name }: OverviewFacts,
): Trouble {
  const where = accountId === undefined ? "" : `${name(accountId)}: `;
  return {
    kind: "notUnderstood",
    ...(accountId !== undefined && { accountId }),
    message: `${where}the broker shows something that the gateway cannot read: ${problem}. Entries that it may affect are refused, exits pass`,
    ...needOf("notUnderstood"),
    about: problem,
  };
}

/** All of one leader together: what drifts together is put right together. */
function driftedFollowers({ drifted: all, nameOf: name }: OverviewFacts): readonly Trouble[] {
  const groups = new Map<string, DriftedFollower[]>();
  for (const one of all) {
    const key = `${one.state} ${one.leader}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => haveDrifted(group, name));
}

function haveDrifted(group: readonly DriftedFollower[], name: OverviewFacts["nameOf"]): Trouble {
  const [{ account, leader, state } = group[0] as DriftedFollower] = group;
  const many = `${group.length} followers of ${name(leader)}`;
  const who = group.length === 1 ? `${name(account)}, follower of ${name(leader)},` : many;
  const isOne = group.length === 1;
  const accounts = group.slice(0, MOST_NAMED).map((one): AccountName => ({
    accountId: one.account,
    name: name(one.account),
  }));
  const [cause, happened] =
    state === "drifted"
      ? (["followerDrifted", `${isOne ? "is" : "are"} out of sync`] as const)
      : ([
          "followerStopped",
          `${isOne ? "was" : "were"} stopped after refused orders: only exits are copied`,
        ] as const);
  return {
    kind: "copying",
    ...(isOne && { accountId: account }),
    message: `${who} ${happened}`,
    ...needOf(cause),
    about: leader,
    ...(!isOne && { accounts }),
  };
}

function senderNotSaid({ name }: Webhook): Trouble {
  return {
    kind: "webhook",
    message: `Webhook "${name}" has an exit plan and does not say who sends. The orders of a strategy close positions too: against one that the plan takes out they open nothing`,
    ...needOf("senderNotSaid"),
    about: name,
  };
}

function strategyFails(
  { name, accountId, what, reason }: FailingStrategy,
  { nameOf: account }: OverviewFacts,
): Trouble {
  const [cause, happened] =
    what === "notEvaluated"
      ? (["strategyMissed", "missed its last evaluation"] as const)
      : (["strategyNotCarriedOut", "could not carry out its decision"] as const);
  return {
    kind: "strategy",
    accountId,
    message: `Strategy "${name}" on ${account(accountId)} ${happened}: ${reason}`,
    ...needOf(cause),
    about: name,
  };
}

function waits({ accountId, oldestMs }: OpenWork, { now, nameOf: name }: OverviewFacts): Trouble {
  const seconds = Math.floor(oldestMs / 1_000);
  return {
    kind: "waiting",
    accountId,
    since: now - oldestMs,
    message: `${name(accountId)}: an order has been waiting for ${seconds} seconds. It expires unsent when it gets too old`,
    ...needOf("waiting"),
  };
}

function killSwitches({
  switches: { ofUser, accounts },
  nameOf: name,
}: OverviewFacts): readonly Trouble[] {
  const shared = { kind: "killSwitch", ...needOf("killSwitchOn") } as const;
  const meaning = "entries are refused, exits pass";
  return [
    ...(ofUser ? [{ ...shared, message: `Kill switch on for all accounts: ${meaning}` }] : []),
    ...accounts.map((accountId) => ({
      ...shared,
      accountId,
      message: `Kill switch on for ${name(accountId)}: ${meaning}`,
    })),
  ];
}
