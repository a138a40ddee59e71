import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { ActionButton } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { useForm } from "../../parts/form.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { positionText } from "../accounts/exits.ts";
import type { OfAccount } from "./types.ts";

interface LockTyped {
  readonly ends: "nextDay" | "own";
  readonly until: string;
  readonly then: "flatten" | "exitsOnly";
  readonly lock: "soft" | "hard";
  readonly reason: string;
}

const START: LockTyped = {
  ends: "nextDay",
  until: "",
  then: "exitsOnly",
  lock: "soft",
  reason: "",
};

const ENDS = [
  ["nextDay", "Until the next trading day"],
  ["own", "Until a time of my own"],
] as const;
const THENS = [
  ["exitsOnly", "Stays as it is"],
  ["flatten", "Is closed"],
] as const;
const LOCKS = [
  ["soft", "Soft: I can end it early"],
  ["hard", "Hard: nobody can end it early"],
] as const;

/** Lets nothing into the account from now on, after saying what that comes to. */
export function LockNow({
  account,
  guards,
  refresh,
  onClose,
}: OfAccount & { onClose: () => void }) {
  const { action, tie, typed } = useForm(START);
  const lock = () =>
    void action.run(async () => {
      const params = { path: { id: account.id } };
      try {
        await answerOf(api.POST("/v1/accounts/{id}/guards/lock", { params, body: bodyOf(typed) }));
      } finally {
        refresh();
      }
      onClose();
    });
  const submit = (event: Event) => {
    event.preventDefault();
    lock();
  };
  const isReady = typed.ends === "nextDay" || typed.until !== "";
  return (
    <Dialog title="Lock the account now" onClose={onClose}>
      <AccountName account={account} />
      <form onSubmit={submit}>
        <div class="columns">
          <SelectField {...tie("ends")} label="How long" options={ENDS} />
          {typed.ends === "own" && (
            <TextField
              {...tie("until")}
              label="Until, by your clock"
              type="datetime-local"
              hint="At most 31 days from now."
              required
            />
          )}
          <SelectField {...tie("then")} label="What is held" options={THENS} />
          <SelectField {...tie("lock")} label="Strictness" options={LOCKS} />
        </div>
        <TextField {...tie("reason")} label="Reason, for the record" max={200} />
        <div class={typed.then === "flatten" ? "notice bad" : "notice watch"}>
          <strong>What happens</strong>
          <p>
            From now on everything that opens or grows a position is refused, until{" "}
            <Ending typed={typed} dayEndsAt={guards.dayEndsAt} />.{" "}
            {typed.lock === "hard"
              ? "Nobody can end it before, you neither."
              : "You can end it before, once you have proved who you are."}
          </p>
          {typed.then === "flatten" ? (
            <Closing accountId={account.id} />
          ) : (
            <p>Entries that rest are cancelled. No position is closed by it, and exits pass.</p>
          )}
        </div>
        <Problem error={action.error} />
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Leave it as it is
          </button>
          <ActionButton
            action={action}
            look="danger sure"
            verb={typed.then === "flatten" ? "Close everything and lock" : "Lock the account"}
            isReady={isReady}
          />
        </div>
      </form>
    </Dialog>
  );
}

function Ending({ typed: { ends, until }, dayEndsAt }: { typed: LockTyped; dayEndsAt: string }) {
  if (ends === "nextDay") return <Time at={dayEndsAt} />;
  return until === "" ? <>a time that you choose</> : <Time at={new Date(until).toISOString()} />;
}

/** What is closed, by name. */
function Closing({ accountId }: { accountId: string }) {
  const params = { path: { id: accountId } };
  const { data } = usePoll(
    `positions ${accountId}`,
    () => answerOf(api.GET("/v1/accounts/{id}/positions", { params })),
    { refreshOn: { what: ["positions"], accountId } },
  );
  const held = data?.positions ?? [];
  return (
    <p>
      <strong>
        Every position is closed at the market, and every order that rests is cancelled.
      </strong>{" "}
      {data !== undefined &&
        (held.length === 0
          ? "Nothing is open now."
          : `Open now: ${held.map(positionText).join(", ")}.`)}
    </p>
  );
}

function bodyOf({ ends, lock, reason, then, until }: LockTyped) {
  return {
    lock,
    then,
    ...(ends === "own" && { until: new Date(until).toISOString() }),
    ...(reason.trim() !== "" && { reason: reason.trim() }),
  };
}
