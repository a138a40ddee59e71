import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

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
