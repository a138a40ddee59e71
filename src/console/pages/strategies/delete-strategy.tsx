import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { go } from "../../shell/router.ts";
import { StaysHeld } from "./stays-held.tsx";
import type { StrategyProps } from "./strategy-page.tsx";

/** Deletes a strategy with its log, after saying what stays. */
export function DeleteStrategy({
  strategy,
  accounts,
  refresh,
  onClose,
}: StrategyProps & { onClose: () => void }) {
  const remove = async () => {
    const params = { path: { id: strategy.id } };
    await answerOf(api.DELETE("/v1/strategies/{id}", { params }));
    refresh();
    go("/strategies", { replace: true });
  };
  return (
    <Confirm title="Delete the strategy" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{strategy.name}</strong> and its log are deleted, and cannot be brought back.
      </p>
      <StaysHeld strategy={strategy} accounts={accounts} />
    </Confirm>
  );
}
