import { useEffect, useId, useState } from "preact/hooks";
import { Unanswered } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { withSamples } from "./placeholders.ts";
import { postTest, type TestAnswer } from "./post-test.ts";
import { TestedSteps } from "./tested-steps.tsx";
import type { Webhook } from "./types.ts";

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
