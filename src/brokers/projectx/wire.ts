/**
 * What ProjectX sends and takes, in its own words and numbers. Only what is used is named. Ids come as
 * numbers or as text, and are text here; what is missing, or cannot be read, is absent.
 */

/** 0 is Bid (buy), 1 is Ask (sell). */
export type ProjectXSide = 0 | 1;

/** Order types that are sent; others are only ever read. */
export const ORDER_TYPE = { limit: 1, market: 2, stop: 4 } as const;

/** `suspended` is seen on the hub only; no document names it. */
export const ORDER_STATUS = {
  none: 0,
  open: 1,
  filled: 2,
  cancelled: 3,
  expired: 4,
  rejected: 5,
  pending: 6,
  pendingCancellation: 7,
  suspended: 8,
} as const;

export const POSITION_TYPE = { undefined: 0, long: 1, short: 2 } as const;

export interface ProjectXAccount {
  readonly id: string;
  readonly name: string;
  readonly balance?: number;
  readonly canTrade?: boolean;
  /** No real money is traded on it. */
  readonly simulated?: boolean;
}

/** Its words are numbers of which not all need be known. */
export interface ProjectXOrder {
  readonly id: string;
  readonly accountId: string;
  readonly contractId?: string;
  readonly creationTimestamp?: string;
  readonly updateTimestamp?: string;
  readonly status?: number;
  readonly type?: number;
  readonly side?: ProjectXSide;
  readonly size?: number;
  readonly limitPrice?: number;
  readonly stopPrice?: number;
  readonly fillVolume?: number;
  readonly filledPrice?: number;
  readonly customTag?: string;
  /** Told on the hub only: the entry whose bracket it belongs to. */
  readonly parentOrderId?: string;
  /** Told on the hub only, and of a target only: its stop. */
  readonly linkedOrderId?: string;
}

/** One for each contract that is held; the size is never negative. */
export interface ProjectXPosition {
  readonly id: string;
  readonly accountId: string;
  readonly contractId?: string;
  readonly type?: number;
  readonly size?: number;
  readonly averagePrice?: number;
}

export interface ProjectXTrade {
  readonly id: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly contractId: string;
  readonly creationTimestamp: string;
  readonly side: ProjectXSide;
  readonly size: number;
  readonly price: number;
  /** Absent on what only opened something. */
  readonly profitAndLoss?: number;
  readonly fees?: number;
  /** Told on the hub only. */
  readonly commissions?: number;
  /** The exchange has taken it back. */
  readonly voided: boolean;
}

export interface ProjectXContract {
  /** `CON.F.US.EP.U25`. */
  readonly id: string;
  /** `ESU5`. */
  readonly name?: string;
  /** `F.US.EP`. */
  readonly symbolId?: string;
  readonly tickSize?: number;
  readonly tickValue?: number;
}

/** Every entity that is kept. */
export interface ProjectXEntities {
  readonly account: ProjectXAccount;
  readonly order: ProjectXOrder;
  readonly position: ProjectXPosition;
  readonly trade: ProjectXTrade;
}

export type ProjectXEntityType = keyof ProjectXEntities;

/** What an answer says before anybody looks for what else is in it. */
export interface ProjectXAnswer {
  readonly success: boolean;
  readonly errorCode?: number;
  readonly errorMessage?: string;
  /** The whole of it, as it came. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A leg of a bracket: signed ticks from the entry's fill. */
export interface ProjectXBracketLeg {
  readonly ticks: number;
  readonly type: number;
}

/** Numbers are documented; an id that was sent as text and that no number holds goes back as text. */
type ProjectXId = number | string;

/** Body of Order/place. */
export interface ProjectXPlaceOrder {
  readonly accountId: ProjectXId;
  readonly contractId: string;
  readonly type: number;
  readonly side: ProjectXSide;
  readonly size: number;
  readonly limitPrice?: number;
  readonly stopPrice?: number;
  readonly customTag: string;
  readonly stopLossBracket?: ProjectXBracketLeg;
  readonly takeProfitBracket?: ProjectXBracketLeg;
}

/** Body of Order/modify: what is absent stays as it is, and prices are absolute. */
export interface ProjectXModifyOrder {
  readonly accountId: ProjectXId;
  readonly orderId: ProjectXId;
  readonly size?: number;
  readonly limitPrice?: number;
  readonly stopPrice?: number;
}
