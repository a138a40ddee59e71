import type { Tone } from "../../parts/tone.ts";
import type { AlertOutcome } from "./types.ts";

interface OutcomeWords {
  readonly tone: Tone;
  readonly word: string;
  /** What it means for the money. */
  readonly meaning: string;
}

const WORDS: Readonly<Record<AlertOutcome, OutcomeWords>> = {
  done: { tone: "good", word: "Done", meaning: "It was carried out." },
  pending: {
    tone: "watch",
    word: "Pending",
    meaning: "Accepted, and waiting or being sent.",
  },
  refused: {
    tone: "bad",
    word: "Refused",
    meaning: "Not accepted. Nothing was sent.",
  },
  denied: {
    tone: "bad",
    word: "Denied",
    meaning: "The gateway refused it right before sending. Nothing was sent.",
  },
  rejected: {
    tone: "bad",
    word: "Rejected",
    meaning: "It was sent, and the broker refused it.",
  },
  unprotected: {
    tone: "bad",
    word: "Unprotected",
    meaning: "The position may be without its stop-loss or target.",
  },
  notSent: {
    tone: "watch",
    word: "Not sent",
    meaning: "The connection was down. Nothing was sent.",
  },
  expired: {
    tone: "watch",
    word: "Expired",
    meaning: "It waited too long and was dropped. Nothing more of it is sent.",
  },
  overtaken: {
    tone: "watch",
    word: "Overtaken",
    meaning: "A later exit or target took its place, so nothing more of it is sent.",
  },
  withdrawn: {
    tone: "watch",
    word: "Withdrawn",
    meaning: "It was withdrawn: nothing more of it is sent.",
  },
  unknown: {
    tone: "bad",
    word: "Unknown",
    meaning: "It may be live at the broker: the broker has not confirmed it.",
  },
  unfinished: {
    tone: "bad",
    word: "Unfinished",
    meaning: "It is to close something and is not done yet. It is tried again by itself.",
  },
  held: {
    tone: "watch",
    word: "Held",
    meaning: "Its market is closed. The position is closed once that opens.",
  },
  lost: {
    tone: "watch",
    word: "Lost",
    meaning: "It was sent but never reached the broker. Nothing is there.",
  },
  duplicate: {
    tone: "quiet",
    word: "Repeat",
    meaning: "It repeats an earlier alert. Nothing more was sent.",
  },
  split: {
    tone: "quiet",
    word: "Group",
    meaning: "It went to the accounts of a group: each has a line of its own.",
  },
  test: { tone: "quiet", word: "Test", meaning: "A test: nothing was sent." },
};

export const OUTCOMES = Object.keys(WORDS) as readonly AlertOutcome[];

export const outcomeWord = (outcome: AlertOutcome): string => WORDS[outcome].word;
export const outcomeMeaning = (outcome: AlertOutcome): string => WORDS[outcome].meaning;
export const outcomeTone = (outcome: AlertOutcome): Tone => WORDS[outcome].tone;
