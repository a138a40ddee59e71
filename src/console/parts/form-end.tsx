import { ActionButton } from "./action-button.tsx";
import { Problem } from "./problem.tsx";
import type { Action } from "./use-action.ts";

/** The end of a form: what it was refused with, and the two ways out of it. */
export function FormEnd({
  action,
  verb,
  running,
  onCancel,
  cancel = "Cancel",
  isReady,
}: {
  action: Action;
  /** What the button says that sends the form. */
  verb: string;
  /** What it says while the form is sent, where that is more than to wait. */
  running?: string | undefined;
  onCancel: () => void;
  /** What the other one says. */
  cancel?: string;
  /** False while there is nothing to send. */
  isReady?: boolean | undefined;
}) {
  return (
    <>
      <Problem error={action.error} />
      <div class="actions end">
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
        <ActionButton
          action={action}
          look="primary"
          verb={verb}
          running={running}
          isReady={isReady}
        />
      </div>
    </>
  );
}
