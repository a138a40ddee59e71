/** The parts of a fill's fee, as the documents name them. */
export const FEE_PARTS = [
  "clearing",
  "exchange",
  "nfa",
  "brokerage",
  "ip",
  "commission",
  "orderRouting",
] as const;

export type FeePart = (typeof FEE_PARTS)[number];

/** What trading costs, and how money is told. */
export interface MoneySettings {
  /** For each contract. */
  readonly commission: number;
  /** The other parts of a fee, for each contract; those that are absent cost nothing. */
  readonly fees: Readonly<Partial<Record<Exclude<FeePart, "commission">, number>>>;
  /** How much later than its fill a fee comes. */
  readonly feeDelayMs: number;
  /** Whether a fee is told at all. The cash is less by it either way. */
  readonly tellsFees: boolean;
  /** Whether fees are taken from the cash, when they come. What was won does not count them. */
  readonly feesLeaveCash: boolean;
  /**
   * What becomes of a balance when its trade day is over: it is told anew, nothing won yet; or it
   * stays as it was, date and all, until something happens to it.
   */
  readonly cashDay: "rolls" | "lingers";
  /** By how much more the snapshot of the cash has than the balance. */
  readonly snapshotDiffersBy: number;
}

export const MONEY_DEFAULTS: MoneySettings = {
  commission: 0,
  fees: {},
  feeDelayMs: 0,
  tellsFees: true,
  feesLeaveCash: true,
  cashDay: "rolls",
  snapshotDiffersBy: 0,
};
