import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.ts";

const SIGNS: Readonly<Record<Tone, string>> = { good: "✓", watch: "!", bad: "✕", quiet: "–" };

/** A state by sign, word and colour: no one of them is needed to read it. */
export function Mark({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`mark ${tone}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span>
      {children}
    </span>
  );
}

/** Whose money it is: never out of sight where something could be sent. */
export function EnvironmentBadge({ environment }: { environment: string }) {
  const tone = environment === "live" ? "live" : "demo";
  return <span class={`mark ${tone}`}>{environment.toUpperCase()}</span>;
}
