/** Long enough to read a page, or to watch a position, without touching anything. */
const STILL_THERE_MS = 5 * 60_000;

let touchedAt = Date.now();

for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"] as const) {
  addEventListener(kind, () => (touchedAt = Date.now()), { passive: true });
}

/** Whether somebody has touched the page within the last minutes. */
export const isAttended = (): boolean => Date.now() - touchedAt < STILL_THERE_MS;
