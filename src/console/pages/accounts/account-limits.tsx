import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { useForm } from "../../parts/form.tsx";
import { Pair } from "../../parts/page.tsx";
import { Problem, Stale } from "../../parts/problem.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { Account, Limits } from "./types.ts";

const NUMBERS = [
  ["maxOrderQty", "Contracts in one order"],
  ["maxPositionQty", "Contracts held of one symbol"],
  ["maxOrdersPerMinute", "Orders in any minute"],
] as const satisfies readonly (readonly [keyof Limits, string])[];

/** What the account may do at most; orders beyond it are refused, exits pass. */
export function AccountLimits({ account }: { account: Account }) {
  const accountId = account.id;
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
          {NUMBERS.map(([name, label]) => (
            <Pair key={name} name={label}>
              {limits[name]}
            </Pair>
          ))}
        </dl>
      )}
      {limits !== undefined && account.cannotCancel !== null && (
        <WithoutCancel account={account} limits={limits} onChanged={refresh} />
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

/** Why the broker may refuse cancels, and a person's confirmation that entries are sent all the same. */
function WithoutCancel({
  account,
  limits,
  onChanged,
}: {
  account: Account;
  limits: Limits;
  onChanged: () => void;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const isSent = limits.entriesWithoutCancel;
  const change = async () => {
    const params = { path: { id: account.id } };
    const body = { entriesWithoutCancel: !isSent };
    await answerOf(api.PUT("/v1/accounts/{id}/limits", { params, body }));
    onChanged();
  };
  return (
    <div class="notice watch">
      <strong>{isSent ? "Entries are sent" : "Entries are refused"}</strong>
      <p>{account.cannotCancel}.</p>
      <div class="actions">
        <button type="button" class="small" onClick={() => setIsAsked(true)}>
          {isSent ? "Refuse entries …" : "Send entries all the same …"}
        </button>
      </div>
      {isAsked && (
        <Confirm
          title={isSent ? `Refuse entries of ${account.name}` : `Send entries of ${account.name}`}
          verb={isSent ? "Refuse entries" : "Send entries"}
          onClose={() => setIsAsked(false)}
          onConfirm={change}
        >
          <AccountName account={account} />
          <p>{account.cannotCancel}.</p>
          {!isSent && (
            <p>
              A stop or target that the gateway must cancel may stay at the broker and open a
              position. Watch the account, and cancel there by hand.
            </p>
          )}
        </Confirm>
      )}
    </div>
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
      {NUMBERS.map(([name, label]) => (
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
