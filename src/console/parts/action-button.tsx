import type { Action } from "./use-action.ts";

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
