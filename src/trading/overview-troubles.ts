import type { AccountId } from "../domain/ids.ts";
import type { ConnectionView } from "./gateway.ts";
import type { OpenWork, Trouble } from "./overview.ts";
import type { Astray, Unread } from "./ports.ts";
import type { FailingStrategy } from "./strategies/find-failing.ts";

export interface OverviewFacts {
  /** Without those that are paused. */
  readonly connections: readonly ConnectionView[];
  readonly work: readonly OpenWork[];
  readonly switches: { readonly ofUser: boolean; readonly accounts: readonly AccountId[] };
  readonly outOfStep: readonly AccountId[];
  /** What brokers tell and nobody here understands. */
  readonly unread: readonly Unread[];
  /** Followers that do not hold what they are to hold, or that were stopped. */
  readonly astray: readonly Astray[];
  /** Strategies that trade, and whose newest slot did not come to what it should. */
  readonly failing: readonly FailingStrategy[];
  /** Connections that stand, and whose process did not answer just now. */
  readonly silent: readonly ConnectionView[];
  /** What keeps accepted orders from being safe in the store, in words. */
  readonly store: readonly string[];
  /** Connections that stand, and on which nothing may be opened. */
  readonly held: readonly HeldConnection[];
}

export interface HeldConnection {
  readonly connection: ConnectionView;
  /** In words. */
  readonly reason: string;
}

/** An intent is sent within milliseconds; one that waits longer than this waits for something. */
export const LONG_WAIT_MS = 10_000;

/** Everything that keeps money from being safe, the gravest first, in words for its owner. */
export function findTroubles({
  connections,
  work,
  switches,
  outOfStep,
  unread,
  astray,
  failing,
  silent,
  store,
  held,
}: OverviewFacts): readonly Trouble[] {
  return [
    ...store.map(storeUnsafe),
    ...work.filter(({ unknown }) => unknown > 0).map(unknownOutcome),
    ...work.filter(({ unprotected }) => unprotected > 0).map(unprotected),
    ...connections.filter(({ status }) => status !== "CONNECTED").map(connectionDown),
    ...silent.map(ownerSilent),
    ...held.map(entriesHeldOn),
    ...outOfStep.map(outOfStepWith),
    ...unread.map(notUnderstood),
    ...astray.map(wentAstray),
    ...failing.map(strategyFails),
    ...work.filter(({ waiting, oldestMs }) => waiting > 0 && oldestMs >= LONG_WAIT_MS).map(waits),
    ...killSwitches(switches),
  ];
}

function storeUnsafe(what: string): Trouble {
  return { kind: "store", message: `The store may lose orders. ${what}` };
}

function unknownOutcome({ accountId, unknown }: OpenWork): Trouble {
  const what = unknown === 1 ? "One request has" : `${unknown} requests have`;
  return {
    kind: "unknown",
    accountId,
    message: `${what} an unknown outcome on ${accountId}: look at the broker before you send anything again. New entries wait until the broker has shown what became of it`,
  };
}

function unprotected({ accountId, unprotected: count }: OpenWork): Trouble {
  const [what, them] =
    count === 1 ? ["One position", "it"] : [`${count} positions`, "each of them"];
  return {
    kind: "unprotected",
    accountId,
    message: `${what} of ${accountId} may stand without the exits that were asked for: protect or close ${them} now`,
  };
}

function connectionDown(connection: ConnectionView): Trouble {
  const { connectionId } = connection;
  const message = `${nameOf(connection)} ${stateInWords(connection)}`;
  return { kind: "connection", connectionId, message };
}

const nameOf = ({ setup, connectionId }: ConnectionView) =>
  `The connection "${setup?.name ?? connectionId}"`;

function ownerSilent(connection: ConnectionView): Trouble {
  return {
    kind: "connection",
    connectionId: connection.connectionId,
    message: `${nameOf(connection)} is held by a process of the gateway that does not answer: whether its accounts can be traded is not known. If this lasts, see how that process is`,
  };
}

