const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time by the person's own clock: of today the hour alone. The full one is in its title. */
export function Time({ at }: { at: string | undefined }) {
  if (at === undefined) return <span class="quiet">never</span>;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={FULL.format(date)}>
      {(isToday ? CLOCK : FULL).format(date)}
    </time>
  );
}
