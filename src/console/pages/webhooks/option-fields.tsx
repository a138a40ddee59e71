import { useId } from "preact/hooks";
import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { WebhookTyped } from "./webhook-typed.ts";

interface OptionProps {
  typed: WebhookTyped;
  onType: (change: Partial<WebhookTyped>) => void;
  error: Error | undefined;
}

const SIDES = [
  ["", "Long and short"],
  ["long", "Long only"],
  ["short", "Short only"],
] as const;

const SWAPS = [
  ["", "Close and stop there"],
  ["on", "Close, then enter the other side"],
  ["subtract", "Close, then enter with what is left"],
] as const;

/** What of a message becomes an order, and how large. */
export function OrderFields({ typed, onType, error }: OptionProps) {
  const tie = tieTo({ typed, onType, error });
  return (
    <details {...(error !== undefined && { open: true })}>
      <summary>Quantity and symbols</summary>
      <div class="columns">
        {typed.profile === "traderspost" && (
          <SelectField
            label="Opposite signal"
            name="sideSwap"
            value={typed.sideSwap}
            options={SWAPS}
            onValue={(sideSwap) => onType({ sideSwap })}
            hint="What a buy or sell against the open position does. Set it like “Allow side swapping” and “Subtract exit quantity” in TradersPost."
            error={error}
          />
        )}
        <TextField
          {...tie("allowedExtraFields")}
          label="Extra fields to ignore"
          placeholder="rsi, confidence"
          hint="Field names in your messages that have no effect on the order. The charting platforms' usual ones are ignored anyway; an alert with any other unknown field is refused."
        />
        <TextField
          {...tie("defaultQty")}
          label="Default quantity"
          type="number"
          hint="Contracts, when the message has no quantity. Empty: the alert is refused, or trades 1 contract where the profile's service does."
        />
        <TextField
          {...tie("multiplier")}
          label="Multiplier"
          type="decimal"
          placeholder="0.5"
          hint="Every quantity is multiplied by this and rounded down; less than 1 contract is refused. Empty: 1."
        />
        <TextField
          {...tie("symbolMap")}
          label="Symbol map"
          placeholder="NQ=MNQ, ES=MES"
          hint="With NQ=MNQ an alert for NQ1! trades MNQ1!, in the same month. Empty: the symbol in the message."
        />
        <TextField
          {...tie("allowedSymbols")}
          label="Allowed symbols"
          placeholder="MNQ, MES"
          hint="Roots that entries may trade, after the symbol map. Exits always pass. Empty: all."
        />
        <SelectField
          label="Allowed side"
          name="allowedSide"
          value={typed.allowedSide}
          options={SIDES}
          onValue={(allowedSide) => onType({ allowedSide })}
          hint="The side that entries may trade. Exits always pass."
          error={error}
        />
      </div>
    </details>
  );
}

/** Whose alerts are taken, how old they may get, and how many there may be. */
export function GuardFields({ typed, onType, error }: OptionProps) {
  const tie = tieTo({ typed, onType, error });
  const check = useId();
  return (
    <details {...(error !== undefined && { open: true })}>
      <summary>Senders, age limits and rate limit</summary>
      <div class="columns">
        <div class="field">
          <span class="choice">
            <input
              id={check}
              type="checkbox"
              checked={typed.fromTradingView}
              onChange={({ currentTarget }) => onType({ fromTradingView: currentTarget.checked })}
            />
            <label for={check}>Accept alerts from TradingView's addresses</label>
          </span>
          <span class="hint">
            With this ticked, or any address below, alerts from all other addresses are refused.
          </span>
        </div>
        <TextField
          {...tie("senders")}
          name="allowedSenders"
          label="Other senders"
          placeholder="203.0.113.7, 198.51.100.0/24"
          hint="IP addresses and networks. Behind a proxy, TRUSTED_PROXIES must be set. Empty, with the box not ticked: any sender."
        />
        <TextField
          {...tie("entryMaxAgeSeconds")}
          label="Entries expire after, seconds"
          type="number"
          hint="An entry that could not be sent for this long is dropped. Empty: the gateway's setting, 30 by default."
        />
        <TextField
          {...tie("exitMaxAgeSeconds")}
          label="Exits expire after, seconds"
          type="number"
          hint="An exit that could not be sent for this long is dropped, with an alarm. Empty: the gateway's setting, 600 by default."
        />
        <TextField
          {...tie("duplicateWindowSeconds")}
          label="Duplicate window, seconds"
          type="number"
          hint="The same message again within this time is a duplicate and trades nothing. 0: never a duplicate. Empty: 20."
        />
        <TextField
          {...tie("rateLimitPerMinute")}
          label="Alerts per minute"
          type="number"
          hint="Alerts beyond this are refused, exits too. Empty: the gateway's setting."
        />
      </div>
    </details>
  );
}

type TextOption = Exclude<keyof WebhookTyped, "profile" | "allowedSide" | "fromTradingView">;

/** What ties one text field to its option. */
const tieTo =
  ({ typed, onType, error }: OptionProps) =>
  (name: TextOption) => ({
    name: name as string,
    value: typed[name],
    onValue: (value: string) => onType({ [name]: value }),
    error,
  });
