import type { CopyGroupTerms, CopyRounding } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { CopyOutcome } from "./copy-outcome.ts";

/** What a user sets of one follower; what is left out is what the gateway does by itself. */
export interface FollowerRequest {
  /** A decimal as text. Not beside `fixedQty`; without either it is 1. */
  readonly multiplier?: string;
  /** Of a multiplier only; without it down. */
  readonly rounding?: CopyRounding;
  /** Contracts. */
  readonly fixedQty?: number;
  readonly invert?: boolean;
  /** Roots, in any case. */
  readonly symbolMap?: Readonly<Record<string, string>>;
  readonly allowedSymbols?: readonly string[];
  readonly maxQty?: number;
  readonly enabled?: boolean;
}

/** What changes of a follower: what is left out stays as it is, null clears. */
export interface FollowerChange extends Omit<FollowerRequest, "allowedSymbols" | "maxQty"> {
  readonly allowedSymbols?: readonly string[] | null;
  readonly maxQty?: number | null;
  /** Ends what a guard has stopped. */
  readonly resume?: true;
}

/** A new group; what is left out is what the gateway does by itself. */
export interface CopyGroupRequest extends Partial<CopyGroupTerms> {
  readonly leader: AccountId;
  readonly followers: readonly (FollowerRequest & { readonly accountId: AccountId })[];
}

/** Which copies of a group, newest first. */
export interface CopiesRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  /** One that follows, or followed; without it all that follow now. */
  readonly accountId?: AccountId;
  readonly outcome?: CopyOutcome;
}
