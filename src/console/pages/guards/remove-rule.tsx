import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { useGuardsChange } from "./change-guards.ts";
import { withoutRule } from "./wanted-guards.ts";
import { nameOf } from "./rule-words.ts";
import type { OfAccount, Rule } from "./types.ts";

/** Takes a rule away, after saying what is not watched any more. */
export function RemoveRule({
  rule,
  onClose,
  ...of
}: OfAccount & { rule: Rule; onClose: () => void }) {
  const change = useGuardsChange(of);
  const { account, guards } = of;
  return (
    <Confirm
      title="Remove the rule"
      verb="Remove the rule"
      onClose={onClose}
      onConfirm={async () => void (await change(withoutRule(rule.id)))}
    >
      <AccountName account={account} />
      <p>
        <strong>{nameOf(rule, guards.settings.currency)}</strong>
      </p>
      {rule.lock === "hard" ? (
        <p>It is a hard rule: it holds until the next trading day begins, and is gone then.</p>
      ) : (
        <p>Nothing watches it any more, from now on. A lock that stands stays.</p>
      )}
    </Confirm>
  );
}
