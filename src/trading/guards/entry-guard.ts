import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Quote } from "../../domain/quote.ts";
import type { BrokerGuards } from "../money/ports.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import { checkEntry } from "./check-entry.ts";
import type { EntryGuard, GuardRefusal } from "./entry-guards.ts";
import type { GuardedAccount } from "./guarded-account.ts";
import type { ClaimSide } from "./opposite-sides.ts";
import type { CalendarsByName, Schedules } from "./schedules.ts";

export interface EntryGuardDeps {
  readonly describe: DescribeContract;
  readonly quoteOf: (account: AccountId, contract: ContractCode) => Quote | undefined;
  readonly schedules: Schedules;
  readonly claimSide: ClaimSide;
}

export interface EntryGuardOf {
  readonly id: AccountId;
  readonly account: GuardedAccount;
  readonly calendars: CalendarsByName;
  readonly brokerGuards: BrokerGuards | undefined;
}

/** What one account's guards say of each entry, as they stand when it asks. */
export function entryGuardOf(
  { id, account, calendars, brokerGuards }: EntryGuardOf,
  deps: EntryGuardDeps,
): EntryGuard {
  const { settings, version } = account.stored;
  const hasOpposite = settings.rules.some(({ kind }) => kind === "opposite");
  const at = account.facts?.now ?? 0;
  const wouldRefuse = (ruleId: string, reason: string) =>
    account.note({ at, what: "wouldRefuse", ruleId, reason });
  const guard: EntryGuard = {
    version,
    refuse: (order, exposure, snapshot) => {
      const { entriesRefused } = account;
      if (entriesRefused !== undefined) return denied(entriesRefused);
      const byBroker = brokerGuards?.refusesEntries;
      if (byBroker !== undefined) {
        return denied({ code: "GUARD_REFUSED", reason: `The broker takes no entry: ${byBroker}` });
      }
      const refusals = checkEntry({
        settings,
        verdicts: account.verdicts,
        order,
        exposure,
        snapshot,
        terms: deps.describe(order.contract),
        quote: deps.quoteOf(id, order.contract),
        restriction: (rule) => deps.schedules.restriction(calendars, rule, order.contract, at),
      });
      for (const { isShadow, reason, ruleId } of refusals) {
        if (isShadow) wouldRefuse(ruleId, reason);
      }
      const first = refusals.find(({ isShadow }) => !isShadow);
      return first && denied(first);
    },
  };
  if (!hasOpposite) return guard;
  return {
    ...guard,
    claim: async (order) => {
      const refusal = await deps.claimSide(id, settings, order);
      if (refusal?.isShadow !== true) return refusal && denied(refusal);
      wouldRefuse(refusal.ruleId, refusal.reason);
      return undefined;
    },
  };
}

const denied = ({ code, reason }: Pick<GuardRefusal, "code" | "reason">): GuardRefusal => ({
  kind: "denied",
  code,
  reason,
});

/** Of an account whose guards are not read yet. */
export const NOT_LOADED: EntryGuard = {
  version: "",
  refuse: () =>
    denied({
      code: "GUARD_REFUSED",
      reason: "The account's guards are being read; nothing was sent. Only exits are sent",
    }),
};
