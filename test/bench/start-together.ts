type End = () => Promise<void>;

/**
 * Starts several things of which each notes how it is ended. `stop` ends them, the last one first;
 * when the start fails half way, what was started is ended before the error goes on.
 */
export async function startTogether<Value extends object>(
  start: (endWith: (end: End) => void) => Promise<Value>,
): Promise<Value & { readonly stop: End }> {
  const ends: End[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await start((end) => ends.push(end))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
