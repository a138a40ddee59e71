import type { Alarm, AlarmListener, Alarms, StateAlarm, StateId, StateKind } from "./alarm.ts";

/** How many states are remembered: a state for each of thousands of accounts at once fits. */
const MOST_STANDING = 20_000;
/** Full until so many fewer stand: at the very edge it would come and go with each one. */
const SLACK = 1_000;

const STATES: Readonly<Record<StateKind, true>> = {
  unprotected: true,
  outOfStep: true,
  loginRefused: true,
  connectionRefused: true,
  noRoom: true,
  moneyDiffers: true,
  exitPlanHeld: true,
  guardBlind: true,
  guardNotFlat: true,
  accountLocked: true,
  guardsUnjudged: true,
  calendarExpired: true,
  clockApart: true,
  storeRefused: true,
  storeUnsafe: true,
  diskNeedsRoom: true,
  memoryNeedsRoom: true,
  storeSlow: true,
  alarmsFull: true,
};

/** Whether it stands until it is cleared. */
export const isState = (alarm: Alarm): alarm is StateAlarm => Object.hasOwn(STATES, alarm.kind);

/**
 * Passes the alarms of this process to its listeners, and remembers which states stand. Where more
 * stand than are remembered, a new one is announced each time it is raised, and never as cleared: too
 * often is safe, silence is not. That it has come to this is an alarm itself.
 */
export class AlarmBoard implements Alarms {
  readonly #onError: (error: unknown) => void;
  readonly #most: number;
  readonly #slack: number;
  readonly #standing = new Map<string, StateAlarm>();
  readonly #listeners = new Set<AlarmListener>();

  /** Called when a listener fails; the others are called all the same. */
  constructor(onError: (error: unknown) => void, { most = MOST_STANDING, slack = SLACK } = {}) {
    this.#onError = onError;
    this.#most = most;
    this.#slack = slack;
  }

  readonly raise: Alarms["raise"] = (alarm) => {
    if (isState(alarm) && !this.#remember(alarm)) return;
    this.#announce(({ raised }) => raised(alarm));
  };

  readonly clear: Alarms["clear"] = (state, how = "over") => {
    const key = keyOf(state);
    const alarm = this.#standing.get(key);
    if (alarm === undefined) return;
    this.#standing.delete(key);
    this.#announce(({ cleared }) => cleared(alarm, how));
    if (this.#standing.size <= this.#most - this.#slack) this.clear({ kind: "alarmsFull" });
  };

  /** The states that stand, as they were raised last. */
  get standing(): Iterable<StateAlarm> {
    return this.#standing.values();
  }

  /** Calls the listener first with the states that stand. Returns what ends it. */
  listen(listener: AlarmListener): () => void {
    this.#listeners.add(listener);
    for (const alarm of this.#standing.values()) {
      this.#tell(listener, ({ raised }) => raised(alarm));
    }
    return () => this.#listeners.delete(listener);
  }

  /** Answers whether it is news. */
  #remember(alarm: StateAlarm): boolean {
    const key = keyOf(alarm);
    const before = this.#standing.get(key);
    if (before === undefined && !this.#hasRoomFor(alarm)) {
      this.raise({ kind: "alarmsFull", count: this.#most });
      return true;
    }
    this.#standing.set(key, alarm);
    return before === undefined || JSON.stringify(before) !== JSON.stringify(alarm);
  }

  #hasRoomFor({ kind }: StateAlarm): boolean {
    return kind === "alarmsFull" || this.#standing.size < this.#most;
  }

  #announce(tell: (listener: AlarmListener) => void): void {
    for (const listener of this.#listeners) this.#tell(listener, tell);
  }

  #tell(listener: AlarmListener, tell: (listener: AlarmListener) => void): void {
    try {
      tell(listener);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** The same for what is the same state, whatever else is known of it. */
export function keyOf(state: StateId): string {
  switch (state.kind) {
    case "unprotected":
      return `${state.kind} ${state.accountId} ${state.contract}`;
    case "outOfStep":
    case "guardBlind":
    case "guardNotFlat":
    case "accountLocked":
    case "guardsUnjudged":
      return `${state.kind} ${state.accountId}`;
    case "loginRefused":
    case "connectionRefused":
      return `${state.kind} ${state.connectionId}`;
    case "moneyDiffers":
      return `${state.kind} ${state.accountId} ${state.currency}`;
    case "exitPlanHeld":
      return `${state.kind} ${state.accountId} ${state.contract} ${state.what}`;
    case "calendarExpired":
      return `${state.kind} ${state.accountId} ${state.calendar}`;
    case "storeUnsafe":
    case "diskNeedsRoom":
    case "memoryNeedsRoom":
    case "storeSlow":
      return `${state.kind} ${state.finding}`;
    case "noRoom":
    case "clockApart":
    case "storeRefused":
    case "alarmsFull":
      return state.kind;
  }
}
