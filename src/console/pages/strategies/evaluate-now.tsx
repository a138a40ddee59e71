import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/problem.tsx";
import { isCarriedOut } from "./decision-words.ts";
import { EvaluationDetails } from "./evaluation-details.tsx";
import { isTrading } from "./strategy-typed.ts";
import type { Evaluation, StrategyProps } from "./types.ts";

/** Evaluates a strategy at once: what it would do, or, where it trades, also what it does. */
export function EvaluateNow({ strategy, accounts, refresh }: StrategyProps) {
  const [evaluation, setEvaluation] = useState<Evaluation>();
  const [isAsked, setIsAsked] = useState(false);
  const action = useAction();
  const evaluate = async (dryRun: boolean) => {
    const params = { path: { id: strategy.id } };
    const asked = api.POST("/v1/strategies/{id}/evaluate", { params, body: { dryRun } });
    setEvaluation(await answerOf(asked));
    refresh();
  };
  return (
    <>
      <div class="actions">
        <ActionButton
          action={action}
          look="primary"
          verb="Evaluate now"
          onDo={() => void action.run(() => evaluate(true))}
        />
        {isTrading(strategy) && (
          <button type="button" class="danger" onClick={() => setIsAsked(true)}>
            Evaluate and trade …
          </button>
        )}
      </div>
      <Problem error={action.error} />
      <div role="status">
        {evaluation !== undefined && (
          <div class="notice">
            <strong>{headOf(evaluation)}</strong>
            <EvaluationDetails evaluation={evaluation} />
          </div>
        )}
      </div>
      {isAsked && (
        <EvaluateAndTrade
          strategy={strategy}
          accounts={accounts}
          onConfirm={() => evaluate(false)}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

function headOf(evaluation: Evaluation): string {
  if (evaluation.dryRun) return "Evaluated, and nothing was sent";
  return isCarriedOut(evaluation) ? "Evaluated and carried out" : "Evaluated";
}

function EvaluateAndTrade({
  strategy: { accountId, qty, symbol },
  accounts,
  onConfirm,
  onClose,
}: Pick<StrategyProps, "strategy" | "accounts"> & {
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Confirm
      title="Evaluate and trade"
      verb="Evaluate and trade"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p class="row">
        <strong class="row">
          <AccountOf id={accountId} accounts={accounts} />
        </strong>
        {symbol}
      </p>
      <p>
        It looks at the newest bars and carries out at once what it decides: an entry is {qty} of{" "}
        {symbol} at the market, an exit closes what is held. Where nothing is true, nothing is sent.
      </p>
    </Confirm>
  );
}
