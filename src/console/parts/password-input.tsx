import { useState } from "preact/hooks";
import type { Tied } from "./field.tsx";

/** A password as dots, or as text for as long as the person wants to see it. */
export function PasswordInput({
  tied,
  value,
  onInput,
  autocomplete,
}: {
  tied: Tied;
  value: string;
  onInput: (value: string) => void;
  autocomplete: "current-password" | "new-password" | "off";
}) {
  const [isShown, setIsShown] = useState(false);
  const type = isShown ? ({ type: "text" } as const) : ({ type: "password" } as const);
  return (
    <span class="joined">
      <input
        {...tied}
        {...type}
        value={value}
        autocomplete={autocomplete}
        autocapitalize="off"
        spellcheck={false}
        required
        onInput={(event) => onInput(event.currentTarget.value)}
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
  );
}
