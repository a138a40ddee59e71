/** How a state is to be taken: all is well, look at it, act, or nothing to it. */
export type Tone = "good" | "watch" | "bad" | "quiet";
