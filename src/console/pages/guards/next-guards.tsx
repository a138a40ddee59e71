import { Sheet } from "../../parts/page.tsx";
import { differences } from "./next-differences.ts";
import type { Guards } from "./types.ts";
import { UntilInZone } from "./until.tsx";

/** What was loosened of hard rules: until it counts, the stricter stands. */
export function NextGuards({ guards }: { guards: Guards }) {
  const { next } = guards;
  if (next === null) return null;
  return (
    <Sheet title="Counts from the next trading day on">
      <div class="body">
        <p>
          What was loosened of hard rules counts from <UntilInZone at={next.from} />. Until then the
          stricter ones stand.
        </p>
        <ul class="plain">
          {differences(guards).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </Sheet>
  );
}
