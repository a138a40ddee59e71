import type { EventType } from "../../domain/notify/event.ts";
import type { UserId } from "../../domain/ids.ts";
import type { Trouble } from "../reads/overview.ts";
import { type EventDraft, isOfOperator, type Outbox, type StateChange } from "./outbox.ts";

export interface WatchStatesDeps {
  readonly readTroubles: (user: UserId) => Promise<readonly Trouble[]>;
  readonly outbox: Pick<Outbox, "states" | "saveStates">;
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
};

/** What an order's own event tells, in the step in which it happens. */
const TOLD_ELSEWHERE: ReadonlySet<Cause> = new Set<Cause>(["outcomeUnknown"]);

/**
 * Compares what needs a user now with what was found before, in whichever process, and notes what has
 * begun and what is over. What nobody can raise is found so too, as a connection whose process died.
 * A state is told once, however often the gateway starts while it stands.
 */
export async function watchStates(deps: WatchStatesDeps, user: UserId): Promise<void> {
  const [troubles, before, now] = await Promise.all([
    deps.readTroubles(user),
    deps.outbox.states(user),
    deps.now(),
  ]);
  const found = new Map(
    troubles.filter(({ cause }) => !TOLD_ELSEWHERE.has(cause)).map((one) => [keyOf(one), one]),
  );
  const changes: StateChange[] = [];
  const events: EventDraft[] = [];
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
  for (const [key, state] of before) {
    if (found.has(key) || isOfOperator(key)) continue;
    const { told, since } = state;
    changes.push({ key, before: state, after: undefined });
    if (told !== undefined) events.push(overOf(told, since));
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

/** What a state's words tell anew each time (seconds, reasons) makes no other state of it. */
function keyOf({ cause, accountId, connectionId, message, accounts }: Trouble): string {
  const where = [cause, accountId ?? "-", connectionId ?? "-"];
  if (SEVERAL_AT_ONCE.has(cause)) return [...where, message].join(" ");
  return [...where, ...(accounts ?? []).map((one) => one.accountId)].join(" ");
}

/** One account, or one connection, has several of them at once; their words stay the same. */
const SEVERAL_AT_ONCE: ReadonlySet<Cause> = new Set<Cause>([
  "unprotected",
  "storeUnsafe",
  "notUnderstood",
  "strategyMissed",
  "strategyNotCarriedOut",
]);
