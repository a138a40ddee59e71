import { ActionButton } from "./action-button.tsx";
import type { LiveLog } from "./use-log-feed.ts";
import { Problem } from "./problem.tsx";
import { useAction } from "./use-action.ts";

/** The end of a log: the way to what is older, or that there is nothing more. */
export function LogFoot({
  feed: { olderCursor, readOlder, shown },
  verb,
}: {
  feed: Pick<LiveLog<{ readonly id: string }>, "olderCursor" | "readOlder" | "shown">;
  /** What the button says: "Older copies". */
  verb: string;
}) {
  const action = useAction();
  return (
    <div class="foot">
      <Problem error={action.error} />
      {olderCursor !== undefined && (
        <ActionButton action={action} verb={verb} onDo={() => void action.run(readOlder)} />
      )}
      {olderCursor === undefined && shown.length > 0 && <span class="quiet">End of the list.</span>}
    </div>
  );
}
