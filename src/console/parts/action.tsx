import { useRef, useState } from "preact/hooks";
import { toError } from "../api/client.ts";
import { withProof } from "../shell/proof.ts";
import { session } from "../shell/session.ts";

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

/**
 * A button for something that takes a moment: it says so meanwhile, and takes no second click.
 * Without `onDo` it sends the form that it stands in.
 */
export function ActionButton({
  action,
  verb,
  look,
  running = "One moment …",
  isReady = true,
  onDo,
}: {
  action: Action;
  /** What it does: "Close the position". */
  verb: string;
  /** Its classes. */
  look?: string;
  /** What it says while that runs. */
  running?: string | undefined;
  /** False while there is nothing to do it with. */
  isReady?: boolean | undefined;
  onDo?: () => void;
}) {
  return (
    <button
      type={onDo === undefined ? "submit" : "button"}
      class={look}
      disabled={action.isRunning || !isReady}
      onClick={onDo}
    >
      {action.isRunning ? running : verb}
    </button>
  );
}
