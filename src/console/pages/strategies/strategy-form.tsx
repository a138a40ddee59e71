import { useRef, useState } from "preact/hooks";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { goToFirstWrong } from "../../parts/field.tsx";
import { FormEnd, type SavingProps, useForm } from "../../parts/form.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { IndicatorFields } from "./indicator-fields.tsx";
import { nameProblems } from "./indicators.ts";
import { isTrading, type StrategyTyped } from "./strategy-typed.ts";
import { MarketFields, ModeFields, OrderFields, ScheduleFields } from "./term-fields.tsx";
import type { Account } from "./types.ts";

/** Asks for all that makes a strategy; one that is to trade is asked about once more. */
export function StrategyForm({
  title,
  verb,
  accounts,
  start,
  isTradingNow = false,
  onSave,
  onClose,
}: SavingProps<StrategyTyped> & {
  accounts: readonly Account[];
  /** Whether it trades already, by what `start` says. */
  isTradingNow?: boolean;
}) {
  const { action, ...fields } = useForm(start);
  const { typed } = fields;
  const [isSent, setIsSent] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const showWrong = () => {
    if (form.current !== null) goToFirstWrong(form.current);
  };
  const save = async () => {
    await action.run(() => onSave(typed));
    showWrong();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setIsSent(true);
    if (nameProblems(typed.indicators).size > 0) showWrong();
    else if (needsQuestion(typed, start, isTradingNow)) setIsAsked(true);
    else void save();
  };
  return (
    <>
      <Dialog title={title} onClose={onClose} mayClose={typed === start}>
        <form ref={form} onSubmit={submit}>
          <MarketFields {...fields} accounts={accounts} />
          <IndicatorFields {...fields} isSent={isSent} />
          <ConditionFields {...fields} />
          <OrderFields {...fields} />
          <ScheduleFields {...fields} />
          <ModeFields {...fields} />
          <FormEnd action={action} verb={verb} onClose={onClose} />
        </form>
      </Dialog>
      {isAsked && (
        <AskToTrade
          terms={typed}
          hasSchedule={typed.cron.trim() !== ""}
          accounts={accounts}
          verb={`${verb}, and let it trade`}
          onConfirm={async () => void save()}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

/** Whether it is to trade from now on, or somewhere else than before. */
function needsQuestion(typed: StrategyTyped, start: StrategyTyped, isTradingNow: boolean): boolean {
  if (!isTrading(typed)) return false;
  const isElsewhere = typed.accountId !== start.accountId || typed.symbol !== start.symbol;
  return !isTradingNow || isElsewhere;
}

/** Says what a strategy that trades will do, before it may. */
export function AskToTrade({
  terms: { accountId, qty, symbol },
  hasSchedule,
  accounts,
  verb,
  onConfirm,
  onClose,
}: {
  terms: { readonly accountId: string; readonly qty: number | string; readonly symbol: string };
  hasSchedule: boolean;
  accounts: readonly Account[];
  /** What the button says that does it. */
  verb: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Confirm title="Let it trade" verb={verb} onConfirm={onConfirm} onClose={onClose}>
      <p class="row">
        <strong class="row">
          <AccountOf id={accountId} accounts={accounts} />
        </strong>
        {symbol}
      </p>
      <p>
        {hasSchedule ? (
          <>
            From now on it <strong>sends orders by itself</strong>, and nobody is asked before. At
            each time of its schedule
          </>
        ) : (
          <>
            It has no schedule, so it <strong>sends orders when it is asked to</strong>, here or
            over the API. Then
          </>
        )}{" "}
        it buys or sells {qty} of {symbol} at the market when an entry is true, turns a position
        that is held on the other side, and closes what is held when an exit is true: also what you
        have opened there yourself.
      </p>
      <p>The account's limits and kill switches hold for it as for everything else.</p>
    </Confirm>
  );
}
