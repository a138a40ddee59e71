import { useState } from "preact/hooks";
import { answerOf, api, Refused } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Stale } from "../../parts/stale.tsx";
import { Time } from "../../parts/time.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { adviceOn, mayReplay } from "./alert-advice.ts";
import { AlertDetails } from "./alert-details.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";
import { outcomeMeaning } from "./outcome-words.ts";
import { ReplayAlert } from "./replay-alert.tsx";
import { stagesOf } from "./stages.ts";
import { TimeLine } from "./time-line.tsx";
import type { WholeAlert } from "./types.ts";
import { useFills } from "./use-fills.ts";
import { type Names, useNames } from "./use-names.ts";

const RHYTHM: Rhythm = { hears: { what: ["alerts"] }, anywayMs: 15_000 };

/** One alert's whole story: what came, how it was read, what was done, and how long each step took. */
export function AlertPage({ id }: { id: string }) {
  const params = { path: { alertId: id } };
  const { answeredAt, data, error } = usePoll(
    `alert ${id}`,
    () => answerOf(api.GET("/v1/alerts/{alertId}", { params })),
    RHYTHM,
  );
  const names = useNames();
  const fills = useFills(data);
  return (
    <>
      <PageTitle title="One alert">
        <a href="#/alerts">All alerts</a>
      </PageTitle>
      {error instanceof Refused && error.status === 404 ? (
        <p>There is no such alert, or its webhook was deleted.</p>
      ) : (
        <Stale error={error} since={answeredAt} />
      )}
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && (
        <>
          <Ending alert={data} names={names} />
          <Sheet title="Time line">
            <div class="body">
              <TimeLine stages={stagesOf(data, fills)} />
            </div>
          </Sheet>
          <AlertDetails alert={data} />
        </>
      )}
    </>
  );
}

function Ending({ alert, names }: { alert: WholeAlert; names: Names }) {
  const [isAsked, setIsAsked] = useState(false);
  const { accountId, outcome, read, reason, times, webhookId } = alert;
  const account = names.accounts.find((one) => one.id === accountId);
  const webhook = names.webhooks.find((one) => one.id === webhookId);
  const advice = adviceOn(alert);
  return (
    <section class="sheet" aria-label="Outcome">
      <div class="body">
        <p class="row ending">
          <span role="status">
            <OutcomeMark outcome={outcome} />
          </span>
          <strong>{read ?? "It could not be read"}</strong>
        </p>
        {reason !== null && <p>{reason}</p>}
        {(reason === null || outcome !== "done") && <p class="quiet">{outcomeMeaning(outcome)}</p>}
        {problemsOf(alert).map((problem) => (
          <p key={problem} class="notice watch">
            {problem}
          </p>
        ))}
        {advice !== undefined && (
          <p>
            <strong>What to do:</strong> {advice}
          </p>
        )}
        <p class="row quiet">
          <Time at={times.received} /> by the webhook{" "}
          {webhook === undefined ? (
            <span class="mono">{webhookId}</span>
          ) : (
            <a href={`#/webhooks/${webhookId}`}>{webhook.name}</a>
          )}{" "}
          for <AccountOf id={accountId} account={account} />
        </p>
        <Kin alert={alert} />
        {mayReplay(alert) && (
          <div class="actions">
            <button type="button" class="danger" onClick={() => setIsAsked(true)}>
              Replay …
            </button>
          </div>
        )}
      </div>
      {isAsked && <ReplayAlert alert={alert} account={account} onClose={() => setIsAsked(false)} />}
    </section>
  );
}

/** What was not carried out of one that is done as a whole. */
function problemsOf({ intent }: WholeAlert): readonly string[] {
  const result = intent?.result;
  if (result === null || result === undefined || !("problems" in result)) return [];
  const { problems } = result;
  return Array.isArray(problems) ? problems.map(String) : [];
}

/** The alert that it repeats, or carries out again. */
function Kin({ alert: { duplicateOf, replayOf } }: { alert: WholeAlert }) {
  return (
    <>
      {duplicateOf !== null && (
        <p>
          <a href={`#/alerts/${duplicateOf}`}>The alert that it repeats</a>
        </p>
      )}
      {replayOf !== null && (
        <p>
          <a href={`#/alerts/${replayOf}`}>The alert that it carries out again</a>
        </p>
      )}
    </>
  );
}
