import { useRef, useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { goToFirstWrong } from "../../parts/field.tsx";
import { FormEnd } from "../../parts/form-end.tsx";
import { useAction } from "../../parts/use-action.ts";
import { AskToTrade } from "./ask-to-trade.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { IndicatorFields } from "./indicator-fields.tsx";
import { nameProblems } from "./indicator-typed.ts";
import { MarketFields, ModeFields, OrderFields, ScheduleFields } from "./term-fields.tsx";
import { isTrading, type StrategyTyped } from "./strategy-typed.ts";
import type { Account } from "./types.ts";

/** What is shared by the parts of the form. */
export interface FieldsProps {
  typed: StrategyTyped;
  onType: (change: Partial<StrategyTyped>) => void;
  error: Error | undefined;
}

/** Asks for all that makes a strategy; one that is to trade is asked about once more. */
export function StrategyForm({
  title,
  verb,
  accounts,
  start,
  isTradingNow = false,
  onSave,
  onClose,
}: {
  title: string;
  /** What the button says that saves. */
  verb: string;
  accounts: readonly Account[];
  start: StrategyTyped;
  /** Whether it trades already, by what `start` says. */
  isTradingNow?: boolean;
  /** Resolves once it is stored, which closes the form. */
  onSave: (typed: StrategyTyped) => Promise<void>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(start);
  const [isSent, setIsSent] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const { error } = action;
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
  const onType = (change: Partial<StrategyTyped>) => setTyped({ ...typed, ...change });
  const fields = { typed, onType, error };
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
          <FormEnd action={action} verb={verb} onCancel={onClose} />
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
