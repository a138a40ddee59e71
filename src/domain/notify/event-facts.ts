import type { AccountEnvironment } from "../environment.ts";
import type { AccountId, IntentId, OrderId } from "../ids.ts";
import type { RuleKind } from "../guards/rule.ts";
import type { IntentSource } from "../intent.ts";

/** What an event tells beside its sentence, by the names of the API. Which of it, its type says. */
export interface EventFacts {
  /** An order, or what was asked for one. Prices are exact decimals. */
  readonly order: {
    readonly intentId?: IntentId;
    readonly alertId?: IntentId;
    readonly orderId?: OrderId;
    readonly symbol?: string;
    readonly action?: "buy" | "sell";
    readonly qty?: number;
    readonly averagePrice?: string;
    /** Who asked for it; absent for an order of nobody here. */
    readonly source?: IntentSource["kind"];
    /** How it ended, in one word, and why. */
    readonly outcome?: string;
    /** Of what the gateway refused. */
    readonly code?: string;
    readonly reason?: string;
    /** What the account holds of the symbol since; negative is short. */
    readonly positionQty?: number;
    /** What the account has won on the trading day, after fees, as far as they are known. */
    readonly day?: readonly DayFigures[];
  };
  /** An alert of which nothing was handed on. */
  readonly alert: {
    readonly alertId: IntentId;
    readonly webhookId: string;
    readonly code: string;
    readonly reason: string;
  };
  /** What a guard of an account decided, or would have. */
  readonly guard: {
    /** Absent where somebody asked for it, and no rule. */
    readonly ruleId?: string;
    readonly ruleKind?: RuleKind;
    /** In words, with the figures. */
    readonly reason: string;
    /** What was compared, and with what: exact decimals, amounts in `currency`. */
    readonly figure?: string;
    readonly limit?: string;
    readonly unit?: "money" | "lots" | "count" | "percent";
    /** Of amounts alone. */
    readonly currency?: string;
    /** ISO; when it starts anew, or ends by itself; absent where it never does. */
    readonly resetsAt?: string;
    /** Who did it, where it was a person or a key. */
    readonly by?: string;
    /** What a rule in shadow mode would have done: refused an entry, locked or closed the account. */
    readonly would?: "refuse" | "lock" | "close";
  };
  /** Something stands so until it is told that it is over. */
  readonly state: {
    /** What it is, in one word: those of the alarms. */
    readonly cause: string;
    readonly since: string;
  };
  readonly summary: {
    /** ISO date of the newest day that it sums up. */
    readonly date: string;
    /** One of each account and day on which there was anything. */
    readonly accounts: readonly AccountSummary[];
  };
  readonly destination: { readonly destinationId: string; readonly name: string };
  /** Of an alarm rule that an operator's Alertmanager sent on. */
  readonly operator: { readonly alertname: string; readonly runbookUrl?: string };
  readonly nothing: object;
}

export interface DayFigures {
  readonly currency: string;
  readonly net: string;
  readonly fees: string;
}

export interface AccountSummary {
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly environment: AccountEnvironment;
  /** The day (ISO) of the account that it is of. */
  readonly tradingDay: string;
  readonly trades: number;
  readonly refusals: number;
  readonly day: readonly DayFigures[];
  /** Ticks lost against the price that stood as orders were sent, over all contracts; absent if unknown. */
  readonly slippageTicks?: number;
}
