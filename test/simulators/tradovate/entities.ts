import type { TradeDate } from "../bars/trade-days.ts";

/**
 * The entities as the wire has them. Which fields are always there, and the enumerations, follow the
 * published OpenAPI (brokers.md 1.7). Dates are ISO 8601 text, prices plain numbers in points.
 */
export interface Entity {
  readonly id: number;
}

export type Action = "Buy" | "Sell";

export type OrdStatus =
  | "Canceled"
  | "Completed"
  | "Expired"
  | "Filled"
  | "PendingCancel"
  | "PendingNew"
  | "PendingReplace"
  | "Rejected"
  | "Suspended"
  | "Unknown"
  | "Working";

export type CommandStatus =
  | "AtExecution"
  | "ExecutionRejected"
  | "ExecutionStopped"
  | "ExecutionSuspended"
  | "OnHold"
  | "Pending"
  | "PendingExecution"
  | "Replaced"
  | "RiskPassed"
  | "RiskRejected";

export type ExecType =
  | "Canceled"
  | "Completed"
  | "DoneForDay"
  | "Expired"
  | "New"
  | "OrderStatus"
  | "PendingCancel"
  | "PendingNew"
  | "PendingReplace"
  | "Rejected"
  | "Replaced"
  | "Stopped"
  | "Suspended"
  | "Trade"
  | "TradeCancel"
  | "TradeCorrect";

export type OrderType =
  | "Limit"
  | "LimitIfTouched"
  | "MIT"
  | "Market"
  | "QTS"
  | "Stop"
  | "StopLimit"
  | "TrailingStop"
  | "TrailingStopLimit";

export type TimeInForce = "Day" | "FOK" | "GTC" | "GTD" | "IOC";

export interface OrderEntity extends Entity {
  readonly accountId: number;
  readonly contractId?: number;
  readonly spreadDefinitionId?: number;
  readonly timestamp: string;
  readonly action: Action;
  readonly ordStatus: OrdStatus;
  readonly executionProviderId?: number;
  readonly ocoId?: number;
  readonly parentId?: number;
  readonly linkedId?: number;
  readonly admin: boolean;
}

export interface OrderVersionEntity extends Entity {
  readonly orderId: number;
  readonly orderQty: number;
  readonly orderType: OrderType;
  readonly price?: number;
  readonly stopPrice?: number;
  readonly maxShow?: number;
  readonly pegDifference?: number;
  readonly timeInForce?: TimeInForce;
  readonly expireTime?: string;
  readonly text?: string;
}

export interface CommandEntity extends Entity {
  readonly orderId: number;
  readonly timestamp: string;
  readonly clOrdId?: string;
  readonly commandType: "New" | "Modify" | "Cancel";
  readonly commandStatus: CommandStatus;
  readonly senderId?: number;
  readonly userSessionId?: number;
  readonly activationTime?: string;
  readonly customTag50?: string;
  readonly isAutomated?: boolean;
}

export interface CommandReportEntity extends Entity {
  readonly commandId: number;
  readonly timestamp: string;
  readonly commandStatus: CommandStatus;
  readonly rejectReason?: string;
  readonly text?: string;
  readonly ordStatus?: OrdStatus;
}

export interface ExecutionReportEntity extends Entity {
  readonly commandId: number;
  /** Opaque to clients; not their clOrdId. */
  readonly name: string;
  readonly accountId: number;
  readonly contractId: number;
  readonly timestamp: string;
  readonly tradeDate?: TradeDate;
  readonly orderId: number;
  readonly execType: ExecType;
  readonly execRefId?: string;
  readonly ordStatus?: OrdStatus;
  readonly action: Action;
  readonly cumQty?: number;
  readonly avgPx?: number;
  readonly lastQty?: number;
  readonly lastPx?: number;
  readonly rejectReason?: string;
  readonly text?: string;
  readonly exchangeOrderId?: string;
}

export interface FillEntity extends Entity {
  readonly orderId: number;
  readonly contractId: number;
  readonly timestamp: string;
  readonly tradeDate: TradeDate;
  readonly action: Action;
  readonly qty: number;
  readonly price: number;
  readonly active: boolean;
  readonly finallyPaired: number;
}

