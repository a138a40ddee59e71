import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PageTitle } from "../parts/page-title.tsx";

type Loaded = ComponentType | "failed" | undefined;

/**
 * A page whose script is fetched when somebody goes there. A console that was opened before an
 * update of the gateway may not get it any more; the others go on.
 */
export function Apart({ load }: { load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isOver = false;
    const settle = (next: Loaded) => {
      // A component is a function, which a setter would call.
      if (!isOver) setLoaded(() => next);
    };
    void load().then(settle, () => settle("failed"));
    return () => {
      isOver = true;
    };
  }, [load]);
  if (loaded === undefined) return <p class="quiet">One moment …</p>;
  if (loaded === "failed") return <NotLoaded />;
  const Page = loaded;
  return <Page />;
}

function NotLoaded() {
  return (
    <>
      <PageTitle title="This page could not be loaded" />
      <div class="notice watch" role="alert">
        <p>
          The gateway does not answer, or it was updated since you opened the console. Nothing was
          changed by that. Reload the console to continue.
        </p>
        <div class="actions">
          <button type="button" onClick={() => location.reload()}>
            Reload the console
          </button>
        </div>
      </div>
    </>
  );
}
