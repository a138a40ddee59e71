import { Field } from "./field.tsx";
import { PasswordInput } from "./password-input.tsx";
import { findPasswordProblem, SHORTEST_PASSWORD } from "./sign-in-rules.ts";

/**
 * A password that is chosen. What is wrong with it is said where the person sends it: said when
 * they leave it, it would move the button away from under their click.
 */
export function NewPassword({
  label,
  path,
  value,
  userName,
  isAsked,
  error,
  onInput,
}: {
  label: string;
  /** In the API. */
  path: string;
  value: string;
  userName: string;
  /** Whether the person tried to send it. */
  isAsked: boolean;
  error: Error | undefined;
  onInput: (value: string) => void;
}) {
  const { length } = Array.from(value);
  return (
    <Field
      label={label}
      name={path}
      hint={`At least ${SHORTEST_PASSWORD} characters, ${length} so far. Several words are good.`}
      error={error}
      problem={isAsked ? findPasswordProblem(value, userName) : undefined}
    >
      {(tied) => (
        <PasswordInput tied={tied} value={value} onInput={onInput} autocomplete="new-password" />
      )}
    </Field>
  );
}
