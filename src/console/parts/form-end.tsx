import { Problem } from "./problem.tsx";
import type { Action } from "./use-action.ts";

/** The end of a form: what it was refused with, and the two ways out of it. */
export function FormEnd({
  action,
  verb,
  onCancel,
  cancel = "Cancel",
  isReady = true,
}: {
  action: Action;
  /** What the button says that sends the form. */
  verb: string;
  onCancel: () => void;
  /** What the other one says. */
  cancel?: string;
  /** False while there is nothing to send. */
  isReady?: boolean;
}) {
  return (
    <>
      <Problem error={action.error} />
      <div class="actions end">
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
        <button type="submit" class="primary" disabled={action.isRunning || !isReady}>
          {action.isRunning ? "One moment …" : verb}
        </button>
      </div>
    </>
  );
}
