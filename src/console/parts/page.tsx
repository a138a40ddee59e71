import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";

/** The page's one heading, which is the window's title too. */
export function PageTitle({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => void (document.title = `${title} · Alert gateway`), [title]);
  return (
    <div class="title">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

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

/** A name and what it is set to, in a list of such pairs. */
export function Pair({
  name,
  look,
  children,
}: {
  name: string;
  look?: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={look}>{children}</dd>
    </>
  );
}
