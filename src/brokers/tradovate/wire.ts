/** What Tradovate sends and takes, in its own words. Only what is used is named. */

export type TradovateAction = "Buy" | "Sell";

export interface TradovateOrder {
  readonly id: number;
  readonly accountId: number;
  /** Absent on a spread, which has the other one. */
  readonly contractId?: number;
  readonly spreadDefinitionId?: number;
  readonly timestamp: string;
  readonly action: TradovateAction;
  readonly ordStatus: string;
  readonly ocoId?: number;
  readonly parentId?: number;
}

/** Prices and quantity of an order; every change makes a new one. */
export interface TradovateOrderVersion {
  readonly id: number;
  readonly orderId: number;
  readonly orderQty: number;
  readonly orderType: string;
  readonly price?: number;
  readonly stopPrice?: number;
  readonly pegDifference?: number;
  readonly timeInForce?: string;
}

/** What was asked for an order: the only place where our identifier lives. */
export interface TradovateCommand {
  readonly id: number;
  readonly orderId: number;
  readonly timestamp: string;
  readonly clOrdId?: string;
  readonly commandType: string;
  readonly commandStatus: string;
}

export interface TradovateCommandReport {
  readonly id: number;
  readonly commandId: number;
  readonly timestamp: string;
  readonly commandStatus: string;
  readonly rejectReason?: string;
  readonly text?: string;
}

export interface TradovateExecutionReport {
  readonly id: number;
  readonly commandId: number;
  readonly orderId: number;
  readonly timestamp: string;
  readonly execType: string;
  readonly cumQty?: number;
  readonly lastQty?: number;
  readonly rejectReason?: string;
  readonly text?: string;
}

/** A day of trade, by the exchange's calendar. */
export interface TradovateDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Its account is its order's. */
export interface TradovateFill {
  readonly id: number;
  readonly orderId: number;
  readonly contractId: number;
  readonly timestamp: string;
  readonly action: TradovateAction;
  readonly qty: number;
  readonly price: number;
  readonly tradeDate?: TradovateDay;
  /** False once it was taken back: nothing of it counts. */
  readonly active?: boolean;
}

/** What a fill cost; `id` is the fill's. */
export interface TradovateFillFee {
  readonly id: number;
  readonly clearingFee?: number;
  readonly clearingCurrencyId?: number;
  readonly exchangeFee?: number;
  readonly exchangeCurrencyId?: number;
  readonly nfaFee?: number;
  readonly nfaCurrencyId?: number;
  readonly brokerageFee?: number;
  readonly brokerageCurrencyId?: number;
  readonly ipFee?: number;
  readonly ipCurrencyId?: number;
  readonly commission?: number;
  readonly commissionCurrencyId?: number;
  readonly orderRoutingFee?: number;
  readonly orderRoutingCurrencyId?: number;
}

export interface TradovatePosition {
  readonly id: number;
  readonly accountId: number;
  readonly contractId: number;
  readonly netPos: number;
  readonly netPrice?: number;
}

export interface TradovateAccount {
  readonly id: number;
  readonly name: string;
  readonly active?: boolean;
  readonly readonly?: boolean;
  readonly restricted?: boolean;
  readonly closed?: boolean;
  readonly archived?: boolean;
}

export interface TradovateCashBalance {
  readonly id: number;
  readonly accountId: number;
  readonly currencyId: number;
  readonly tradeDate?: TradovateDay;
  /** Without what open positions have won or lost. */
  readonly amount?: number;
  /** Of its trade date. */
  readonly realizedPnL?: number;
}

/** What an account's positions tie up; `id` is the account's. */
export interface TradovateMarginSnapshot {
  readonly id: number;
  readonly initialMargin?: number;
  readonly maintenanceMargin?: number;
}

/**
 * What an account is held to by its owner or its firm; what is switched off is absent. What is odd is
 * kept as it was told: a limit that cannot be read is not the same as none.
 */
