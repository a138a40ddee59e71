import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Choice, SelectField } from "../../parts/fields.tsx";
import { FormDialog, useForm } from "../../parts/form.tsx";
import { Stale } from "../../parts/problem.tsx";
import { usePoll } from "../../shell/poll.ts";
import { useGuardsChange } from "./change-guards.ts";
import { isOtherCurrency, type PresetTyped, withPreset } from "./preset-edit.ts";
import { detailsOf, nameOf } from "./rule-words.ts";
import type { OfAccount, Preset } from "./types.ts";

/** They come with the program, and do not change while it runs. */
const SELDOM = { everyMs: 60_000 };

const START: PresetTyped = { name: "", asShadow: false, replacesAll: false };

/** Takes over what a firm was known to ask for: all that is known against it is shown first. */
export function AddPreset({ onClose, ...of }: OfAccount & { onClose: () => void }) {
  const { account, guards } = of;
  const change = useGuardsChange(of);
  const { action, onType, tie, typed } = useForm(START);
  const list = usePoll(
    "guard presets",
    async () => (await answerOf(api.GET("/v1/guard-presets"))).presets,
    SELDOM,
  );
  const { name } = typed;
  const one = usePoll(
    `guard preset ${name}`,
    async () => (name === "" ? undefined : await readPreset(name)),
    SELDOM,
  );
  const preset = one.data;
  const isOther = preset !== undefined && isOtherCurrency(guards, preset) && !typed.replacesAll;
  const save = async () => {
    if (preset === undefined) return;
    await change(withPreset(preset, typed));
    onClose();
  };
  return (
    <FormDialog
      title="Begin with a firm's preset"
      verb="Set these rules"
      action={action}
      isReady={preset !== undefined && !isOther}
      onSend={save}
      onClose={onClose}
    >
      <AccountName account={account} />
      <Stale error={list.error ?? one.error} since={list.answeredAt} />
      <SelectField
        {...tie("name")}
        label="Firm and account"
        options={[
          ["", "Choose one"],
          ...(list.data ?? []).map((item) => [item.name, `${item.title} (${item.asOf})`] as const),
        ]}
      />
      {preset !== undefined && <Known preset={preset} />}
      {isOther && (
        <p class="wrong">
          Its amounts are in {preset.currency}, those of the account's rules in{" "}
          {guards.settings.currency}: they cannot stand side by side.
        </p>
      )}
      <Choice isChosen={typed.asShadow} onChoose={(asShadow) => onType({ asShadow })}>
        Only tell at first: all its rules in shadow mode
      </Choice>
      {guards.rules.length > 0 && (
        <Choice isChosen={typed.replacesAll} onChoose={(replacesAll) => onType({ replacesAll })}>
          Remove the account's other rules
        </Choice>
      )}
    </FormDialog>
  );
}

const readPreset = async (name: string) =>
  await answerOf(api.GET("/v1/guard-presets/{name}", { params: { path: { name } } }));

const GRADES = { official: "the firm", thirdParty: "a third party", inferred: "inferred" } as const;

/** What the preset sets, and all that speaks against relying on it. */
function Known({ preset }: { preset: Preset }) {
  const { caution, conflicts, currency, notices, rules, sources } = preset;
  return (
    <>
      <div class="notice watch">
        <strong>{caution}</strong>
      </div>
      <section class="block">
        <h3>What it sets</h3>
        <ul class="plain">
          {rules.map((rule) => (
            <li key={rule.id}>
              {nameOf(rule, currency)}
              {rule.mode === "shadow" && " (shadow: only tells)"}
              <div class="quiet">{detailsOf(rule, currency).join("; ")}</div>
            </li>
          ))}
        </ul>
      </section>
      <Told title="Where sources contradict each other" texts={conflicts} />
      <Told title="What no rule here sees to" texts={notices} />
      <Told
        title="Where it is from"
        texts={sources.map(({ grade, what }) => `${what} (${GRADES[grade]})`)}
      />
    </>
  );
}

function Told({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section class="block">
      <h3>{title}</h3>
      <ul class="plain">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}
