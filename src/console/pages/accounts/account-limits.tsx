import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { TextField } from "../../parts/fields.tsx";
import { useForm } from "../../parts/form.tsx";
import { Pair } from "../../parts/page.tsx";
import { Problem, Stale } from "../../parts/problem.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { Limits } from "./types.ts";

const FIELDS = [
  ["maxOrderQty", "Contracts in one order"],
  ["maxPositionQty", "Contracts held of one symbol"],
  ["maxOrdersPerMinute", "Orders in any minute"],
] as const satisfies readonly (readonly [keyof Limits, string])[];

/** What the account may do at most; orders beyond it are refused, exits pass. */
export function AccountLimits({ accountId }: { accountId: string }) {
  const params = { path: { id: accountId } };
  const [isEditing, setIsEditing] = useState(false);
  const {
    answeredAt,
    data: limits,
    error,
    refresh,
  } = usePoll(
    `limits ${accountId}`,
    () => answerOf(api.GET("/v1/accounts/{id}/limits", { params })),
    { refreshOn: { what: ["overview"], accountId } },
  );
  return (
    <section class="block">
      <header>
        <h4>Limits</h4>
        {limits !== undefined && !isEditing && (
          <button type="button" class="small" onClick={() => setIsEditing(true)}>
            Change
          </button>
        )}
      </header>
      <Stale error={error} since={answeredAt} />
      {limits !== undefined && !isEditing && (
        <dl class="pairs">
          {FIELDS.map(([name, label]) => (
            <Pair key={name} name={label}>
              {limits[name]}
            </Pair>
          ))}
        </dl>
      )}
      {limits !== undefined && isEditing && (
        <LimitsForm
          accountId={accountId}
          limits={limits}
          onChanged={refresh}
          onEnd={() => setIsEditing(false)}
        />
      )}
    </section>
  );
}

function LimitsForm({
  accountId,
  limits,
  onChanged,
  onEnd,
}: {
  accountId: string;
  limits: Limits;
  onChanged: () => void;
  onEnd: () => void;
}) {
  const { typed, tie, action } = useForm({
    maxOrderQty: String(limits.maxOrderQty),
    maxPositionQty: String(limits.maxPositionQty),
    maxOrdersPerMinute: String(limits.maxOrdersPerMinute),
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const params = { path: { id: accountId } };
    // What is no number goes as null, which the gateway refuses by the field's name.
    const body = {
      maxOrderQty: Number(typed.maxOrderQty),
      maxPositionQty: Number(typed.maxPositionQty),
      maxOrdersPerMinute: Number(typed.maxOrdersPerMinute),
    };
    void action.run(async () => {
      await answerOf(api.PUT("/v1/accounts/{id}/limits", { params, body }));
      onChanged();
      onEnd();
    });
  };
  return (
    <form onSubmit={submit}>
      {FIELDS.map(([name, label]) => (
        <TextField key={name} {...tie(name)} label={label} type="number" required />
      ))}
      <Problem error={action.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          Save
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </form>
  );
}
