import { answerOf, api } from "../../api/client.ts";
import { usePoll } from "../../shell/poll.ts";

const RHYTHM = { everyMs: 30_000 };

/** Where nothing is told any more although somebody wanted it. */
export function SilentDestinations() {
  const { data } = usePoll("destinations", () => answerOf(api.GET("/v1/destinations")), RHYTHM);
  const off = data?.destinations.filter(({ disabled }) => disabled !== null) ?? [];
  if (off.length === 0) return null;
  return (
    <div class="notice watch" role="status">
      <strong>Notifications are switched off</strong>
      <ul class="plain">
        {off.map(({ id, name, disabled }) => (
          <li key={id}>
            <a href={`#/notifications/${id}`}>{name}</a>: {disabled?.reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
