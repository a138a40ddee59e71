import { useState } from "preact/hooks";
import { StrategyForm } from "./strategy-form.tsx";
import type { StrategyProps } from "./strategy-page.tsx";
import { changeOf, isTrading, type StrategyTyped, typedStrategy } from "./strategy-typed.ts";
import { ownTimeZone } from "./term-words.ts";
import type { ChangeStrategyBody } from "./types.ts";

/** Changes a strategy; what was changed elsewhere meanwhile stays as it is. */
export function EditStrategy({
  strategy,
  accounts,
  onChange,
  onClose,
}: StrategyProps & {
  onChange: (body: ChangeStrategyBody) => Promise<void>;
  onClose: () => void;
}) {
  const [before] = useState(strategy);
  const [start] = useState(() => typedStrategy(strategy, ownTimeZone()));
  const save = async (typed: StrategyTyped) => {
    const body = changeOf(typed, before);
    if (Object.keys(body).length > 0) await onChange(body);
    onClose();
  };
  return (
    <StrategyForm
      title={`Edit “${before.name}”`}
      verb="Save"
      accounts={accounts}
      start={start}
      isTradingNow={isTrading(before)}
      onSave={save}
      onClose={onClose}
    />
  );
}
