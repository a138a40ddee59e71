import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Refused, toError } from "../api/client.ts";
import { type ChangeFilter, isStreamUp, onChange } from "./live.ts";
import { session } from "./session.ts";

export interface Polled<Data> {
  /** Undefined until the first answer. */
  readonly data: Data | undefined;
  /** Why the newest question got no answer; `data` is the one before. */
  readonly error: Error | undefined;
  /** When `data` came, by this machine's clock; undefined until then. */
  readonly answeredAt: number | undefined;
  /** Asks at once, for example after something was changed. */
  readonly refresh: () => void;
}

/** When something that is shown is asked for again. */
export interface Rhythm {
  /** The changes after which it is asked for again; without any, it is asked for each `everyMs`. */
  readonly refreshOn?: ChangeFilter;
  /** How long between two questions while nothing reports what changes. */
  readonly everyMs?: number;
  /** The same while the stream is up: only where something follows from time alone. */
  readonly anywayMs?: number;
  /**
   * However often it changes, so long lies between two questions at least, and longer where the answer
   * takes long.
   */
  readonly leastMs?: number;
}

const EVERY_MS = 5_000;
const LONGEST_MS = 60_000;
/** Without the stream, everything that is shown together asks no more often than this. */
const SPACING_MS = 500;

let shownCount = 0;

/**
 * Asks when the stream says that something has changed, and again and again while it is down. A
 * hidden page asks nothing. `subject` names what is asked for: another subject forgets the answers
 * about the one before.
 */
export function usePoll<Data>(
  subject: string,
  ask: () => Promise<Data>,
  rhythm: Rhythm = {},
): Polled<Data> {
  const [state, setState] = useState<Answered<Data>>({ subject });
  const [asked, setAsked] = useState(0);

  useEffect(() => {
    const who = Symbol(subject);
    const look = async () => {
      const next = await ask().then(
        (data): Answered<Data> => ({ subject, data, answeredAt: Date.now() }),
        (error: unknown): Answered<Data> => ({ subject, error: toError(error) }),
      );
      return {
        isWell: next.error === undefined,
        show: () => {
          session.noticeRefusal(next);
          noteReading(who, next.error);
          setState((before) => ({ ...(before.subject === subject && keep(before)), ...next }));
        },
      };
    };
    const end = askAgain(look, rhythm);
    return () => {
      end();
      noteReading(who, undefined);
    };
    // What is asked follows from the subject alone.
  }, [subject, asked]);

  const isCurrent = state.subject === subject;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    answeredAt: isCurrent ? state.answeredAt : undefined,
    refresh: () => setAsked((count) => count + 1),
  };
}

type Look = () => Promise<{ readonly isWell: boolean; readonly show: () => void }>;

/** Asks now, and from then on in the rhythm, until the answer is called. */
function askAgain(
  look: Look,
  { refreshOn, everyMs = EVERY_MS, anywayMs, leastMs = 0 }: Rhythm,
): () => void {
  let timer = 0;
  let restsUntil = -Infinity;
  let isOver = false;
  let isAsking = false;
  let isDue = false;
  let failures = 0;

  const turn = async () => {
    clearTimeout(timer);
    isDue = true;
    // A page that becomes visible, and the turn that is under way, look at what is due.
    if (document.hidden || isAsking) return;
    isAsking = true;
    while (isDue && !isOver) {
      await rest(restsUntil - performance.now());
      await awaitTurn();
      if (isOver || document.hidden) break;
      isDue = false;
      const askedAt = performance.now();
      const { isWell, show } = await look();
      if (leastMs > 0) {
        const tookMs = performance.now() - askedAt;
        restsUntil = askedAt + Math.max(leastMs, tookMs * RESTS_FOR_ANSWERS);
      }
      failures = isWell ? 0 : failures + 1;
      if (!isOver) show();
      if (!isWell) break;
    }
    isAsking = false;
    plan();
  };
  const plan = () => {
    clearTimeout(timer);
    if (isOver || isAsking) return;
    const isStreamed = refreshOn !== undefined && isStreamUp.value && failures === 0;
    const ms = isStreamed ? anywayMs : pollMs(everyMs, failures);
    if (ms !== undefined) timer = window.setTimeout(() => void turn(), ms);
  };
  const onVisible = () => {
    if (!document.hidden && isDue) void turn();
  };

  shownCount += 1;
  void turn();
  document.addEventListener("visibilitychange", onVisible);
  const stopListening =
    refreshOn === undefined ? undefined : onChange(refreshOn, () => void turn());
  const stopWatching = isStreamUp.subscribe(plan);
  return () => {
    isOver = true;
    shownCount -= 1;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
    stopListening?.();
    stopWatching();
  };
}

/** Of the time, a quarter at most is spent on answers that are large or come over a slow line. */
const RESTS_FOR_ANSWERS = 4;

const rest = async (ms: number): Promise<void> => {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
};

/** However much is shown, and the longer the more often it fails. */
const pollMs = (everyMs: number, failures: number): number =>
  Math.max(shownCount * SPACING_MS, Math.min(LONGEST_MS, everyMs * 2 ** Math.max(0, failures - 1)));

interface Answered<Data> {
  readonly subject: string;
  readonly data?: Data;
  readonly answeredAt?: number;
  readonly error?: Error;
}

/** The last good answer stays in sight, whatever came after it. */
const keep = <Data>({ data, answeredAt }: Answered<Data>) =>
  data === undefined || answeredAt === undefined ? {} : { data, answeredAt };

/**
 * What the console reads by itself, over everything that is shown: it never takes more of the
 * session's requests than this, so that what a person clicks still gets through.
 */
const MOST_AT_ONCE = 150;
const PER_SECOND = 4;
const MS_PER_SECOND = 1_000;

/** Until when nothing is read, because the gateway said so; by this machine's clock, else 0. */
export const restUntil = signal(0);

/** Whatever is shown and could not be read just now: it is older than the page makes believe. */
export const failing = signal<ReadonlySet<symbol>>(new Set());

let left = MOST_AT_ONCE;
let leftAt = Date.now();
let turns = Promise.resolve();

/** Resolves when the next question may be asked: in the order in which they want to be. */
async function awaitTurn(): Promise<void> {
  turns = turns.then(takeTurn);
  await turns;
}

async function takeTurn(): Promise<void> {
  for (;;) {
    const now = Date.now();
    left = Math.min(MOST_AT_ONCE, left + ((now - leftAt) / MS_PER_SECOND) * PER_SECOND);
    leftAt = now;
    const waitMs = Math.max(restUntil.value - now, left < 1 ? MS_PER_SECOND / PER_SECOND : 0);
    if (waitMs <= 0) break;
    await rest(waitMs);
  }
  left -= 1;
}

/** Keeps what came of a question: who is asked to wait, waits with everything. */
function noteReading(who: symbol, error: Error | undefined): void {
  if (failing.value.has(who) !== (error !== undefined)) {
    const next = new Set(failing.value);
    if (error === undefined) next.delete(who);
    else next.add(who);
    failing.value = next;
  }
  if (error instanceof Refused && error.retryAfterSeconds !== undefined) {
    const until = Date.now() + error.retryAfterSeconds * MS_PER_SECOND;
    restUntil.value = Math.max(restUntil.value, until);
  }
}

/** Of some troubles nobody tells: that a process is silent, or that something waits long. */
export const OVERVIEW_RHYTHM: Rhythm = {
  refreshOn: { what: ["positions", "orders", "alerts", "overview"] },
  anywayMs: 5_000,
};
