import type { ConnectionTest } from "./types.ts";

const SAID: Readonly<Record<ConnectionTest["result"], readonly [tone: string, words: string]>> = {
  ok: ["good", "The login works: it was logged in, its accounts were read, and it was logged out."],
  connected: ["good", "It is connected already, so no second login was tried."],
  busy: ["watch", "Somebody is logging in with it right now, so nothing was tried."],
  refused: ["bad", "The broker refused the login."],
  failed: ["bad", "The login could not be tried to its end."],
};

/** What came of trying a login. No order was sent by it. */
export function ConnectionTrial({ trial }: { trial: ConnectionTest }) {
  const [tone, words] = SAID[trial.result];
  return (
    <div class={`notice ${tone}`} role="status">
      <strong>{words}</strong>
      {trial.reason !== null && <p>{trial.reason}</p>}
      {trial.accounts.length > 0 && (
        <ul class="plain">
          {trial.accounts.map(({ accountId, name, active }) => (
            <li key={accountId}>
              {name} <span class="mono quiet">{accountId}</span>
              {!active && " (inactive)"}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
