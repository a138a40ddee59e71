import { useState } from "preact/hooks";
import { CopyButton } from "../../parts/copy-button.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Sheet } from "../../parts/page.tsx";
import { PlanChoice } from "../exit-plans/plan-choice.tsx";
import { ExitsPreview } from "./exits-preview.tsx";
import {
  ACTIONS,
  actionsOf,
  type Draft,
  type DraftLeg,
  followsPlan,
  hangsExitsOnExits,
  LEG_UNITS,
  legUnitsOf,
  messageOf,
  planNameOf,
  takesLegs,
  takesPlan,
  takesQty,
} from "./message-draft.ts";
import { placeholdersIn } from "./placeholders.ts";
import { profileHint, profileWord } from "./profiles.ts";
import { TestAlert } from "./test-alert.tsx";
import type { Webhook } from "./types.ts";

/** Builds the message of an alert in the words of the webhook's profile, and tries it. */
export function MessageBuilder({ webhook }: { webhook: Webhook }) {
  const profile = webhook.profile ?? "native";
  const [chosen, setChosen] = useState<Omit<Draft, "profile" | "webhook">>({
    action: "strategy",
    symbol: "",
    qty: "",
    stopLoss: { unit: "none", value: "" },
    takeProfit: { unit: "none", value: "" },
    exitPlan: "",
  });
  const draft: Draft = {
    ...chosen,
    profile,
    webhook,
    action: actionsOf(profile).includes(chosen.action) ? chosen.action : "strategy",
  };
  const message = messageOf(draft);
  return (
    <>
      <Sheet title="Message for the alert" end={<CopyButton text={message} label="Copy it" />}>
        <div class="body builder">
          <DraftChoices
            draft={draft}
            webhook={webhook}
            onDraft={(change) => setChosen({ ...chosen, ...change })}
          />
          <div class="made">
            <p class="quiet">
              Profile: {profileWord(profile)}. {profileHint(profile)}
            </p>
            <code class="secret">{message}</code>
            {hangsExitsOnExits(draft) && (
              <p class="notice watch">
                A strategy leaves its positions by orders too, and each of those would get these
                exits as well: they would stay behind, and could open a position. Send them only
                from a strategy whose every order is an entry; else set the webhook's profile to
                Position of the strategy.
              </p>
            )}
            {isUnclear(draft) && (
              <p class="notice watch">
                An exit plan takes the position out. Set in the webhook's options whether its alerts
                come from a strategy or an indicator. Until then an order against a position of the
                plan only closes it.
              </p>
            )}
            <Becomes message={message} />
          </div>
        </div>
      </Sheet>
      <ExitsPreview draft={draft} webhook={webhook} />
      <TestAlert key={webhook.id} webhook={webhook} message={message} />
    </>
  );
}

/** A plain order beside a plan, of which it is not said whether it is a strategy's. */
const isUnclear = (draft: Draft): boolean =>
  draft.webhook.sentBy === null &&
  draft.action !== "close" &&
  draft.profile !== "position" &&
  followsPlan(draft);

/** What each placeholder of the message becomes. */
function Becomes({ message }: { message: string }) {
  const placeholders = placeholdersIn(message);
  const needsStrategy = placeholders.some(({ ofStrategy }) => ofStrategy);
  return (
    <>
      <dl class="pairs stacked">
        {placeholders.map(({ becomes, name }) => (
          <>
            <dt key={name} class="mono">
              {name}
            </dt>
            <dd>{becomes}</dd>
          </>
        ))}
      </dl>
      {needsStrategy && (
        <p class="notice">
          Placeholders that begin with “strategy” are filled in only in an alert that is set on a
          strategy. In any other alert they stay as they are, and the message is refused.
        </p>
      )}
    </>
  );
}

/** What a person chooses of a message; only what its profile can say is asked for. */
function DraftChoices({
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
      {takesPlan(draft) && (
        <PlanChoice
          label="Exit plan"
          name="exitPlan"
          value={draft.exitPlan}
          onValue={(exitPlan) => onDraft({ exitPlan })}
          none={webhook.exitPlan === null ? "None" : `The webhook's: ${webhook.exitPlan}`}
          hint="Instead of a stop-loss and a take-profit."
        />
      )}
      {takesLegs(draft) && planNameOf(draft) === undefined && (
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

function qtyHint({ action, profile }: Draft, webhook: Webhook): string {
  const { defaultQty, multiplier, riskMoney, riskPercent } = webhook;
  const times = multiplier === null ? "" : ` Each is multiplied by ${multiplier}.`;
  if (profile === "native" && action !== "strategy" && (riskMoney ?? riskPercent) !== null) {
    const risk = riskMoney === null ? `${riskPercent} % of the account` : `${riskMoney}`;
    return `Empty: as many as lose no more than the webhook's risk, ${risk}, at the stop-loss, which the message must have then.${multiplier === null ? "" : ` The risk is multiplied by ${multiplier}.`}`;
  }
  if (action === "strategy") return `Empty: as many as the strategy's order has.${times}`;
  const own = defaultQty === null ? "the webhook has no default" : `the webhook's ${defaultQty}`;
  return `Empty: ${own}.${times}`;
}

/** One exit of the message; only the units that its profile can say are offered. */
function DraftLegInputs({
  label,
  leg,
  draft,
  onLeg,
}: {
  label: string;
  leg: DraftLeg;
  draft: Draft;
  onLeg: (leg: DraftLeg) => void;
}) {
  const units = legUnitsOf(draft);
  const unit = units.includes(leg.unit) ? leg.unit : "none";
  return (
    <fieldset class="pair">
      <legend class="unseen">{label}</legend>
      <SelectField
        label={label}
        name={label}
        value={unit}
        options={LEG_UNITS.filter(([one]) => units.includes(one))}
        onValue={(next) => onLeg({ ...leg, unit: next })}
      />
      {unit !== "none" && (
        <TextField
          label={unit === "price" ? "Price" : unit === "ticks" ? "Ticks" : "Points"}
          name={`${label} ${unit}`}
          value={leg.value}
          onValue={(value) => onLeg({ ...leg, value })}
          placeholder={unit === "price" ? '{{plot("Stop")}}' : ""}
        />
      )}
    </fieldset>
  );
}
