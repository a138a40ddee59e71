import type { BrokerAdapter } from "./broker-adapter.ts";

const LOOKS = 8;

/**
 * Calls `onSilent` once when the broker has said nothing for as long as its adapter allows; the
 * session's begin counts as a word. Returns the function that ends the watch.
 */
export function watchSilence(
  adapter: Pick<BrokerAdapter, "lastMessageAt" | "silentAfterMs">,
  onSilent: (error: Error) => void,
  elapsed: () => number,
): () => void {
  const { silentAfterMs } = adapter;
  if (silentAfterMs === undefined) return () => undefined;
  const beganAt = elapsed();
  const silentMs = () => elapsed() - Math.max(beganAt, adapter.lastMessageAt?.() ?? beganAt);
  let isOver = false;

  const judge = (): void => {
    const ms = silentMs();
    if (isOver || ms < silentAfterMs) return;
    end();
    onSilent(new Error(`The broker has said nothing for ${(ms / 1_000).toFixed(1)} s`));
  };
  // A process that was frozen has not listened: what came meanwhile is read before the verdict.
  const look = () => {
    if (silentMs() >= silentAfterMs) setImmediate(judge);
  };
  const timer = setInterval(look, silentAfterMs / LOOKS);
  function end(): void {
    isOver = true;
    clearInterval(timer);
  }
  return end;
}
