// What the reference is asked, by the names under which the product knows it, and what it answers.

type Amount = number | undefined;

/** What is known of an account at an instant. */
export interface World {
  readonly now: number;
  readonly tradingDay: string;
  readonly dayEndsAt: number;
  readonly weekBegan: string;
  readonly weekEndsAt: number;
  readonly days: readonly { readonly day: string; readonly net: number }[];
  readonly daysSince: string;
  readonly isOpen: boolean;
  readonly open: Amount;
  readonly atStops: Amount;
  readonly pricedAt: Amount;
  readonly doubt?: string;
  readonly broker?: Partial<
    Record<"closed" | "open" | "worth" | "dailyLoss" | "weeklyLoss" | "floor", number>
  > & { readonly at: number; readonly mayLackFills?: true };
  readonly trades: number;
  readonly executions: number;
  readonly lossesInRow: number;
  readonly held: ReadonlyMap<string, number>;
}

type Then = "flatten" | "exitsOnly";

interface Pnl {
  readonly kind: "loss" | "profit";
  readonly period: "day" | "week";
  readonly limit: number;
  readonly counts: "open" | "closed";
  readonly then: Then;
}

interface Drawdown {
  readonly kind: "drawdown";
  readonly trails: "endOfDay" | "live";
  readonly size: number;
  readonly start: number;
  readonly peak?: number;
  readonly locksAt?: number;
  readonly then: Then;
}

interface Lots {
  readonly kind: "lots";
  readonly max: number;
  readonly weights: Readonly<Record<string, number>>;
  readonly ladder?: {
    readonly start: number;
    readonly counts: "nextDay" | "live";
    readonly steps: readonly { readonly above: number; readonly max: number }[];
  };
}

interface Count {
  readonly kind: "count";
  readonly of: "trades" | "executions" | "lossesInRow";
  readonly max: number;
}

interface Consistency {
  readonly kind: "consistency";
  readonly percent: number;
}

export type Rule = {
  readonly id: string;
  readonly mode: "on" | "shadow";
  readonly lock: "soft" | "hard";
} & (Pnl | Drawdown | Lots | Count | Consistency);

export type RuleOf<Kind extends Rule["kind"]> = Rule & { readonly kind: Kind };

export interface Percents {
  readonly warnPercent: number;
  readonly entriesOffPercent: number;
  readonly bufferPercent: number;
}

export interface Settings extends Percents {
  readonly rules: readonly Rule[];
}

export type Grade = "ok" | "warn" | "entriesOff" | "breach" | "unknown";

export interface Graded {
  readonly level: Grade;
  readonly figure?: bigint;
  /** Of a drawdown its floor, of lots the most. */
  readonly limit?: bigint;
  readonly room?: bigint;
}

export interface Lock {
  readonly until: number;
  readonly lock: "soft" | "hard";
  readonly then: Then;
}
