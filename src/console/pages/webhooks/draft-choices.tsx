import { SelectField, TextField } from "../../parts/fields.tsx";
import { DraftLegInputs } from "./draft-leg-inputs.tsx";
import { ACTIONS, actionsOf, type Draft, takesLegs, takesQty } from "./message-draft.ts";
import type { Webhook } from "./types.ts";

/** What a person chooses of a message; only what its profile can say is asked for. */
export function DraftChoices({
  draft,
  webhook,
  onDraft,
}: {
  draft: Draft;
  webhook: Webhook;
  onDraft: (change: Partial<Draft>) => void;
}) {
  const actions = actionsOf(draft.profile);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Action"
        name="action"
        value={draft.action}
        options={ACTIONS.filter(([action]) => actions.includes(action))}
        onValue={(action) => onDraft({ action })}
        hint={actionHint(draft)}
      />
      <TextField
        label="Symbol"
        name="symbol"
        value={draft.symbol}
        onValue={(symbol) => onDraft({ symbol })}
        placeholder="{{ticker}}"
        hint="Empty: the chart's own. Else a root (ES), a continuous form (ES1!) or a contract (ESZ6)."
      />
      {takesQty(draft) && (
        <TextField
          label="Contracts"
          name="qty"
          value={draft.qty}
          onValue={(qty) => onDraft({ qty })}
          placeholder={draft.action === "strategy" ? "{{strategy.order.contracts}}" : ""}
          hint={qtyHint(draft, webhook)}
        />
      )}
      {takesLegs(draft) && (
        <>
          <DraftLegInputs
            label="Stop-loss"
            leg={draft.stopLoss}
            draft={draft}
            onLeg={(stopLoss) => onDraft({ stopLoss })}
          />
          <DraftLegInputs
            label="Take-profit"
            leg={draft.takeProfit}
            draft={draft}
            onLeg={(takeProfit) => onDraft({ takeProfit })}
          />
        </>
      )}
    </form>
  );
}

function actionHint({ action, profile }: Draft): string {
  if (profile === "position") return "The account follows the strategy's position.";
  if (action === "strategy") return "For an alert on a strategy: buys and sells as it does.";
  if (action !== "close") return "For an alert on an indicator or a price.";
  return profile === "native"
    ? "Cancels every resting order and closes every position of the account."
    : "Closes the symbol's position.";
}

function qtyHint({ action }: Draft, { defaultQty, multiplier }: Webhook): string {
  const times = multiplier === null ? "" : ` Each is multiplied by ${multiplier}.`;
  if (action === "strategy") return `Empty: as many as the strategy's order has.${times}`;
  const own = defaultQty === null ? "the webhook has no default" : `the webhook's ${defaultQty}`;
  return `Empty: ${own}.${times}`;
}
