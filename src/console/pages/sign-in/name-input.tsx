import { useEffect, useRef } from "preact/hooks";
import type { Tied } from "../../parts/field.tsx";

/** The name that one signs in with; where the page begins. */
export function NameInput({
  tied,
  value,
  onInput,
}: {
  tied: Tied;
  value: string;
  onInput: (value: string) => void;
}) {
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <input
      {...tied}
      ref={element}
      type="text"
      value={value}
      autocomplete="username"
      autocapitalize="off"
      spellcheck={false}
      required
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
