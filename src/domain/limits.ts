/** What one account may do at most. Quantities are contracts. */
export interface AccountLimits {
  readonly maxOrderQty: number;
  /** Largest position in one contract, orders that could still add to it included. */
  readonly maxPositionQty: number;
  readonly maxOrdersPerMinute: number;
  /**
   * A person has confirmed that entries go out although the broker may refuse to cancel this account's
   * orders (`BrokerAccount.cannotCancel`). Absent: not confirmed.
   */
  readonly entriesWithoutCancel?: boolean;
}

/** Blocks everything that opens or grows a position, and lets every exit through. */
export interface KillSwitch {
  readonly active: boolean;
  readonly reason?: string;
  /** Unix ms of the last change. */
  readonly changedAt?: number;
}
