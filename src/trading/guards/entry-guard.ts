import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Quote } from "../../domain/quote.ts";
import type { FreshQuotes } from "../money/fresh-quotes.ts";
import type { BrokerGuards } from "../money/ports.ts";
import { checkEntry, lacksPrice } from "./check-entry.ts";
import type { EntryGuard, GuardRefusal, PricedOrder } from "./entry-guards.ts";
import type { GuardedAccount } from "./guarded-account.ts";
import type { ClaimSide } from "./opposite-sides.ts";
import type { RiskDeps } from "./risk-at-stops.ts";
import type { CalendarsByName, Schedules } from "./schedules.ts";

export interface EntryGuardDeps extends RiskDeps {
  /** The fresh prices of the contract. */
  readonly priceOf: (account: AccountId, contract: ContractCode) => Quote | undefined;
  /** Unix ms. */
  readonly now: () => number;
  /** Asks for the price of an order on that side; resolves once it is known, or after a while. */
  readonly askQuote: FreshQuotes["ask"];
  readonly schedules: Schedules;
  readonly claimSide: ClaimSide;
}

export interface EntryGuardOf {
  readonly id: AccountId;
  readonly account: GuardedAccount;
  /** Undefined while they cannot be read. */
  readonly calendars: CalendarsByName | undefined;
  /** Something of the account was reported and not read yet. */
  readonly isBehind: boolean;
  readonly brokerGuards: BrokerGuards | undefined;
}

/** What one account's guards say of each entry, as they stand when it asks. */
export function entryGuardOf(
  { id, account, calendars, isBehind, brokerGuards }: EntryGuardOf,
  deps: EntryGuardDeps,
): EntryGuard {
  const { settings, version } = account.stored;
  const hasOpposite = settings.rules.some(({ kind }) => kind === "opposite");
  // Before it was judged here only a lock is known.
  const isJudged = account.facts !== undefined && !isBehind;
  const refused = account.facts === undefined ? account.lockRefusal : account.entriesRefused;
  const at = deps.now();
  const wouldRefuse = (ruleId: string, reason: string) =>
    account.note({ at, what: "wouldRefuse", ruleId, reason });
  const refuse = (
    [order, exposure, snapshot]: Parameters<EntryGuard["refuse"]>,
    note: typeof wouldRefuse | undefined,
  ): GuardRefusal | undefined => {
    if (refused !== undefined) return denied(refused);
    const byBroker = brokerGuards?.refusesEntries;
    if (byBroker !== undefined) {
      return denied({ code: "GUARD_REFUSED", reason: `The broker takes no entry: ${byBroker}` });
    }
    const refusals = checkEntry({
      ...deps,
      settings,
      verdicts: account.verdicts,
      order,
      exposure,
      snapshot,
      terms: deps.describe(order.contract),
      quote: deps.priceOf(id, order.contract),
      restriction: (rule) => {
        if (rule.kind === "news" && calendars === undefined) return UNREAD;
        return deps.schedules.restriction(calendars ?? new Map(), rule, order.contract, at);
      },
    });
    for (const { isShadow, reason, ruleId } of refusals) {
      if (isShadow) note?.(ruleId, reason);
    }
    const first = refusals.find(({ isShadow }) => !isShadow);
    return first && denied(first);
  };
  const guard: EntryGuard = {
    version,
    ...(!isJudged && { unready: refused === undefined ? BEHIND : denied(refused) }),
    refuse: (...asked) => refuse(asked, wouldRefuse),
    refuseQuietly: (...asked) => refuse(asked, undefined),
  };
  const lacking = (order: PricedOrder) => {
    const quote = deps.priceOf(id, order.contract);
    return settings.rules.filter((rule) => lacksPrice(rule, order, quote));
  };
  const learnPrice = async (order: PricedOrder) => {
    if (lacking(order).length > 0) await deps.askQuote(id, order.contract, order.side);
  };
  const unpriced = (order: PricedOrder) => {
    const blind = lacking(order);
    for (const { id: ruleId, mode } of blind) if (mode === "shadow") wouldRefuse(ruleId, NO_PRICE);
    return blind.some(({ mode }) => mode === "on") ? UNPRICED : undefined;
  };
  // What is refused anyway waits for no price.
  const priced = refused === undefined ? { learnPrice, unpriced } : {};
  if (!hasOpposite) return { ...guard, ...priced };
  return {
    ...guard,
    ...priced,
    claim: async (order) => {
      const refusal = await deps.claimSide(id, settings, order);
      if (refusal?.isShadow !== true) return refusal && denied(refusal);
      wouldRefuse(refusal.ruleId, refusal.reason);
      return undefined;
    },
  };
}

function denied({ code, reason }: Pick<GuardRefusal, "code" | "reason">): GuardRefusal {
  return { kind: "denied", code, reason };
}

const BEHIND = denied({
  code: "GUARD_REFUSED",
  reason: "What was reported of the account a moment ago is not stored yet. Only exits are sent",
});

const NO_PRICE = "Its contract has no price now, and a rule judges the order by one";

const UNPRICED = denied({
  code: "GUARD_REFUSED",
  reason: `${NO_PRICE}. Give a limit price; exits are sent`,
});

const UNREAD: Restriction = {
  forbids: "entries",
  since: 0,
  until: Number.MAX_SAFE_INTEGER,
  reason: "The calendars cannot be read",
};

/** Of an account whose guards are not read yet, or cannot be. */
export const NOT_LOADED: EntryGuard = {
  version: "",
  unready: denied({
    code: "GUARD_REFUSED",
    reason: "The account's guards are being read; nothing was sent. Only exits are sent",
  }),
  refuse: () => undefined,
};
