import type { ComponentChildren } from "preact";
import { ActionButton } from "./action-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";
import { useAction } from "./use-action.ts";

/**
 * The second of two steps: says what will happen before it does. Stays open with the reason when it
 * is refused.
 */
export function Confirm({
  title,
  verb,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What the button says that does it: "Close the position". */
  verb: string;
  children: ComponentChildren;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const action = useAction();
  const confirm = () =>
    action.run(async () => {
      await onConfirm();
      onClose();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem error={action.error} />
      <div class="actions end">
        <button type="button" onClick={onClose}>
          Leave it as it is
        </button>
        <ActionButton action={action} look="danger sure" verb={verb} onDo={() => void confirm()} />
      </div>
    </Dialog>
  );
}
