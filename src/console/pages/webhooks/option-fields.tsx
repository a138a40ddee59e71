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
            hint="What a buy or sell against the position does: TradersPost's “Allow side swapping” and “Subtract exit quantity”. Set it as it is there."
            error={error}
          />
        )}
        <TextField
          {...tie("allowedExtraFields")}
          label="Fields to pass over"
          placeholder="rsi, confidence"
          hint="Names in your messages that ask for nothing. What charting platforms send is passed over anyway; every other unknown name is refused."
        />
        <TextField
          {...tie("defaultQty")}
          label="Quantity without one"
          type="number"
          hint="Contracts of an order that names no quantity. Empty: such a message is refused, or is 1 contract where its service says so."
        />
        <TextField
          {...tie("multiplier")}
          label="Multiplier"
          type="decimal"
          placeholder="0.5"
          hint="Every quantity is multiplied by it and rounded down; below 1 contract it is refused. Empty: 1."
        />
        <TextField
          {...tie("symbolMap")}
          label="Trade instead"
          placeholder="NQ=MNQ, ES=MES"
          hint="With NQ=MNQ an alert for NQ1! trades MNQ1!, in the same month. Empty: what the message says."
        />
        <TextField
          {...tie("allowedSymbols")}
          label="Allowed symbols"
          placeholder="MNQ, MES"
          hint="Roots that may be opened or grown, as they are after “Trade instead”. Exits always pass. Empty: all."
        />
        <SelectField
          label="Allowed side"
          name="allowedSide"
          value={typed.allowedSide}
          options={SIDES}
          onValue={(allowedSide) => onType({ allowedSide })}
          hint="On which side a position may be opened or grown. Exits always pass."
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
      <summary>Senders, ages and rates</summary>
      <div class="columns">
        <div class="field">
          <span class="choice">
            <input
              id={check}
              type="checkbox"
              checked={typed.fromTradingView}
              onChange={({ currentTarget }) => onType({ fromTradingView: currentTarget.checked })}
            />
            <label for={check}>Take alerts from TradingView's addresses</label>
          </span>
          <span class="hint">
            With this, or an address beside it, alerts from everywhere else are refused.
          </span>
        </div>
        <TextField
          {...tie("senders")}
          name="allowedSenders"
          label="Other senders"
          placeholder="203.0.113.7, 198.51.100.0/24"
          hint="Addresses and networks. Behind a proxy the operator has to set TRUSTED_PROXIES. Empty, without the box ticked: everywhere."
        />
        <TextField
          {...tie("entryMaxAgeSeconds")}
          label="Oldest entry, seconds"
          type="number"
          hint="An order that opens or grows a position and is unsent for so long is dropped. Empty: the gateway's own, 30 unless it was set."
        />
        <TextField
          {...tie("exitMaxAgeSeconds")}
          label="Oldest exit, seconds"
          type="number"
          hint="The same for an order that reduces a position, with an alarm. Empty: the gateway's own, 600 unless it was set."
        />
        <TextField
          {...tie("duplicateWindowSeconds")}
          label="Repeats within, seconds"
          type="number"
          hint="How long the same message counts as sent twice. 0: each is an alert of its own. Empty: 20."
        />
        <TextField
          {...tie("rateLimitPerMinute")}
          label="Alerts in any minute"
          type="number"
          hint="What is above is refused, exits too. Empty: the gateway's own."
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
