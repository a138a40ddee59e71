import { CopyButton } from "../../parts/copy-button.tsx";
import { Pair, Sheet } from "../../parts/page.tsx";
import { FieldProblems } from "../../parts/problem.tsx";
import type { WholeAlert } from "./types.ts";

/** What came, word for word, and what the gateway made of it. */
export function AlertDetails({ alert }: { alert: WholeAlert }) {
  return (
    <div class="trio">
      <Received alert={alert} />
      <Understood alert={alert} />
      <Done alert={alert} />
    </div>
  );
}

function Received({ alert }: { alert: WholeAlert }) {
  return (
    <Sheet title="As it was received" end={<CopyButton text={alert.body} />}>
      <div class="body">
        <code class="secret">{prettyBody(alert.body)}</code>
        <p class="quiet">
          {alert.bodyBytes} bytes. Secrets in it are masked.
          {alert.place !== null && ` It is number ${alert.place + 1} of an array of alerts.`}
        </p>
        <Problems alert={alert} />
      </div>
    </Sheet>
  );
}

function Understood({ alert }: { alert: WholeAlert }) {
  return (
    <Sheet title="As it was understood">
      <div class="body">
        <dl class="pairs">
          <Pair name="Asked">{alert.read ?? "it could not be read"}</Pair>
          <Pair name="Profile">{alert.profile}</Pair>
          <Pair name="Contract">{alert.symbol ?? "none"}</Pair>
          {alert.decisions.length > 0 && (
            <Pair name="Decided">
              {alert.decisions.map((decision) => (
                <div key={decision}>{decision}</div>
              ))}
            </Pair>
          )}
          {alert.unreadFields.length > 0 && (
            <Pair name="Not read">
              {alert.unreadFields.join(", ")}
              <div class="quiet">They ask for nothing that the gateway acts on.</div>
            </Pair>
          )}
          {alert.test && <Pair name="Test">a dry run: nothing was sent</Pair>}
        </dl>
      </div>
    </Sheet>
  );
}

function Done({ alert }: { alert: WholeAlert }) {
  return (
    <Sheet title="What was done">
      <div class="body">
        <dl class="pairs">
          <Pair name="Orders">
            {alert.orderIds.length === 0 ? (
              "none"
            ) : (
              <span class="mono">{alert.orderIds.join(", ")}</span>
            )}
          </Pair>
          {alert.code !== null && (
            <Pair name="Code">
              <span class="mono">{alert.code}</span>
            </Pair>
          )}
          {alert.senderAlertId !== null && <Pair name="Sender's id">{alert.senderAlertId}</Pair>}
          <Pair name="Alert">
            <span class="mono">{alert.alertId}</span>
          </Pair>
          <Pair name="Request">
            <span class="mono">{alert.requestId}</span>
          </Pair>
        </dl>
        {alert.intent !== null && (
          <details>
            <summary>Full record</summary>
            <code class="secret">{JSON.stringify(alert.intent, undefined, 2)}</code>
          </details>
        )}
      </div>
    </Sheet>
  );
}

function Problems({ alert: { details } }: { alert: WholeAlert }) {
  if (details.length === 0) return null;
  return (
    <div class="notice bad">
      <strong>What is wrong with it</strong>
      <FieldProblems problems={details} />
    </div>
  );
}

/** JSON with a line for each field; anything else as it came. */
function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
