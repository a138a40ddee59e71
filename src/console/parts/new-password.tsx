import { PasswordField } from "./password-field.tsx";
import { findPasswordProblem, SHORTEST_PASSWORD } from "./sign-in-rules.ts";

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
