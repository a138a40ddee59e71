import { lengthText, type Stage } from "./stages.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});

/** Each stage with its milliseconds, and a bar on which they stand as far apart as they were. */
export function TimeLine({ stages }: { stages: readonly Stage[] }) {
  const total = Math.max(...stages.map(({ afterMs }) => afterMs), 1);
  return (
    <>
      <svg class="spans" aria-hidden="true" width="100%" height="28">
        <rect class="rail" x="0" y="13" width="100%" height="2" />
        {stages.map(({ afterMs, name }, index) => {
          const x = `${2 + (96 * Math.max(afterMs, 0)) / total}%`;
          return <circle key={name + index} class="stop" cx={x} cy="14" r="5" />;
        })}
      </svg>
      <ol class="stages">
        {stages.map(({ at, afterMs, detail, name, stepMs }, index) => (
          <li key={name + at + index}>
            <span class="name">{name}</span>
            <span class="detail quiet">{detail}</span>
            <time dateTime={at} class="clock quiet">
              {CLOCK.format(new Date(at))}
            </time>
            <span class="after">
              {index === 0 ? "0 ms" : `+${lengthText(afterMs)}`}
              {index > 1 && <span class="quiet"> (step {lengthText(stepMs)})</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
