import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { msText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Problem } from "../../parts/problem.tsx";

type Result = components["schemas"]["DestinationTest"];

/** Sends a sample, and says what came back. */
export function TestButton({ id }: { id: string }) {
  const action = useAction();
  const [result, setResult] = useState<Result>();
  const test = () =>
    action.run(async () => {
      setResult(undefined);
      const params = { path: { id } };
      setResult(await answerOf(api.POST("/v1/destinations/{id}/test", { params })));
    });
  return (
    <div class="row">
      <ActionButton
        action={action}
        verb="Send a test"
        running="Sending …"
        onDo={() => void test()}
      />
      <Problem error={action.error} />
      <span role="status">{result !== undefined && <Outcome {...result} />}</span>
    </div>
  );
}

function Outcome({ delivered, status, reason, ms }: Result) {
  const isSaid = status === null || reason?.includes(String(status)) === true;
  const came = isSaid ? "" : `, status ${status}`;
  return (
    <span class="row">
      <Mark tone={delivered ? "good" : "bad"}>{delivered ? "Delivered" : "Not delivered"}</Mark>
      <span>
        {reason === null ? "" : `${reason}: `}
        {msText(ms)}
        {came}
      </span>
    </span>
  );
}
