import { AccountName } from "../../parts/account-of.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { amountText } from "../../parts/figure-text.ts";
import { FormDialog, useForm } from "../../parts/form.tsx";
import { numberOr } from "../../parts/typed-text.ts";
import { useGuardsChange } from "./change-guards.ts";
import { wantedOf } from "./wanted-guards.ts";
import type { Guards, OfAccount, Settings } from "./types.ts";

interface SettingsTyped {
  readonly currency: string;
  readonly warnPercent: string;
  readonly entriesOffPercent: string;
  readonly bufferPercent: string;
  readonly blindThen: Settings["whenBlind"]["then"];
  readonly blindAfter: string;
  readonly balance: string;
}

function typedOf(guards: Guards): SettingsTyped {
  const { settings } = wantedOf(guards);
  return {
    currency: settings.currency,
    warnPercent: String(settings.warnPercent),
    entriesOffPercent: String(settings.entriesOffPercent),
    bufferPercent: String(settings.bufferPercent),
    blindThen: settings.whenBlind.then,
    blindAfter: String(settings.whenBlind.afterSeconds),
    balance: "",
  };
}

/** What is no number stays as it was typed: the gateway says what is wrong with it. */
const settingsOf = (typed: SettingsTyped): Settings =>
  ({
    currency: typed.currency.trim().toUpperCase(),
    warnPercent: numberOr(typed.warnPercent.trim()),
    entriesOffPercent: numberOr(typed.entriesOffPercent.trim()),
    bufferPercent: numberOr(typed.bufferPercent.trim()),
    whenBlind: { then: typed.blindThen, afterSeconds: numberOr(typed.blindAfter.trim()) },
  }) as Settings;

const BLIND = [
  ["alarm", "Only tell it"],
  ["flattenUnprotected", "Close what no stop-loss rests for"],
  ["flatten", "Close everything and lock the account"],
] as const;

/** What holds for every rule of the account. */
export function SettingsForm({ onClose, ...of }: OfAccount & { onClose: () => void }) {
  const { account, guards } = of;
  const change = useGuardsChange(of);
  const { action, tie, typed } = useForm(() => typedOf(guards));
  const save = async () => {
    const balance = typed.balance.trim();
    await change((wanted) => ({
      ...wanted,
      settings: settingsOf(typed),
      ...(balance !== "" && { balance }),
    }));
    onClose();
  };
  return (
    <FormDialog
      title="Settings of all rules"
      verb="Save"
      action={action}
      onSend={save}
      onClose={onClose}
    >
      <AccountName account={account} />
      <div class="columns">
        <TextField
          {...tie("warnPercent")}
          label="Tell it from, percent of a limit"
          type="number"
          required
        />
        <TextField
          {...tie("entriesOffPercent")}
          label="Entries off from, percent of a limit"
          type="number"
          required
        />
        <TextField
          {...tie("bufferPercent")}
          label="Buffer, percent of a limit"
          type="number"
          hint="A breach is acted on so much before the limit, since exits slip."
          required
        />
        <TextField
          {...tie("currency")}
          label="Currency"
          max={3}
          hint="What amounts are in. Entries in another one are refused."
          required
        />
      </div>
      <fieldset>
        <legend>While figures are missing and a position is open</legend>
        <p class="quiet">Entries are refused then in any case.</p>
        <div class="columns">
          <SelectField
            {...tie("blindThen")}
            name="whenBlind.then"
            label="Beside that"
            options={BLIND}
          />
          <TextField
            {...tie("blindAfter")}
            name="whenBlind.afterSeconds"
            label="After, seconds"
            type="number"
            required
          />
        </div>
      </fieldset>
      <TextField
        {...tie("balance")}
        label={`Balance as the trading day began, ${typed.currency}`}
        type="decimal"
        hint={
          guards.balance === null
            ? "It is not known: drawdowns need it where the broker does not say it."
            : `Known as ${amountText(guards.balance, guards.settings.currency)}. Empty: it stays.`
        }
      />
    </FormDialog>
  );
}
