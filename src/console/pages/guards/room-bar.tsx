import type { Tone } from "../../parts/tone.ts";
import { Mark } from "../../parts/mark.tsx";
import type { Verdict } from "./types.ts";

type Level = Verdict["level"];

const LEVELS: Readonly<Record<Level, readonly [tone: Tone, word: string]>> = {
  ok: ["good", "OK"],
  warn: ["watch", "Near"],
  entriesOff: ["bad", "Entries off"],
  breach: ["bad", "Breached"],
  unknown: ["watch", "Not known"],
};

/** How near a rule is, in one word. */
export function LevelMark({ verdict }: { verdict: Verdict }) {
  const [tone, word] = LEVELS[verdict.level];
  return <Mark tone={verdict.shadow && tone === "bad" ? "watch" : tone}>{word}</Mark>;
}

/** How much of a limit is used, as a bar and as a figure. */
export function RoomBar({
  name,
  verdict: { level, usedPercent },
}: {
  /** Of the rule. */
  name: string;
  verdict: Verdict;
}) {
  if (usedPercent === null) return null;
  const used = Math.max(0, usedPercent);
  const text = `${Math.round(used)} %`;
  return (
    <span class="used">
      <span
        class={`room ${level}`}
        role="meter"
        aria-label={`Used of: ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(used))}
        aria-valuetext={`${text} used`}
      >
        <span style={{ width: `${Math.min(100, used)}%` }} />
      </span>
      <span aria-hidden="true">{text}</span>
    </span>
  );
}
