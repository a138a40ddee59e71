import type { WaitFor } from "../ports.ts";

export interface Judging {
  /** One attempt to judge by all that was reported. */
  readonly catchUp: () => Promise<void>;
  readonly isJudged: () => boolean;
  readonly waitFor: WaitFor;
  readonly onError: (error: unknown) => void;
}

/** How long an entry waits for its account to be judged. */
const JUDGED_WITHIN_MS = 1_000;
/** A fill is stored within moments of its report. */
const AGAIN_MS = 50;

/** Never fails: an exit may wait behind the entry, and what is not judged by then refuses that one. */
export async function untilJudged({ catchUp, isJudged, waitFor, onError }: Judging): Promise<void> {
  let isOver = false;
  const judge = async () => {
    await catchUp();
    while (!isOver && !isJudged()) {
      await waitFor(AGAIN_MS, () => undefined);
      await catchUp();
    }
  };
  const over = judge().catch(onError);
  await waitFor(JUDGED_WITHIN_MS, (wake) => void over.then(wake));
  isOver = true;
}
