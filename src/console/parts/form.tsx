import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Action, ActionButton, useAction } from "./action.tsx";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./problem.tsx";

/** What ties an input to one part of what is typed. */
export interface Tie<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error: Error | undefined;
}

/** What the parts of a form share. */
export interface Typing<Typed extends object> {
  readonly typed: Typed;
  readonly onType: (change: Partial<Typed>) => void;
  readonly error: Error | undefined;
  /** By the name of the part, which mostly is the field's path in the API too. */
  readonly tie: <Name extends keyof Typed & string>(name: Name) => Tie<Typed[Name]>;
}

export function typingOf<Typed extends object>(
  typed: Typed,
  onType: (change: Partial<Typed>) => void,
  error?: Error,
): Typing<Typed> {
  const tie = <Name extends keyof Typed & string>(name: Name): Tie<Typed[Name]> => ({
    name,
    value: typed[name],
    onValue: (value) => onType({ [name]: value } as unknown as Partial<Typed>),
    error,
  });
  return { typed, onType, error, tie };
}

/** A form: what is typed into it, beginning with `start`, and what becomes of sending it. */
export function useForm<Typed extends object>(
  start: Typed | (() => Typed),
): Typing<Typed> & { readonly action: Action } {
  const [typed, setTyped] = useState(start);
  const action = useAction();
  const onType = (change: Partial<Typed>) => setTyped({ ...typed, ...change });
  return { ...typingOf(typed, onType, action.error), action };
}

interface EndProps {
  action: Action;
  /** What the button says that sends the form. */
  verb: string;
  /** What it says while the form is sent, where that is more than to wait. */
  running?: string;
  onClose: () => void;
  /** What the other one says. */
  cancel?: string;
  /** False while there is nothing to send. */
  isReady?: boolean;
}

interface FormProps extends EndProps {
  onSend: () => Promise<void>;
  children: ComponentChildren;
}

/** What a form is given that asks for all of a thing, to create or to change it. */
export interface SavingProps<Typed> {
  title: string;
  /** What the button says that saves. */
  verb: string;
  start: Typed;
  /** Resolves once it is stored, which closes the form. */
  onSave: (typed: Typed) => Promise<void>;
  onClose: () => void;
}

/** Inputs, what they were refused with, and the two ways out. */
export function Form({ onSend, children, ...end }: FormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    void end.action.run(onSend);
  };
  return (
    <form onSubmit={submit}>
      {children}
      <FormEnd {...end} />
    </form>
  );
}

/** A dialog that is a form. */
export function FormDialog({ title, ...form }: FormProps & { title: string }) {
  return (
    <Dialog title={title} onClose={form.onClose}>
      <Form {...form} />
    </Dialog>
  );
}

/** The end of a form: what it was refused with, and the two ways out of it. */
export function FormEnd({ action, onClose, cancel = "Cancel", ...button }: EndProps) {
  return (
    <>
      <Problem error={action.error} />
      <div class="actions end">
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        <ActionButton action={action} look="primary" {...button} />
      </div>
    </>
  );
}

/** Inputs that are rarely needed, folded away until something may be wrong with one of them. */
export function FoldedFields({
  summary,
  error,
  isOpen = false,
  children,
}: {
  summary: string;
  error: Error | undefined;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details {...((isOpen || error !== undefined) && { open: true })}>
      <summary>{summary}</summary>
      <div class="columns">{children}</div>
    </details>
  );
}
