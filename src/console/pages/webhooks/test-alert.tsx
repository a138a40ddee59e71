import { useEffect, useId, useState } from "preact/hooks";
import { pricesInWords, typeInWords } from "../../../domain/declared/order-types.ts";
import { api, type ErrorBody, isErrorBody, replyOf, Unanswered } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Sheet } from "../../parts/page.tsx";
import { FieldProblems, Problem } from "../../parts/problem.tsx";
import { useNames } from "../alerts/use-names.ts";
import { useContracts } from "../exit-plans/use-contracts.ts";
import { withSamples } from "./placeholders.ts";
import { StepExits } from "./step-exits.tsx";
import type { Tested, Webhook } from "./types.ts";

/** Tries a message: everything but the sending. */
export function TestAlert({ webhook, message }: { webhook: Webhook; message: string }) {
  const id = useId();
  const [text, setText] = useState(withSamples(message, webhook));
  const [answer, setAnswer] = useState<TestAnswer>();
  const action = useAction();
  useEffect(() => {
    setText(withSamples(message, webhook));
    setAnswer(undefined);
  }, [message]);
  const test = () =>
    action.run(async () => {
      setAnswer(undefined);
      setAnswer(await postTest(webhook.id, text));
    });
  return (
    <Sheet title="Try it">
      <div class="body builder">
        <div class="field">
          <label for={id}>The message with sample values</label>
          <textarea
            id={id}
            rows={Math.min(16, text.split("\n").length + 1)}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <span class="hint">
            Change it as you like. Limits, kill switch and what the account holds decide as they
            would now; nothing is sent to the broker. It is in the alert log as a test.
          </span>
          <div class="actions">
            <ActionButton
              action={action}
              look="primary"
              verb="Send a test"
              isReady={text.trim() !== ""}
              onDo={() => void test()}
            />
          </div>
        </div>
        <div class="made" aria-live="polite">
          {action.error instanceof Unanswered ? (
            <p class="notice bad">The gateway does not answer. A test sends nothing.</p>
          ) : (
            <Problem error={action.error} />
          )}
          {answer === undefined ? (
            <p class="quiet">The result is shown here.</p>
          ) : (
            <TestedSteps answer={answer} />
          )}
        </div>
      </div>
    </Sheet>
  );
}

/** The dry run's answer: in words, and as it came. */
function TestedSteps({ answer: { body, status } }: { answer: TestAnswer }) {
  return (
    <>
      {isForGroup(body) ? (
        <GroupSteps accounts={body.accounts} />
      ) : isErrorBody(body) ? (
        <Refusal {...body.error} />
      ) : isTested(body) ? (
        <Steps tested={body} />
      ) : (
        <p class="notice">The full answer is below.</p>
      )}
      <details>
        <summary>Full answer ({status})</summary>
        <code class="secret">{JSON.stringify(body, undefined, 2)}</code>
      </details>
    </>
  );
}

function Refusal({ message, details = [] }: NonNullable<ErrorBody["error"]>) {
  return (
    <div class="notice bad">
      <strong>It would be refused: {message}</strong>
      {details.length > 1 && <FieldProblems problems={details} />}
    </div>
  );
}

type Step = Tested["wouldDo"][number];

function Steps({ tested: { duplicate, unreadFields = [], wouldDo } }: { tested: Tested }) {
  const contracts = useContracts();
  return (
    <div class="notice good plan">
      <strong>
        {wouldDo.length === 0
          ? "It would be accepted, and no order would be sent: there is nothing to do."
          : "It would be accepted, and this would be done:"}
      </strong>
      <ol class="plain">
        {wouldDo.map((step, index) => (
          <li key={index}>
            {stepText(step)}
            {step.step === "order" && <StepExits step={step} contracts={contracts} />}
          </li>
        ))}
      </ol>
      {unreadFields.length > 0 && <p>Fields ignored: {unreadFields.join(", ")}.</p>}
      {duplicate === true && <p>This test was sent a moment ago; this is the answer it got.</p>}
    </div>
  );
}

function stepText(step: Step): string {
  switch (step.step) {
    case "order":
      return `${orderText(step.order)}, which ${step.adds ? "opens or grows" : "reduces"} a position`;
    case "cancel":
      return `cancel order ${step.orderId} in ${step.symbol}`;
    case "close":
      return `close ${step.side} ${step.qty} ${step.symbol} at the market`;
    case "protect":
      return `put exits on ${step.symbol}${bracketText(step.levels)}`;
    case "wait":
      return `wait: ${step.reason}`;
    case "withhold":
      return `leave out: ${step.reason}`;
  }
}

type Asked = Extract<Step, { step: "order" }>["order"];

function orderText(order: Asked) {
  const { action, bracket, qty, symbol, type } = order;
  const kind = type === "market" ? "at the market" : typeInWords(type);
  const what = [
    `${action} ${qty ?? "what its risk allows of"} ${symbol}`,
    kind,
    ...pricesInWords(order, "asked"),
  ];
  return `${what.join(" ")}${bracketText(bracket)}`;
}

type Levels = NonNullable<Asked["bracket"]>;

function bracketText(levels: Levels | null): string {
  const legs = [
    ["take-profit", levels?.takeProfit],
    ["stop-loss", levels?.stopLoss],
  ] as const;
  return legs
    .flatMap(([name, level]) =>
      level === null || level === undefined ? [] : [[name, level] as const],
    )
    .map(([name, level]) =>
      "ticks" in level
        ? `, ${name} ${level.ticks} ticks away`
        : `, ${name} at ${level.price ?? "?"}`,
    )
    .join("");
}

/** Each account of a group by itself: what would be done there, in its own size. */
function GroupSteps({ accounts }: { accounts: readonly GroupPart[] }) {
  const names = useNames();
  return (
    <>
      {accounts.map((part) => (
        <section key={part.accountId} class="block">
          <h3 class="row">
            <AccountOf id={part.accountId} accounts={names.accounts} />
          </h3>
          {isErrorBody(part) ? (
            <Refusal {...part.error} />
          ) : isTested(part) ? (
            <Steps tested={part} />
          ) : (
            <p class="notice">The full answer is below.</p>
          )}
        </section>
      ))}
    </>
  );
}

/** An answer of one account, as it would be by itself. */
interface GroupPart {
  readonly accountId: string;
}

const isForGroup = (body: unknown): body is { readonly accounts: readonly GroupPart[] } =>
  typeof body === "object" && body !== null && "accounts" in body;

const isTested = (body: unknown): body is Tested =>
  typeof body === "object" && body !== null && "wouldDo" in body;

/** What a test was answered with, whether it would be carried out or refused. */
interface TestAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Posts the text as the charting platform would, which need not be JSON. */
async function postTest(id: string, text: string): Promise<TestAnswer> {
  const asked = api.POST("/v1/webhooks/{id}/test", {
    params: { path: { id } },
    headers: { "Content-Type": "text/plain" },
    body: {},
    bodySerializer: () => text,
  });
  const { data, error, response } = await replyOf(asked);
  return { status: response.status, body: data ?? error };
}
