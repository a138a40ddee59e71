import type { GuardState, RuleState } from "../../domain/guards/guard-state.ts";
import type { GuardRule, GuardSettings } from "../../domain/guards/rule.ts";
import type { StoredGuards } from "./guard-store.ts";
import type { GuardsChange } from "./guard-uses.ts";

/** What is remembered of rules that go on as they were; the others begin anew. */
export function stateFor(
  settings: GuardSettings,
  stored: StoredGuards,
  {
    at,
    tradingDay,
    balance,
  }: {
    readonly at: number;
    readonly tradingDay: string;
    readonly balance: GuardsChange["balance"];
  },
): GuardState | undefined {
  const { state } = stored;
  if (state === undefined && balance === undefined) return undefined;
  const rules = Object.fromEntries(
    settings.rules.flatMap((rule): readonly (readonly [string, RuleState])[] => {
      const known = state?.rules[rule.id];
      const former = stored.settings.rules.find(({ id }) => id === rule.id);
      if (known === undefined || former === undefined || !goesOn(former, rule)) return [];
      return [[rule.id, known]];
    }),
  );
  if (balance === undefined && state !== undefined) return { ...state, rules };
  return {
    ...state,
    tradingDay,
    rules,
    judgedAt: state?.judgedAt ?? at,
    ...(balance !== undefined && { balance }),
  };
}

/** Of a drawdown the peak is kept, unless it is counted from less than before. */
function goesOn(former: GuardRule, rule: GuardRule): boolean {
  if (former.kind !== rule.kind) return false;
  if (former.kind !== "drawdown" || rule.kind !== "drawdown") return true;
  return rule.start >= former.start && (rule.peak ?? rule.start) >= (former.peak ?? former.start);
}
