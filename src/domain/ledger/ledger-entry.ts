import type { ContractCode } from "../contracts/contract.ts";
import type { AveragePrice } from "../contracts/price.ts";
import type { BrokerTerms } from "../broker-terms.ts";
import type { AccountId, CredentialId } from "../ids.ts";
import type { IntentSource } from "../intent.ts";
import type { Fill } from "../order.ts";
import type { Quote } from "../quote.ts";

/** Where the intent of a fill came from. A fill of no intent of ours is foreign, and has none. */
export interface FillOrigin {
  readonly by: IntentSource["kind"];
  /** The key or webhook it came by. */
  readonly credentialId?: CredentialId;
  /** Of a copy: whose. */
  readonly leader?: AccountId;
  /** What the alert named as the price, as it was written: in its sender's contract, or a chart's. */
  readonly signalPrice?: string;
}

/**
 * One line of an account's ledger. Lines are only added: what turns out otherwise is another line.
 * Prices are ticks, quantities contracts.
 */
export type LedgerEntry =
  | {
      readonly kind: "fill";
      readonly fill: Fill;
      readonly origin?: FillOrigin;
      /** What stood as the order was about to be sent; absent where nobody watched the contract. */
      readonly quote?: Quote;
    }
  /** The broker's word on what a fill cost, in place of what it had said before. */
  | {
      readonly kind: "fee";
      readonly fill: Fill;
      /** Absent where it had said nothing. */
      readonly former?: { readonly amount: string; readonly currency?: string };
    }
  /**
   * The broker's later word on a fill: taken back, or with another quantity or price. It takes the
   * place of that fill's line, which stays as it was written.
   */
  | {
      readonly kind: "correction";
      /** As it is from now on; `takenBack` where nothing of it counts. */
      readonly fill: Fill;
      /** As it was until then; absent where the fill had no line. */
      readonly former?: Fill;
    }
  /**
   * What is held and no fill explains: from before the ledger, or traded where nobody told us. Its
   * price is an estimate, and so is every profit that follows from it.
   */
  | {
      readonly kind: "lot";
      readonly contract: ContractCode;
      readonly terms?: BrokerTerms;
      /** Signed: what was added to the position; negative where it became less, or shorter. */
      readonly netQty: number;
      /** What the broker held it at; absent where it did not say. */
      readonly avgPx?: AveragePrice;
      /** Unix ms by the store's clock. */
      readonly at: number;
    };

/** A line with its place: an id that grows from line to line, as the store gave it. */
export type PlacedEntry = LedgerEntry & { readonly id: string };
