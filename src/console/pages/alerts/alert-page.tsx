import { useState } from "preact/hooks";
import { answerOf, api, Refused } from "../../api/client.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { PageTitle, Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { go } from "../../shell/router.ts";
import { AlertDetails } from "./alert-details.tsx";
import { AlertParts } from "./alert-parts.tsx";
import { GoneTo } from "./gone-to.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";
import { outcomeMeaning } from "./outcome-words.ts";
import { stagesOf, TimeLine, useFills } from "./time-line.tsx";
import type { Account, WholeAlert } from "./types.ts";
import { type Names, useNames } from "./use-names.ts";

const RHYTHM: Rhythm = { refreshOn: { what: ["alerts"] }, anywayMs: 15_000 };

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
          {data.children.length > 0 && <AlertParts alert={data} names={names} />}
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
          for <GoneTo alert={alert} names={names} />
        </p>
        <Kin alert={alert} names={names} />
        {isGoingOn(alert) && <TakeBack alert={alert} account={account} />}
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

/** The alert that it repeats, or carries out again, or that it is a part of. */
function Kin({
  alert: { duplicateOf, groupId, partOf, replayOf },
  names,
}: {
  alert: WholeAlert;
  names: Names;
}) {
  const group = names.groups.find(({ id }) => id === groupId);
  return (
    <>
      {partOf !== null && (
        <p>
          <a href={`#/alerts/${partOf}`}>
            The alert as a whole, for the group {group?.name ?? groupId}
          </a>
        </p>
      )}
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

/** Lets an exit that goes on send nothing more. */
function TakeBack({ alert, account }: { alert: WholeAlert; account: Account | undefined }) {
  const [isAsked, setIsAsked] = useState(false);
  const close = () => setIsAsked(false);
  const takeBack = async () => {
    const params = { path: { id: alert.accountId, intentId: alert.alertId } };
    await answerOf(api.DELETE("/v1/accounts/{id}/intents/{intentId}", { params }));
  };
  return (
    <div class="actions">
      <button type="button" class="danger" onClick={() => setIsAsked(true)}>
        Take back …
      </button>
      {isAsked && (
        <Confirm
          title="Take the exit back"
          verb="Take it back"
          onClose={close}
          onConfirm={takeBack}
        >
          <p>
            Nothing more of this exit is sent to <strong>{account?.name ?? alert.accountId}</strong>
            . The position stays open, with its stop and target.
          </p>
        </Confirm>
      )}
    </div>
  );
}

const isGoingOn = ({ outcome }: WholeAlert): boolean =>
  outcome === "unfinished" || outcome === "held";

/** Carries out, as if it came now, an alert of which nothing was sent. */
function ReplayAlert({
  alert,
  account,
  onClose,
}: {
  alert: WholeAlert;
  account: Account | undefined;
  onClose: () => void;
}) {
  const replay = async () => {
    const params = { path: { alertId: alert.alertId } };
    const answer = await answerOf(api.POST("/v1/alerts/{alertId}/replay", { params }));
    if ("alertId" in answer) go(`/alerts/${answer.alertId}`);
  };
  return (
    <Confirm title="Replay the alert" verb="Carry it out now" onClose={onClose} onConfirm={replay}>
      <p class="row">
        <strong>{account?.name ?? alert.accountId}</strong>
        <span class="mono quiet">{alert.accountId}</span>
        {account !== undefined && <EnvironmentBadge environment={account.environment} />}
      </p>
      <p>
        This is carried out as if it came now, at today's price: <strong>{alert.read}</strong>
      </p>
      <p>
        The webhook's options, the limits and the kill switch hold as they are now. It is done once:
        a second replay answers with the first one.
      </p>
    </Confirm>
  );
}

const BY_CODE: Readonly<Record<string, string>> = {
  VALIDATION_FAILED:
    "Correct the message in the alert. The webhook's page builds one and tries it without sending.",
  UNRESOLVED_PLACEHOLDER:
    "The charting platform left a placeholder as it was: those of strategies are filled in only in alerts on a strategy. Use one that the alert knows, or write a fixed value.",
  UNKNOWN_SYMBOL:
    "Check the symbol: a root such as ES, a continuous form such as ES1! or a contract such as ESZ6. The webhook's symbol map can put another in its place.",
  ACCOUNT_INACTIVE:
    "The account is not active: check its connection under Accounts, or at the broker.",
  WEBHOOK_PAUSED: "Resume the webhook if its alerts should trade.",
  SENDER_NOT_ALLOWED:
    "It came from an address that the webhook does not take. If it was yours, add the address to the webhook's senders; if not, make a new webhook, since somebody knows its URL.",
  SYMBOL_MISMATCH: "Check what the account holds, and close that symbol instead.",
  NO_POSITION: "Nothing was held, so there is nothing to do.",
  POSITION_HELD: "The position was there already, so there is nothing to do.",
  POSITION_MISMATCH: "Compare what the account holds with what the strategy believes it holds.",
  MARKET_CLOSED: "The market was closed. Close the position once it is open.",
  OVERTAKEN_BY_EXIT:
    "It was dropped for good, so that it does not open again what was closed; sent again it stays dropped. If the trade is wanted all the same, replay it.",
  SYMBOL_NOT_ALLOWED:
    "Add the symbol to those that the webhook allows, if it is meant to trade it.",
  SIDE_NOT_ALLOWED: "Allow both sides in the webhook's options, if it is meant to trade this one.",
  SENDER_UNCLEAR:
    "Say in the webhook's options whether a strategy or an indicator sends. For a strategy, copy the message that the webhook shows then.",
  LIMIT_EXCEEDED:
    "Raise the account's limit under Accounts if the order was right; else ask for fewer contracts.",
  KILL_SWITCH_ON: "Turn the kill switch off under Accounts, to trade again.",
  LOCKED: "The reason says until when the account is locked; exits pass. See its guards.",
  GUARD_REFUSED: "The reason has the rule and its figures; exits pass. See the account's guards.",
  RISK_TOO_SMALL:
    "Risk more, put the stop-loss nearer, or trade a smaller contract; min sends it all the same.",
  SIZE_UNKNOWN: "Give a limit price or the stop-loss as a distance, and a risk in money.",
  STORE_FULL: "Redis needs more memory on the gateway's machine; exits pass meanwhile.",
  ALERT_TOO_OLD: "It arrived late. Check whether the sender or the network is slow.",
  RATE_LIMITED: "Find out why so many alerts came, or raise the webhook's limit.",
};

const BY_OUTCOME: Readonly<Partial<Record<WholeAlert["outcome"], string>>> = {
  rejected: "The broker says why. Check the account there before sending another one.",
  unprotected: "Check the position now, and protect or close it under Accounts.",
  notSent: "Check the connection under Accounts. If the trade is still wanted, replay it.",
  expired:
    "It was dropped so that nothing late is sent. If the trade is still wanted at today's price, replay it.",
  withdrawn: "If the trade is still wanted, replay it.",
  unknown:
    "Check the account at the broker first: an order may be working or filled. The gateway keeps asking, and holds new entries until it knows.",
  unfinished:
    "The gateway tries again by itself. Close the position at the broker if it is urgent, or take the exit back.",
  held: "The gateway closes the position when the market opens. Take the exit back if it is not wanted any more.",
  lost: "Nothing of it is at the broker. If the trade is still wanted, replay it.",
};

/** What a person can do about it; undefined where there is nothing to do. */
function adviceOn({ code, outcome }: WholeAlert): string | undefined {
  return (code === null ? undefined : BY_CODE[code]) ?? BY_OUTCOME[outcome];
}

const NEVER_SENT: ReadonlySet<WholeAlert["outcome"]> = new Set([
  "refused",
  "denied",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "lost",
]);

/** Whether it can be carried out now: nothing of it was sent, and it says what it wants. */
const mayReplay = ({ outcome, read, test }: WholeAlert): boolean =>
  NEVER_SENT.has(outcome) && read !== null && !test;
