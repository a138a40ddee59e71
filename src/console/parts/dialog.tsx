import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { ActionButton, useAction } from "./action.tsx";
import { Problem } from "./problem.tsx";

/** A modal dialog while it is there; Escape and the platform's own ways close it. */
export function Dialog({
  title,
  onClose,
  mayClose = true,
  children,
}: {
  title: string;
  onClose: () => void;
  /** False where closing it by accident would lose something. */
  mayClose?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => giveFocusBack(opener);
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => mayClose || event.preventDefault()}
      {...(!mayClose && { closedby: "none" })}
    >
      <div class="inside">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** To what opened the dialog; where that is gone by now, to the page, and not to the window. */
function giveFocusBack(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  if (document.activeElement !== document.body) return;
  document.getElementById("main")?.focus({ preventScroll: true });
}

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