export interface TradovateAutoLiq {
  /** The account's, where `accountId` is not told. */
  readonly id: number;
  readonly accountId?: unknown;
  readonly dailyLossAlert?: unknown;
  readonly dailyLossLiqOnly?: unknown;
  readonly dailyLossAutoLiq?: unknown;
  readonly dailyLossPercentageAlert?: unknown;
  readonly dailyLossPercentageLiqOnly?: unknown;
  readonly dailyLossPercentageAutoLiq?: unknown;
  readonly weeklyLossAutoLiq?: unknown;
  readonly dailyProfitAutoLiq?: unknown;
  readonly weeklyProfitAutoLiq?: unknown;
  readonly flattenTimestamp?: unknown;
  readonly trailingMaxDrawdown?: unknown;
  /** Where the floor stops following; 999999999 for never. */
  readonly trailingMaxDrawdownLimit?: unknown;
  readonly trailingMaxDrawdownMode?: unknown;
  readonly changesLocked?: unknown;
}

/** How it stands with that now. The same holds of its id, and of what is odd. */
export interface TradovateRiskStatus {
  readonly id: number;
  readonly accountId?: unknown;
  readonly adminAction?: unknown;
  readonly liquidateOnly?: unknown;
  readonly userTriggeredLiqOnly?: unknown;
  readonly maxNetLiq?: unknown;
}

export interface TradovateCurrency {
  readonly id: number;
  readonly name: string;
}

export interface TradovateContract {
  readonly id: number;
  readonly name: string;
  readonly contractMaturityId?: number;
}

export interface TradovateContractMaturity {
  readonly id: number;
  readonly productId: number;
  /** Year and month as one number, 202612. */
  readonly expirationMonth: number;
}

export interface TradovateProduct {
  readonly id: number;
  readonly name: string;
  readonly valuePerPoint: number;
  readonly tickSize: number;
  readonly currencyId?: number;
}

/** Every entity that is kept, by the name that events give it. */
export interface TradovateEntities {
  readonly account: TradovateAccount;
  readonly cashBalance: TradovateCashBalance;
  readonly marginSnapshot: TradovateMarginSnapshot;
  readonly userAccountAutoLiq: TradovateAutoLiq;
  readonly accountRiskStatus: TradovateRiskStatus;
  readonly currency: TradovateCurrency;
  readonly position: TradovatePosition;
  readonly order: TradovateOrder;
  readonly orderVersion: TradovateOrderVersion;
  readonly command: TradovateCommand;
  readonly commandReport: TradovateCommandReport;
  readonly executionReport: TradovateExecutionReport;
  readonly fill: TradovateFill;
  readonly fillFee: TradovateFillFee;
  readonly contract: TradovateContract;
  readonly contractMaturity: TradovateContractMaturity;
  readonly product: TradovateProduct;
}

export type TradovateEntityType = keyof TradovateEntities;

/** An answer over the socket; `status` is an HTTP status. */
export interface TradovateAnswer {
  readonly status: number;
  readonly data: unknown;
}

export interface TradovatePropsEvent {
  readonly entityType: string;
  readonly eventType: string;
  /** One, or a list of them. */
  readonly entity: unknown;
}

/** What a market data socket tells by itself: prices, or parts of charts. */
export interface TradovateMarketEvent {
  readonly about: "md" | "chart";
  readonly data: unknown;
}

/** A login's answer; a refusal has `errorText` and HTTP status 200. */
export interface TradovateLogin {
  readonly errorText?: string;
  readonly accessToken?: string;
  /** For the market data socket. */
  readonly mdAccessToken?: string;
  readonly expirationTime?: string;
  readonly userStatus?: string;
  readonly userId?: number;
}

/** The penalty that any POST may answer instead of doing what it was asked. */
export interface TradovatePenalty {
  readonly ticket: string;
  readonly waitMs: number;
  /** Then no program can go on: a person must log in with a browser. */
  readonly isCaptcha: boolean;
  readonly message: string | undefined;
}

/** Body of order/placeorder; also the trunk of placeoso and placeoco. */
export interface TradovatePlaceOrder {
  readonly accountSpec: string;
  readonly accountId: number;
  readonly clOrdId: string;
  readonly action: TradovateAction;
  readonly symbol: string;
  readonly orderQty: number;
  readonly orderType: string;
  readonly price?: number;
  readonly stopPrice?: number;
  readonly pegDifference?: number;
  readonly timeInForce: string;
  readonly isAutomated: true;
}

/** A leg of placeoso or placeoco: its quantity is its order's. */
export type TradovateLeg = Omit<
  TradovatePlaceOrder,
  "accountSpec" | "accountId" | "symbol" | "orderQty" | "isAutomated"
>;
