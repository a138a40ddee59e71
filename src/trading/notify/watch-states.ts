import type { EventType } from "../../domain/notify/event.ts";
import type { AccountId, ConnectionId, UserId } from "../../domain/ids.ts";
import type { Standing, Trouble, Unseen } from "../reads/overview.ts";
import {
  type EventDraft,
  isOfOperator,
  type Outbox,
  type StateChange,
  type ToldState,
} from "./outbox.ts";

export interface WatchStatesDeps {
  readonly readStanding: (user: UserId) => Promise<Pick<Standing, "troubles" | "unseen">>;
  readonly outbox: Pick<Outbox, "states" | "saveStates">;
  readonly connectionOf: (account: AccountId) => ConnectionId | undefined;
  /** The store's clock, Unix ms. */
  readonly now: () => Promise<number>;
}

type Cause = Trouble["cause"];

/** A login takes its time, and a take-over: what is over by then is not told. */
const PATIENCE_MS = 30_000;
const PATIENT: ReadonlySet<Cause> = new Set<Cause>([
  "connectionOpening",
  "connectionLost",
  "connectionUnowned",
  "ownerSilent",
  "feedFailed",
  "outOfStep",
  "unseen",
  "waiting",
  "exitsUncertain",
  "storeSlow",
]);

const TOLD_AS: Readonly<Partial<Record<Cause, EventType>>> = {
  connectionOpening: "connection.down",
  connectionLost: "connection.down",
  connectionUnowned: "connection.down",
  ownerSilent: "connection.down",
  loginRefused: "connection.refused",
  connectionRefused: "connection.refused",
  followerDrifted: "copy.drifted",
  followerStopped: "copy.drifted",
  strategyMissed: "strategy.failed",
  strategyNotCarriedOut: "strategy.failed",
  killSwitchOn: "kill_switch.on",
  storeUnsafe: "store.unsafe",
  diskNeedsRoom: "store.unsafe",
};

/** What an event of its own tells, in the step in which it happens. */
const TOLD_ELSEWHERE: ReadonlySet<Cause> = new Set<Cause>(["outcomeUnknown", "accountLocked"]);

/**
 * Compares what needs a user now with what was found before, in whichever process, and notes what has
 * begun and what is over. What nobody can raise is found so too, as a connection whose process died.
 * A state is told once, however often the gateway starts while it stands.
 */
export async function watchStates(deps: WatchStatesDeps, user: UserId): Promise<void> {
  const [{ troubles, unseen: hidden }, before, now] = await Promise.all([
    deps.readStanding(user),
    deps.outbox.states(user),
    deps.now(),
  ]);
  const found = new Map(
    troubles.filter(({ cause }) => !TOLD_ELSEWHERE.has(cause)).map((one) => [keyOf(one), one]),
  );
  const changes: StateChange[] = [];
  const events: EventDraft[] = [];
  const unseen = unseenIn(troubles, hidden, deps.connectionOf);
  for (const [key, state] of before) {
    if (found.has(key) || isOfOperator(key) || unseen(key, state)) continue;
    const { told, since } = state;
    changes.push({ key, before: state, after: undefined });
    if (told !== undefined) events.push(overOf(told, since));
  }
  for (const [key, trouble] of found) {
    const known = before.get(key);
    if (known?.told !== undefined) continue;
    const since = known?.since ?? now;
    if (PATIENT.has(trouble.cause) && now - since < PATIENCE_MS) {
      if (known === undefined) changes.push({ key, before: known, after: { since } });
      continue;
    }
    const told = draftOf(trouble, since);
    changes.push({ key, before: known, after: { since, told } });
    events.push(told);
  }
  if (changes.length > 0) await deps.outbox.saveStates(user, changes, events);
}

function draftOf(trouble: Trouble, since: number): EventDraft {
  const { cause, severity, message, advice, accountId, connectionId } = trouble;
  return {
    type: (TOLD_AS[cause] ?? "attention.needed") as "attention.needed",
    severity,
    message,
    advice,
    ...(accountId !== undefined && { accountId }),
    ...(connectionId !== undefined && { connectionId }),
    facts: { cause, since: new Date(since).toISOString() },
  };
}

function overOf(
  { accountId, connectionId, message, facts }: EventDraft,
  since: number,
): EventDraft {
  return {
    type: "attention.over",
    severity: "info",
    message: `It is over: ${message}`,
    ...(accountId !== undefined && { accountId }),
    ...(connectionId !== undefined && { connectionId }),
    facts: {
      cause: "cause" in facts ? facts.cause : "",
      since: new Date(since).toISOString(),
    },
  };
}

/** What a connection is told as while it is down, whatever keeps it down just then. */
const DOWN: ReadonlySet<Cause> = new Set<Cause>([
  "connectionOpening",
  "connectionLost",
  "connectionUnowned",
  "ownerSilent",
]);

const OF_LEADERS: ReadonlySet<string> = new Set<Cause>(["followerDrifted", "followerStopped"]);

/** A state's words change while it stands (seconds, quantities, reasons): they make no other state of it. */
function keyOf({ cause, accountId, connectionId, about }: Trouble): string {
  const what = DOWN.has(cause) ? "down" : cause;
  // A follower is known by its leader, so that one more or less is the same state.
  const of = OF_LEADERS.has(cause) ? undefined : accountId;
  return [what, of ?? "-", connectionId ?? "-", about ?? ""].join(" ");
}

/** What is read from the store, and not from the process that holds a connection. */
const ALWAYS_SEEN: ReadonlySet<string> = new Set<Cause>([
  "killSwitchOn",
  "storeUnsafe",
  "diskNeedsRoom",
  "memoryNeedsRoom",
  "storeSlow",
  "strategyMissed",
  "strategyNotCarriedOut",
  "waiting",
]);

/**
 * Which states cannot be said to be over: what would show them is not there itself. Nobody has seen the
 * end of them.
 */
function unseenIn(
  troubles: readonly Trouble[],
  hidden: readonly Unseen[],
  connectionOf: WatchStatesDeps["connectionOf"],
): (key: string, state: ToldState) => boolean {
  const down = new Set(
    troubles.flatMap(({ kind, connectionId }) =>
      kind === "connection" && connectionId !== undefined ? [connectionId] : [],
    ),
  );
  return (key, { told }) => {
    if (told === undefined) return false;
    const [what = "", , , about = ""] = key.split(" ");
    if (ALWAYS_SEEN.has(what)) return false;
    const { accountId, connectionId } = told;
    // Whether a follower holds what it is to hold is seen by who holds its leader's connection.
    const accounts = OF_LEADERS.has(what) ? [about, accountId] : [accountId];
    const isHidden = ({ accountId: of, contract }: Unseen) =>
      accounts.includes(of) && (contract === undefined || contract === about);
    if (hidden.some(isHidden)) return true;
    if (accountId !== undefined && connectionOf(accountId) === undefined) return true;
    if (down.size === 0) return false;
    const of = connectionId ?? (accountId && connectionOf(accountId));
    return of === undefined || down.has(of);
  };
}
