/**
 * Resolves after `ms`, or as soon as the function handed to `onWake` is called. Timers run before sockets
 * are read, so that after a busy moment time would seem to be up although what is waited for is there:
 * the sockets are read once more first.
 */
export function waitFor(ms: number, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    let reading: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => (reading = setImmediate(resolve)), ms);
    onWake(() => {
      clearTimeout(timer);
      clearImmediate(reading);
      resolve();
    });
  });
}