export interface FillPairEntity extends Entity {
  readonly positionId: number;
  readonly buyFillId: number;
  readonly sellFillId: number;
  readonly qty: number;
  readonly buyPrice: number;
  readonly sellPrice: number;
  readonly active: boolean;
}

/** Its id is the fill's. */
export interface FillFeeEntity extends Entity {
  readonly clearingFee: number;
  readonly clearingCurrencyId: number;
  readonly exchangeFee: number;
  readonly exchangeCurrencyId: number;
  readonly nfaFee: number;
  readonly nfaCurrencyId: number;
  readonly brokerageFee: number;
  readonly brokerageCurrencyId: number;
  readonly ipFee: number;
  readonly ipCurrencyId: number;
  readonly commission: number;
  readonly commissionCurrencyId: number;
  readonly orderRoutingFee: number;
  readonly orderRoutingCurrencyId: number;
}

export interface PositionEntity extends Entity {
  readonly accountId: number;
  readonly contractId: number;
  readonly timestamp: string;
  readonly tradeDate: TradeDate;
  readonly netPos: number;
  /** Absent when flat. */
  readonly netPrice?: number | undefined;
  readonly bought: number;
  readonly boughtValue: number;
  readonly sold: number;
  readonly soldValue: number;
  readonly archived: boolean;
  readonly prevPos: number;
  readonly prevPrice?: number;
}

export interface CashBalanceEntity extends Entity {
  readonly accountId: number;
  readonly timestamp: string;
  readonly tradeDate: TradeDate;
  readonly currencyId: number;
  readonly amount: number;
  readonly realizedPnL: number;
  readonly weekRealizedPnL: number;
  readonly amountSOD: number;
  readonly archived: boolean;
}

export interface MarginSnapshotEntity extends Entity {
  readonly timestamp: string;
  readonly riskTimePeriodId: number;
  readonly initialMargin: number;
  readonly maintenanceMargin: number;
  readonly autoLiqLevel: number;
  readonly liqOnlyLevel: number;
  readonly totalUsedMargin: number;
  readonly fullInitialMargin: number;
  readonly positionMargin: number;
  readonly totalUsedFullMargin: number;
}

export interface AccountEntity extends Entity {
  readonly name: string;
  readonly userId: number;
  readonly accountType: "Customer" | "Giveup" | "House" | "Omnibus" | "Wash";
  readonly active: boolean;
  readonly clearingHouseId: number;
  readonly riskCategoryId: number;
  readonly autoLiqProfileId: number;
  readonly marginAccountType: string;
  readonly legalStatus: string;
  readonly timestamp: string;
  readonly readonly?: boolean;
  readonly restricted?: boolean;
  readonly closed?: boolean;
  readonly archived?: boolean;
}

export interface ContractEntity extends Entity {
  readonly name: string;
  readonly contractMaturityId: number;
  readonly timestamp: string;
  readonly providerTickSize: number;
  readonly status: string;
}

export interface ContractMaturityEntity extends Entity {
  readonly productId: number;
  readonly expirationMonth: number;
  readonly expirationDate: string;
  readonly isFront: boolean;
  readonly archived: boolean;
  readonly seqNo: number;
}

export interface ProductEntity extends Entity {
  readonly name: string;
  readonly currencyId: number;
  readonly productType: string;
  readonly description: string;
  readonly exchangeId: number;
  readonly contractGroupId: number;
  readonly status: string;
  readonly months: string;
  readonly valuePerPoint: number;
  readonly priceFormatType: "Decimal" | "Fractional";
  readonly priceFormat: number;
  readonly tickSize: number;
  readonly riskDiscountContractGroupId: number;
  readonly exchangeChannelId: number;
  readonly allowProviderContractInfo: boolean;
  readonly isMicro: boolean;
  readonly marketDataSource: string;
  readonly lookupWeight: number;
  readonly hasReplay: boolean;
  readonly rolloverMonths: string;
}

