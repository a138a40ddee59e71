import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { RuleKind } from "../../domain/guards/rule.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import { levelOf } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import type { BrokerGuards } from "../money/ports.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import { checkEntry } from "./check-entry.ts";
import type { EntryGuard, EntryOrder, GuardRefusal, PricedOrder } from "./entry-guards.ts";
import type { GuardedAccount } from "./guarded-account.ts";
import type { ClaimSide } from "./opposite-sides.ts";
import type { CalendarsByName, Schedules } from "./schedules.ts";

export interface EntryGuardDeps {
  readonly describe: DescribeContract;
  /** What the contract trades at, where that is new. */
  readonly priceOf: (account: AccountId, contract: ContractCode) => Quote | undefined;
  /** Unix ms. */
  readonly now: () => number;
  /** Has a price told that nobody watches; resolves once it is, or after a while. */
  readonly askQuote: (account: AccountId, contract: ContractCode) => Promise<void>;
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
  const limitsValue = settings.rules.some(({ kind }) => kind === "orderValue");
  const needsPrice = settings.rules.some(({ kind }) => PRICED.has(kind));
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
  const learnPrice = async (order: PricedOrder) => {
    const { contract, bracket } = order;
    const isAsked = limitsValue || bracket?.stopLoss?.by === "price";
    const isKnown = levelOf(order) !== undefined || deps.priceOf(id, contract) !== undefined;
    if (isAsked && !isKnown) await deps.askQuote(id, contract);
  };
  const unpriced = (order: EntryOrder) => {
    const isKnown = levelOf(order) !== undefined || deps.priceOf(id, order.contract) !== undefined;
    return limitsValue && !isKnown ? UNPRICED : undefined;
  };
  // What is refused anyway waits for no price.
  const priced = needsPrice && refused === undefined ? { learnPrice, unpriced } : {};
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

/** What an order at the market is worth, or loses at a stop of a price, follows from where it fills. */
const PRICED: ReadonlySet<RuleKind> = new Set(["orderValue", "loss", "drawdown"]);

const BEHIND = denied({
  code: "GUARD_REFUSED",
  reason: "What was reported of the account a moment ago is not stored yet. Only exits are sent",
});

const UNPRICED = denied({
  code: "GUARD_REFUSED",
  reason: "What the order is worth is not known: nobody tells a price now. Only exits are sent",
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
