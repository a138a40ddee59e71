import { countText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { CopyGroup, Follower, FollowerState } from "./world.ts";

interface StateWords {
  readonly tone: Tone;
  readonly word: string;
  /** What it means for the money, where the gateway's reason does not say so. */
  readonly meaning?: string;
}

/** What needs a person the most stands first. */
const WORDS: Readonly<Record<FollowerState, StateWords>> = {
  stopped: {
    tone: "bad",
    word: "Stopped",
    meaning: "Only exits are copied to it until you resume it.",
  },
  drifting: { tone: "bad", word: "Out of sync" },
  offline: {
    tone: "watch",
    word: "Offline",
    meaning: "Copies wait until it is back, and expire when they get too old.",
  },
  joining: { tone: "watch", word: "Joining" },
  off: { tone: "quiet", word: "Off", meaning: "Nothing is copied to it, not even exits." },
  paused: { tone: "quiet", word: "Paused", meaning: "Nothing is copied to it, not even exits." },
  following: { tone: "good", word: "Following" },
};

const STATES = Object.keys(WORDS) as readonly FollowerState[];

/** How one follower stands, and why. */
export function FollowerStanding({ follower }: { follower: Follower }) {
  const { notices, reason, state, stoppedAt } = follower;
  const { tone, word, meaning } = WORDS[state];
  return (
    <div class="stack">
      <span class="marks">
        <Mark tone={tone}>{word}</Mark>
        {stoppedAt !== null && state !== "stopped" && <Mark tone="bad">Was stopped</Mark>}
      </span>
      {reason !== null && <span>{reason}</span>}
      {stoppedAt !== null && (
        <span class="quiet">
          Stopped at <Time at={stoppedAt} />
        </span>
      )}
      {meaning !== undefined && <span class="quiet">{meaning}</span>}
      {notices.map((notice) => (
        <span key={notice}>Note: {notice}.</span>
      ))}
    </div>
  );
}

/** How a whole group stands, at a glance. */
export function GroupStanding({ group }: { group: Pick<CopyGroup, "paused" | "followers"> }) {
  const { followers, paused } = group;
  if (paused) return <Mark tone="quiet">Paused</Mark>;
  if (followers.length === 0) return <Mark tone="quiet">No followers</Mark>;
  if (followers.every(({ state }) => state === "following")) {
    return <Mark tone="good">Following</Mark>;
  }
  return (
    <span class="marks">
      {STATES.map((state) => {
        const count = followers.filter((follower) => follower.state === state).length;
        if (count === 0) return null;
        const { tone, word } = WORDS[state];
        return (
          <Mark key={state} tone={tone}>
            {count} {word.toLowerCase()}
          </Mark>
        );
      })}
    </span>
  );
}

export const followersText = (count: number): string => countText(count, "follower");