export type OrderStrategyStatus =
  | "ActiveStrategy"
  | "ExecutionFailed"
  | "ExecutionFinished"
  | "ExecutionInterrupted"
  | "InactiveStrategy"
  | "NotEnoughLiquidity"
  | "StoppedByUser";

export interface OrderStrategyEntity extends Entity {
  readonly accountId: number;
  readonly timestamp: string;
  readonly contractId: number;
  readonly orderStrategyTypeId: number;
  readonly action: Action;
  readonly params?: string;
  readonly uuid?: string;
  readonly status: OrderStrategyStatus;
  readonly failureMessage?: string;
  readonly senderId?: number;
  readonly customTag50?: string;
  readonly userSessionId?: number;
}

/** Its id is the order's. */
export interface OrderStrategyLinkEntity extends Entity {
  readonly orderStrategyId: number;
  readonly orderId: number;
  readonly label: string;
}

/** What an account is held to; its id is the account's. What is absent is off. */
export interface AutoLiqEntity extends Entity {
  readonly accountId?: number;
  readonly changesLocked?: boolean;
  readonly marginPercentageAlert?: number;
  readonly marginPercentageLiqOnly?: number;
  readonly marginPercentageAutoLiq?: number;
  readonly dailyLossPercentageAlert?: number;
  readonly dailyLossPercentageLiqOnly?: number;
  readonly dailyLossPercentageAutoLiq?: number;
  readonly dailyLossAlert?: number;
  readonly dailyLossLiqOnly?: number;
  readonly dailyLossAutoLiq?: number;
  readonly weeklyLossAutoLiq?: number;
  readonly dailyProfitAutoLiq?: number;
  readonly weeklyProfitAutoLiq?: number;
  readonly flattenTimestamp?: string;
  readonly trailingMaxDrawdown?: number;
  readonly trailingMaxDrawdownLimit?: number;
  readonly trailingMaxDrawdownMode?: "EOD" | "RealTime";
  readonly doNotUnlock?: boolean;
}

/** How an account stands with that; its id is the account's. */
export interface RiskStatusEntity extends Entity {
  readonly accountId?: number;
  readonly adminAction?: string;
  readonly adminTimestamp?: string;
  readonly liquidateOnly?: string | undefined;
  readonly userTriggeredLiqOnly?: boolean;
  readonly maxNetLiq?: number;
  readonly minNetLiq?: number;
}

/** What is only there to be read: users, currencies, exchanges and their like. */
export interface PlainEntity extends Entity {
  readonly [field: string]: unknown;
}

/** All that is kept, by the name that routes and events have for it. */
export interface Entities {
  readonly user: PlainEntity;
  readonly account: AccountEntity;
  readonly accountRiskStatus: RiskStatusEntity;
  readonly marginSnapshot: MarginSnapshotEntity;
  readonly userAccountAutoLiq: AutoLiqEntity;
  readonly cashBalance: CashBalanceEntity;
  readonly currency: PlainEntity;
  readonly position: PositionEntity;
  readonly fillPair: FillPairEntity;
  readonly order: OrderEntity;
  readonly contract: ContractEntity;
  readonly contractMaturity: ContractMaturityEntity;
  readonly product: ProductEntity;
  readonly exchange: PlainEntity;
  readonly command: CommandEntity;
  readonly commandReport: CommandReportEntity;
  readonly executionReport: ExecutionReportEntity;
  readonly orderVersion: OrderVersionEntity;
  readonly fill: FillEntity;
  readonly fillFee: FillFeeEntity;
  readonly orderStrategy: OrderStrategyEntity;
  readonly orderStrategyLink: OrderStrategyLinkEntity;
  readonly userPlugin: PlainEntity;
  readonly contractGroup: PlainEntity;
  readonly orderStrategyType: PlainEntity;
}

export type EntityType = keyof Entities;
export type EventType = "Created" | "Updated" | "Deleted";

/** One change of one entity, as a `props` event tells it. */
export interface EntityEvent {
  readonly entityType: EntityType;
  readonly eventType: EventType;
  readonly entity: Entity;
}
