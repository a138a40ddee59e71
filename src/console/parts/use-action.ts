import { useRef, useState } from "preact/hooks";
import { withProof } from "../shell/proof.ts";
import { session } from "../shell/session.ts";
import { toError } from "../shell/to-error.ts";

export interface Action {
  /** Undefined while nothing went wrong. */
  readonly error: Error | undefined;
  readonly isRunning: boolean;
  /**
   * Runs one thing at a time; a second call while it runs does nothing. Where the gateway wants a
   * new proof of the person first, it is asked for, and the work begins once more.
   */
  readonly run: (work: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** Something a person asked for: that it runs, and what it was refused with. */
export function useAction(): Action {
  const [error, setError] = useState<Error>();
  const [isRunning, setIsRunning] = useState(false);
  // The state alone would let a second click of the same moment through.
  const runs = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (runs.current) return;
    runs.current = true;
    setIsRunning(true);
    setError(undefined);
    try {
      await withProof(work);
    } catch (thrown) {
      const refused = toError(thrown);
      session.noticeRefusal({ error: refused });
      setError(refused);
    } finally {
      runs.current = false;
      setIsRunning(false);
    }
  };
  return { error, isRunning, run, forget: () => setError(undefined) };
}
