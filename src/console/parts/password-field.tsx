import { useState } from "preact/hooks";
import { Field } from "./field.tsx";
import { findPasswordProblem, SHORTEST_PASSWORD } from "./sign-in-rules.ts";

/** A password as dots, or as text for as long as the person wants to see it. */
export function PasswordField({
  label,
  name,
  value,
  onValue,
  hint,
  error,
  problem,
  autocomplete = "current-password",
}: {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  hint?: string;
  error: Error | undefined;
  /** What is wrong with it, where that is known before anything is sent. */
  problem?: string | undefined;
  autocomplete?: "current-password" | "new-password";
}) {
  const [isShown, setIsShown] = useState(false);
  const type = isShown ? ({ type: "text" } as const) : ({ type: "password" } as const);
  return (
    <Field label={label} name={name} hint={hint} error={error} problem={problem}>
      {(tied) => (
        <span class="joined">
          <input
            {...tied}
            {...type}
            value={value}
            autocomplete={autocomplete}
            autocapitalize="off"
            spellcheck={false}
            required
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <button
            type="button"
            aria-label="Show what is typed"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </span>
      )}
    </Field>
  );
}

/** Unseen: tells the browser's password manager whose password the form is about. */
export function PasswordOwner({ userName }: { userName: string }) {
  return (
    <input type="text" name="username" autocomplete="username" value={userName} hidden readOnly />
  );
}

/**
 * A password that is chosen. What is wrong with it is said where the person sends it: said when
 * they leave it, it would move the button away from under their click.
 */
export function NewPassword({
  label,
  name,
  value,
  userName,
  isAsked,
  error,
  onValue,
}: {
  label: string;
  name: string;
  value: string;
  userName: string;
  /** Whether the person tried to send it. */
  isAsked: boolean;
  error: Error | undefined;
  onValue: (value: string) => void;
}) {
  const { length } = Array.from(value);
  return (
    <PasswordField
      label={label}
      name={name}
      value={value}
      onValue={onValue}
      autocomplete="new-password"
      hint={`At least ${SHORTEST_PASSWORD} characters, ${length} so far. Several words are good.`}
      error={error}
      problem={isAsked ? findPasswordProblem(value, userName) : undefined}
    />
  );
}
