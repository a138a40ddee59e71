import { signal } from "@preact/signals";

/** Where the person is: `#/alerts/alert_1?outcome=done` is `["alerts", "alert_1"]` and a query. */
interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const place = signal<Place>(readPlace(location.hash));

addEventListener("hashchange", () => (place.value = readPlace(location.hash)));

/** Goes to a place such as `/alerts`; `replace` leaves no step to go back to. */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const hash = `#${to}`;
  if (replace) location.replace(hash);
  else location.hash = hash;
}

function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const steps = path.split("/").filter((step) => step !== "");
  return { path: steps.map(decodeStep), query: new URLSearchParams(query) };
}

/** A step that somebody broke by hand stands as it is, and leads nowhere. */
function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
