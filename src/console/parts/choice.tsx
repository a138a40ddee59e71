import type { ComponentChildren } from "preact";

/** A box to tick, with what it means beside it. */
export function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}
