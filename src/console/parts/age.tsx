import type { ComponentChildren } from "preact";
import { ageText } from "./figure-text.ts";
import { Mark } from "./mark.tsx";

/** Says how old a price or a figure is that may not be true any more. */
export const Age = ({ ms }: { ms: number }) => <Mark tone="watch">{ageText(ms)} old</Mark>;

/** A figure that nobody has told, and why: it is not 0. */
export const NotTold = ({ why }: { why: string }) => (
  <span class="quiet" title={why}>
    <span aria-hidden="true">–</span>
    <span class="unseen">{why}</span>
  </span>
);

/** A figure, and below it, in small, what is to be known of it. */
export const Noted = ({
  children,
  notes,
}: {
  children: ComponentChildren;
  notes: readonly string[];
}) => (
  <div class="noted">
    {children}
    {notes.map((note) => (
      <div key={note} class="quiet note">
        {note}
      </div>
    ))}
  </div>
);
