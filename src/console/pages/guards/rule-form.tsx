import { AccountName } from "../../parts/account-of.tsx";
import { SelectField } from "../../parts/fields.tsx";
import { FormDialog, type SavingProps, useForm } from "../../parts/form.tsx";
import { problemsOfRule, useGuardsChange } from "./change-guards.ts";
import { wantedOf, withRule } from "./wanted-guards.ts";
import { FieldsOfKind } from "./rule-fields.tsx";
import { freeId, newRule, ruleOf, type RuleTyped, typedRule } from "./rule-typed.ts";
import { KINDS } from "./rule-words.ts";
import type { OfAccount, Rule, RuleKind } from "./types.ts";

type FormProps = OfAccount & { onClose: () => void };

/** Adds a rule; which kind it is, may be chosen anew as long as it is not saved. */
export function AddRule({ kind, onClose, ...of }: FormProps & { kind: RuleKind }) {
  const save = useRuleSave(of);
  return (
    <RuleForm
      account={of.account}
      guards={of.guards}
      title="Add a rule"
      verb="Add the rule"
      start={newRule(kind)}
      isNew
      onSave={async (typed) => {
        const taken = wantedOf(of.guards).rules.map(({ id }) => id);
        await save(typed, freeId(typed, taken));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Changes a rule, as it was last asked for. */
export function EditRule({ rule, onClose, ...of }: FormProps & { rule: Rule }) {
  const save = useRuleSave(of);
  const asked = of.guards.next?.rules.find(({ id }) => id === rule.id) ?? rule;
  return (
    <RuleForm
      account={of.account}
      guards={of.guards}
      title="Edit the rule"
      verb="Save"
      start={typedRule(asked)}
      onSave={async (typed) => {
        await save(typed, rule.id);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Saves one rule among the others; what is wrong with it is told at its own fields. */
function useRuleSave(of: OfAccount) {
  const change = useGuardsChange(of);
  return async (typed: RuleTyped, id: string): Promise<void> => {
    let place = -1;
    try {
      await change((wanted) => {
        const edited = withRule(ruleOf(typed, id), id)(wanted);
        place = edited.rules.findIndex((rule) => rule.id === id);
        return edited;
      });
    } catch (error) {
      throw problemsOfRule(error, place);
    }
  };
}

const CHOICES = (Object.entries(KINDS) as [RuleKind, (typeof KINDS)[RuleKind]][]).map(
  ([kind, [name]]) => [kind, name] as const,
);

const MODES = [
  ["on", "On"],
  ["shadow", "Shadow: it only tells"],
] as const;

const LOCKS = [
  ["soft", "Soft"],
  ["hard", "Hard"],
] as const;

const LOCK_HINTS = {
  soft: "You can end its lock early, once you have proved who you are.",
  hard: "Nobody can end its lock early. What is loosened of it counts from the next trading day on.",
} as const;

function RuleForm({
  account,
  guards,
  start,
  isNew = false,
  onSave,
  ...dialog
}: SavingProps<RuleTyped> & Pick<OfAccount, "account" | "guards"> & { isNew?: boolean }) {
  const { action, ...form } = useForm(start);
  const { onType, tie, typed } = form;
  const [, hint] = KINDS[typed.kind];
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      <AccountName account={account} />
      {isNew ? (
        <SelectField
          {...tie("kind")}
          label="Kind"
          options={CHOICES}
          hint={hint}
          onValue={(kind) => {
            action.forget();
            onType({ ...newRule(kind), mode: typed.mode, lock: typed.lock });
          }}
        />
      ) : (
        <p class="quiet">{hint}</p>
      )}
      <FieldsOfKind {...form} account={account} currency={guards.settings.currency} />
      <div class="columns">
        <SelectField
          {...tie("mode")}
          label="Mode"
          options={MODES}
          {...(typed.mode === "shadow" && {
            hint: "It does nothing, and the history says what it would have done.",
          })}
        />
        <SelectField
          {...tie("lock")}
          label="Strictness"
          options={LOCKS}
          hint={LOCK_HINTS[typed.lock]}
        />
      </div>
    </FormDialog>
  );
}
