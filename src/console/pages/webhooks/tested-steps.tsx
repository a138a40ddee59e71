import { pricesInWords, typeInWords } from "../../../domain/declared/order-types.ts";
import { type ErrorBody, isErrorBody } from "../../api/client.ts";
import { FieldProblems } from "../../parts/problem.tsx";
import type { TestAnswer } from "./post-test.ts";
import type { Tested } from "./types.ts";

/** The dry run's answer: in words, and as it came. */
export function TestedSteps({ answer: { body, status } }: { answer: TestAnswer }) {
  return (
    <>
      {isErrorBody(body) ? (
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
  return (
    <div class="notice good">
      <strong>
        {wouldDo.length === 0
          ? "It would be accepted, and no order would be sent: there is nothing to do."
          : "It would be accepted, and this would be done:"}
      </strong>
      <ol class="plain">
        {wouldDo.map((step, index) => (
          <li key={index}>{stepText(step)}</li>
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
  const what = [`${action} ${qty} ${symbol}`, kind, ...pricesInWords(order, "asked")];
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

const isTested = (body: unknown): body is Tested =>
  typeof body === "object" && body !== null && "wouldDo" in body;