function entriesHeldOn({ connection, reason }: HeldConnection): Trouble {
  return {
    kind: "connection",
    connectionId: connection.connectionId,
    message: `${nameOf(connection)} is up, but what it tells is not relied on (${reason}): entries are refused, exits go on. If this lasts, compare its positions and orders with the broker's own screen`,
  };
}

function stateInWords({ status, reason, retryAt }: ConnectionView): string {
  const said = reason === undefined || reason === "" ? "" : ` (${reason})`;
  const next =
    retryAt === undefined ? "" : `. The next login is tried at ${new Date(retryAt).toISOString()}`;
  switch (status) {
    case "AUTH_EXPIRED":
      return `was refused its login by the broker${said}: correct its settings, then reconnect it. Orders are refused meanwhile, and nothing watches its positions`;
    case "FATAL_ERROR":
      return `is refused every session by the broker${said}: settle it with the broker, then reconnect it. Orders are refused meanwhile, and nothing watches its positions`;
    case "CONNECTING":
      return `is logging in${said}: orders are refused until it is up${next}. If this lasts, test its settings`;
    case "RECONNECTING":
      return `is lost${said} and being brought back: orders are refused meanwhile${next}. In a hurry, act at the broker itself`;
    case "DISCONNECTED":
      return "is down, and no process of the gateway holds it: see that a process that trades is running. In a hurry, act at the broker itself";
    case "CONNECTED":
      return "is up";
  }
}

function outOfStepWith(accountId: AccountId): Trouble {
  return {
    kind: "outOfStep",
    accountId,
    message: `The broker cannot be read for ${accountId}, so nothing is sent for it. It is tried again by itself; if this lasts, reconnect its connection`,
  };
}

function notUnderstood({ account: accountId, problem }: Unread): Trouble {
  const where = accountId === undefined ? "" : ` for ${accountId}`;
  return {
    kind: "notUnderstood",
    ...(accountId !== undefined && { accountId }),
    message: `The broker tells something${where} that is not understood here: ${problem}. Look at it at the broker. Entries that it may concern are refused; exits pass`,
  };
}

function wentAstray({ account: accountId, leader, state }: Astray): Trouble {
  const message =
    state === "drifted"
      ? `${accountId} does not hold what it is to hold as a follower of ${leader}: see which contracts on the page Copying, then sync it or trade it by hand`
      : `${accountId} was stopped as a follower of ${leader}, so only exits are copied to it: see why on the page Copying, then resume it`;
  return { kind: "copying", accountId, message };
}

function strategyFails({ name, accountId, what, reason }: FailingStrategy): Trouble {
  const happened =
    what === "notEvaluated"
      ? "was not evaluated at its newest slot"
      : "decided what did not happen";
  return {
    kind: "strategy",
    accountId,
    message: `The strategy "${name}" on ${accountId} ${happened}: ${reason}. See its log, and whether its position is what you want`,
  };
}

function waits({ accountId, oldestMs }: OpenWork): Trouble {
  const seconds = Math.floor(oldestMs / 1_000);
  return {
    kind: "waiting",
    accountId,
    message: `A request for ${accountId} has waited for ${seconds} seconds: see whether its connection is up and no outcome is unknown. What comes too late expires unsent`,
  };
}

function killSwitches({ ofUser, accounts }: OverviewFacts["switches"]): readonly Trouble[] {
  const turnOff = "entries are refused, exits pass. Turn it off to trade again";
  return [
    ...(ofUser
      ? [
          {
            kind: "killSwitch",
            message: `The kill switch of all accounts is on: ${turnOff}`,
          } as const,
        ]
      : []),
    ...accounts.map((accountId) => ({
      kind: "killSwitch" as const,
      accountId,
      message: `The kill switch of ${accountId} is on: ${turnOff}`,
    })),
  ];
}
