import { msText, qtyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Pair } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { Became, DecisionMark } from "./strategy-marks.tsx";
import { numberText } from "./term-words.ts";
import type { Evaluation } from "./types.ts";

/** One evaluation: what it saw, what it decided and why, and what became of it. */
export function EvaluationDetails({ evaluation }: { evaluation: Evaluation }) {
  const { conditions, decision, reason, values } = evaluation;
  return (
    <dl class="pairs stacked evaluation">
      <Pair name="Decision">
        <DecisionMark decision={decision} /> {reason}
      </Pair>
      <Pair name="Outcome">
        <Became evaluation={evaluation} />
      </Pair>
      <Position evaluation={evaluation} />
      <Pair name="Values">
        <Values values={values} />
      </Pair>
      <Pair name="Conditions">
        <Conditions conditions={conditions} />
      </Pair>
      <Times evaluation={evaluation} />
      <Origin evaluation={evaluation} />
    </dl>
  );
}

function Position({ evaluation: { heldQty, symbol, targetQty } }: { evaluation: Evaluation }) {
  if (symbol === null) return null;
  return (
    <Pair name="Position">
      {heldQty === null ? "not looked at" : qtyText(heldQty)}
      {targetQty !== null && `, to be ${qtyText(targetQty)}`} in {symbol}
    </Pair>
  );
}

function Values({ values }: Pick<Evaluation, "values">) {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value !== null && typeof value === "object"
      ? Object.entries(value).map(([part, one]) => [`${name}.${part}`, one] as const)
      : [[name, value] as const],
  );
  if (lines.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="values">
      {lines.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {value === null ? "no number yet" : numberText(value)}
        </li>
      ))}
    </ul>
  );
}

function Conditions({ conditions }: Pick<Evaluation, "conditions">) {
  const lines = Object.entries(conditions);
  if (lines.length === 0) return <span class="quiet">none was looked at</span>;
  return (
    <ul class="values">
      {lines.map(([name, isTrue]) => (
        <li key={name}>
          <code>{name}</code> <Mark tone={isTrue ? "good" : "quiet"}>{String(isTrue)}</Mark>
        </li>
      ))}
    </ul>
  );
}

function Times({ evaluation }: { evaluation: Evaluation }) {
  const { barCount, barsEndAt, computeMs, durationMs, missed, slotAt, startedAt, trigger } =
    evaluation;
  return (
    <>
      <Pair name="Asked for">
        {trigger === "request" ? "by hand or over the API, " : "by its schedule, "}
        <Time at={startedAt} />
        {slotAt !== null && (
          <>
            {" "}
            for <Time at={slotAt} />
          </>
        )}
      </Pair>
      {missed !== null && (
        <Pair name="Missed">
          at least {missed.slots} of its times, from <Time at={missed.fromAt} />
        </Pair>
      )}
      {barsEndAt !== null && (
        <Pair name="Bars">
          {barCount ?? 0}, the newest one until <Time at={barsEndAt} />
        </Pair>
      )}
      {computeMs !== null && (
        <Pair name="Took">
          {msText(computeMs)} to decide
          {durationMs !== null && `, ${msText(durationMs)} in all`}
        </Pair>
      )}
    </>
  );
}

/** What proves it: the same inputs have the same hash, and the intent has its own record. */
function Origin({ evaluation: { accountId, inputsHash, intentId } }: { evaluation: Evaluation }) {
  return (
    <>
      {inputsHash !== null && (
        <Pair name="Hash of inputs">
          <span class="mono">{inputsHash}</span>
        </Pair>
      )}
      {intentId !== null && (
        <Pair name="Intent">
          <a
            class="mono"
            href={`/v1/accounts/${encodeURIComponent(accountId)}/intents/${intentId}`}
            target="_blank"
            rel="noreferrer"
          >
            {intentId}
            <span class="unseen"> (its record, in a new window)</span>
          </a>
        </Pair>
      )}
    </>
  );
}
