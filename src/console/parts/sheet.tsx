import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A part of a page with its own heading; `end` stands at the heading's other side. */
export function Sheet({
  title,
  end,
  children,
}: {
  title: string;
  end?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="sheet" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}
