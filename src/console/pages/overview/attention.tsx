import { countText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { SWITCH_ID } from "../accounts/kill-switch.tsx";
import type { Trouble } from "./types.ts";

const SEVERITIES = {
  critical: ["bad", "Critical"],
  warning: ["watch", "Warning"],
  info: ["quiet", "Info"],
} as const;

/** As many of a kind stand by themselves; more of them are one line that opens. */
const MOST_APART = 3;

const KINDS: Readonly<Record<Trouble["kind"], readonly [one: string, many: string]>> = {
  store: ["database problem", "database problems"],
  webhook: ["webhook to set", "webhooks to set"],
  unknown: ["account with unanswered orders", "accounts with unanswered orders"],
  exit: ["account with exits that go on", "accounts with exits that go on"],
  unprotected: [
    "position without its stop-loss or target",
    "positions without their stop-loss or target",
  ],
  unseen: ["account whose stops cannot be checked", "accounts whose stops cannot be checked"],
  connection: ["connection down", "connections down"],
  outOfStep: ["account the broker does not show", "accounts the broker does not show"],
  notUnderstood: [
    "order or position that cannot be read",
    "orders or positions that cannot be read",
  ],
  copying: ["problem with copying", "problems with copying"],
  strategy: ["strategy with problems", "strategies with problems"],
  waiting: ["account with waiting orders", "accounts with waiting orders"],
  guard: ["guard", "guards"],
  exitPlan: ["exit plan that cannot go on", "exit plans that cannot go on"],
  killSwitch: ["kill switch on", "kill switches on"],
};

/** What needs a person: how bad, what happened, since when, what to do. */
export function Attention({ troubles }: { troubles: readonly Trouble[] }) {
  if (troubles.length === 0) return null;
  const kinds = [...new Set(troubles.map(({ kind }) => kind))];
  return (
    <Sheet title="Needs attention">
      <ul class="troubles body">
        {kinds.map((kind) => {
          const same = troubles.filter((trouble) => trouble.kind === kind);
          if (same.length <= MOST_APART) {
            return same.map((trouble) => <Line key={keyOf(trouble)} trouble={trouble} />);
          }
          return (
            <li key={kind}>
              <details>
                <summary>
                  <Severity of={same[0]?.severity ?? "warning"} />{" "}
                  {countText(same.length, ...KINDS[kind])}
                </summary>
                <ul class="troubles">
                  {same.map((trouble) => (
                    <Line key={keyOf(trouble)} trouble={trouble} />
                  ))}
                </ul>
              </details>
            </li>
          );
        })}
      </ul>
    </Sheet>
  );
}

const keyOf = ({ message }: Trouble) => message;

const Severity = ({ of }: { of: Trouble["severity"] }) => {
  const [tone, word] = SEVERITIES[of];
  return <Mark tone={tone}>{word}</Mark>;
};

function Line({ trouble }: { trouble: Trouble }) {
  const { accounts, advice, message, severity, since } = trouble;
  return (
    <li>
      <Severity of={severity} /> <span>{message}</span>
      {since !== null && (
        <span class="quiet">
          {" "}
          · since <Time at={since} />
        </span>
      )}
      <div>
        {advice}. <WhereToAct trouble={trouble} />
      </div>
      {accounts.length > 0 && (
        <details>
          <summary>Which accounts</summary>
          <p>{accounts.map(({ name }) => name).join(", ")}</p>
        </details>
      )}
    </li>
  );
}

function WhereToAct({ trouble: { kind, accountId, severity } }: { trouble: Trouble }) {
  const id = encodeURIComponent(accountId ?? "");
  switch (kind) {
    case "store":
      // What is to be set is at the machine, and the message says it.
      return null;
    case "connection":
      return <a href="#/accounts">Open connections</a>;
    case "exit": {
      const outcome = severity === "critical" ? "unfinished" : "held";
      return <a href={`#/alerts?outcome=${outcome}&accountId=${id}`}>Show these alerts</a>;
    }
    case "unknown":
      return <a href={`#/alerts?outcome=unknown&accountId=${id}`}>Show these alerts</a>;
    case "waiting":
      return <a href={`#/alerts?outcome=pending&accountId=${id}`}>Show these alerts</a>;
    case "unprotected":
      return <a href={`#/accounts?account=${id}`}>Protect or close</a>;
    case "webhook":
      return <a href="#/webhooks">Open webhooks</a>;
    case "strategy":
      return <a href="#/strategies">Open strategies</a>;
    case "copying":
      return <a href="#/copying">Open followers</a>;
    case "exitPlan":
    case "outOfStep":
    case "notUnderstood":
    case "unseen":
      return <a href={`#/accounts?account=${id}`}>Open account</a>;
    case "guard":
      return <a href={`#/accounts/${id}/guards`}>Open its guards</a>;
    case "killSwitch":
      if (accountId === undefined) return <ToSwitch />;
      return <a href={`#/accounts?account=${id}`}>Open account</a>;
  }
}

/** The switch of all accounts stands on this page, at its top. */
const ToSwitch = () => (
  <button type="button" class="plain" onClick={() => document.getElementById(SWITCH_ID)?.focus()}>
    Go to the switch
  </button>
);
