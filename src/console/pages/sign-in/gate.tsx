import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Tied } from "../../parts/field.tsx";
import { PageTitle } from "../../parts/page.tsx";

/** The frame of what strangers see. */
export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="gate">
      <div class="brand">
        <img src="/console/icon.svg" alt="" width="28" height="28" />
        Alert gateway
      </div>
      <div class="sheet">
        <div class="body">
          <PageTitle title={title} />
          {children}
        </div>
      </div>
    </main>
  );
}

/** Browsers keep the session's cookie only over https, and from this very machine. */
export function NotSecure() {
  const { port, hash } = location;
  const local = `http://localhost${port === "" ? "" : `:${port}`}/console/${hash}`;
  return (
    <div class="notice watch" role="alert">
      <strong>Nobody can sign in at this address.</strong>
      <p>
        It is neither https nor this machine, so a password would cross the network readable by
        others, and the browser would not keep the sign-in.
      </p>
      <p>
        Open the console by https, or on the machine of the gateway itself at{" "}
        <a href={local}>{local}</a>.
      </p>
    </div>
  );
}

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
