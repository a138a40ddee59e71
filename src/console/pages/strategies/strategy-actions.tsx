import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { EditStrategy } from "./edit-strategy.tsx";
import { DeleteStrategy } from "./delete-strategy.tsx";
import { EvaluateNow } from "./evaluate-now.tsx";
import { SwitchStrategy, type Switched } from "./switch-strategy.tsx";
import { AskToTrade } from "./ask-to-trade.tsx";
import { isTrading } from "./strategy-typed.ts";
import type { ChangeStrategyBody, Strategy } from "./types.ts";
import type { StrategyProps } from "./strategy-page.tsx";

type Asked = Switched | "trade" | "edit" | "delete";

/** Actions with a strategy; what may send orders, or end that, is asked about before. */
export function StrategyActions(of: StrategyProps) {
  const { accounts, refresh, strategy } = of;
  const [asked, setAsked] = useState<Asked>();
  const onClose = () => setAsked(undefined);
  const change = async (body: ChangeStrategyBody) => {
    const params = { path: { id: strategy.id } };
    await answerOf(api.PATCH("/v1/strategies/{id}", { params, body }));
    refresh();
  };
  const shared = { ...of, onClose };
  return (
    <>
      <EvaluateNow {...of} />
      <Buttons strategy={strategy} onAsk={setAsked} />
      {asked === "edit" && <EditStrategy {...shared} onChange={change} />}
      {asked === "delete" && <DeleteStrategy {...shared} />}
      {asked === "trade" && (
        <AskToTrade
          terms={strategy}
          hasSchedule={strategy.schedule !== null}
          accounts={accounts}
          verb={strategy.mode === "trade" ? "Switch it on" : "Let it trade"}
          onConfirm={() =>
            change(strategy.mode === "trade" ? { enabled: true } : { mode: "trade" })
          }
          onClose={onClose}
        />
      )}
      {(asked === "off" || asked === "on" || asked === "observe" || asked === "tradeWhenOn") && (
        <SwitchStrategy {...shared} to={asked} onChange={change} />
      )}
    </>
  );
}

function Buttons({ strategy, onAsk }: { strategy: Strategy; onAsk: (asked: Asked) => void }) {
  const { enabled, mode } = strategy;
  const wouldTrade = (change: Partial<Pick<Strategy, "mode" | "enabled">>) =>
    isTrading({ mode, enabled, ...change });
  const on = wouldTrade({ enabled: true }) ? "trade" : "on";
  const trade = wouldTrade({ mode: "trade" }) ? "trade" : "tradeWhenOn";
  return (
    <div class="actions">
      <button type="button" onClick={() => onAsk(enabled ? "off" : on)}>
        {enabled ? "Switch off …" : "Switch on …"}
      </button>
      <button type="button" onClick={() => onAsk(mode === "trade" ? "observe" : trade)}>
        {mode === "trade" ? "Only observe …" : "Let it trade …"}
      </button>
      <button type="button" onClick={() => onAsk("edit")}>
        Edit …
      </button>
      <button type="button" class="danger" onClick={() => onAsk("delete")}>
        Delete …
      </button>
    </div>
  );
}
