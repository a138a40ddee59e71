import type { components } from "../api/schema.ts";

type Schemas = components["schemas"];

export type AccountMoney = Schemas["AccountWithBalances"];
export type CurrencyFigures = Schemas["CurrencyFigures"];
export type OwnFigures = Schemas["OwnFigures"];
export type BrokerFigures = Schemas["BrokerFigures"];
export type LedgerLine = Schemas["LedgerLine"];

/** More accounts than these are not valued in one answer. */
export const MOST_VALUED = 500;

/** When something was answered: by the gateway's clock, and by this machine's. */
export interface Answered {
  readonly asOf: string;
  readonly answeredAt: number;
}

/** How old something is now that was heard then: nobody's clock has to agree with another one. */
export const ageOf = (heardAt: string, { asOf, answeredAt }: Answered, now: number): number =>
  Math.max(0, Date.parse(asOf) - Date.parse(heardAt) + (now - answeredAt));

/** As the gateway counts it. */
const STALE_AFTER_MS = 10_000;

/** Whether the market may be elsewhere by now. */
export const isStaleAge = (ageMs: number): boolean => ageMs > STALE_AFTER_MS;
