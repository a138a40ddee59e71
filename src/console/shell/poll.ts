import { useEffect, useState } from "preact/hooks";
import { session } from "./session.ts";
import { toError } from "./to-error.ts";

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

/**
 * Asks again and again while somebody looks; a hidden page asks nothing. `subject` names what is
 * asked for: another subject forgets the answers about the one before.
 */
export function usePoll<Data>(
  subject: string,
  ask: () => Promise<Data>,
  everyMs = 2_000,
): Polled<Data> {
  const [state, setState] = useState<Answered<Data>>({ subject });
  const [asked, setAsked] = useState(0);

  useEffect(() => {
    let timer = 0;
    let isOver = false;
    let isAsking = false;
    const turn = async () => {
      if (!document.hidden) {
        isAsking = true;
        const next = await ask().then(
          (data): Answered<Data> => ({ subject, data, answeredAt: Date.now() }),
          (error: unknown): Answered<Data> => ({ subject, error: toError(error) }),
        );
        isAsking = false;
        if (isOver) return;
        session.noticeRefusal(next);
        setState((before) => ({ ...(before.subject === subject && keep(before)), ...next }));
      }
      if (!isOver) timer = window.setTimeout(() => void turn(), everyMs);
    };
    const onVisible = () => {
      // The turn that is under way goes on by itself; a second one would never end.
      if (document.hidden || isAsking) return;
      clearTimeout(timer);
      void turn();
    };
    void turn();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
    // What is asked follows from the subject alone.
  }, [subject, asked, everyMs]);

  const isCurrent = state.subject === subject;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    answeredAt: isCurrent ? state.answeredAt : undefined,
    refresh: () => setAsked((count) => count + 1),
  };
}

interface Answered<Data> {
  readonly subject: string;
  readonly data?: Data;
  readonly answeredAt?: number;
  readonly error?: Error;
}

/** The last good answer stays in sight, whatever came after it. */
const keep = <Data>({ data, answeredAt }: Answered<Data>) =>
  data === undefined || answeredAt === undefined ? {} : { data, answeredAt };
