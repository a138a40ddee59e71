import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

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
