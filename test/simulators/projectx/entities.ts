/**
 * What goes over the wire, in ProjectX's own words. Ids are numbers here; whether they are sent as
 * numbers or as text is a matter of the hub.
 */

/** 0 is Bid (buy), 1 is Ask (sell). */
export type WireSide = 0 | 1;

export const ORDER_TYPE = {
  limit: 1,
  market: 2,
  stopLimit: 3,
  stop: 4,
  trailingStop: 5,
  joinBid: 6,
  joinAsk: 7,
} as const;

export const STATUS = {
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

/** Statuses of orders of which nothing more is to come. */
export const ENDED: ReadonlySet<number> = new Set([
  STATUS.filled,
  STATUS.cancelled,
  STATUS.expired,
  STATUS.rejected,
]);

export interface AccountEntity {
  readonly id: number;
  readonly name: string;
  readonly balance: number;
  readonly canTrade: boolean;
  readonly isVisible: boolean;
  readonly simulated: boolean;
}

export interface ContractEntity {
  /** `CON.F.US.EP.Z26`. */
  readonly id: string;
  /** `ESZ6`. */
  readonly name: string;
  readonly description: string;
  readonly tickSize: number;
  readonly tickValue: number;
  readonly activeContract: boolean;
  /** `F.US.EP`. */
  readonly symbolId: string;
}

/** As REST lists it. */
export interface OrderEntity {
  readonly id: number;
  readonly accountId: number;
  readonly contractId: string;
  readonly symbolId: string;
  readonly creationTimestamp: string;
  readonly updateTimestamp: string | null;
  readonly status: number;
  readonly type: number;
  readonly side: WireSide;
  readonly size: number;
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly fillVolume: number;
  readonly filledPrice: number | null;
  readonly customTag: string | null;
}

/** As the hub tells it. */
export interface HubOrder extends OrderEntity {
  readonly parentOrderId: number | null;
  readonly linkedOrderId: number | null;
  readonly trailDistance: number | null;
  readonly trailPrice: number | null;
}

export interface PositionEntity {
  readonly id: number;
  readonly accountId: number;
  readonly contractId: string;
  readonly creationTimestamp: string;
  /** 0 undefined, 1 long, 2 short. */
  readonly type: 0 | 1 | 2;
  readonly size: number;
  readonly averagePrice: number;
}

export interface TradeEntity {
  readonly id: number;
  readonly accountId: number;
  readonly contractId: string;
  readonly creationTimestamp: string;
  readonly price: number;
  /** Null on what only opened something. */
  readonly profitAndLoss: number | null;
  readonly fees: number;
  readonly side: WireSide;
  readonly size: number;
  readonly voided: boolean;
  readonly orderId: number;
}

/** 0 created, 1 updated, 2 gone. */
export type Action = 0 | 1 | 2;

/** What the user hub tells of. */
export type EventKind = "account" | "order" | "position" | "trade";

/** Something that the user hub tells whoever has subscribed to it. */
export interface HubEvent {
  readonly kind: EventKind;
  readonly account: number;
  readonly action: Action;
  readonly data: object;
}

/** What REST answers. */
export interface Envelope {
  readonly success: boolean;
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly [name: string]: unknown;
}

export const ok = (body: Readonly<Record<string, unknown>> = {}): Envelope => ({
  ...body,
  success: true,
  errorCode: 0,
  errorMessage: null,
});

export const refused = (
  errorCode: number,
  errorMessage: string | null = null,
  body: Readonly<Record<string, unknown>> = {},
): Envelope => ({ ...body, success: false, errorCode, errorMessage });
