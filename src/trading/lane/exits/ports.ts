import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { OrderReport, Side } from "../../../domain/order.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, IntentId } from "../../../domain/ids.ts";

/** Keeps the exit plans that work. Throws `StoreError`. */
export interface ExitPlanStore {
  readonly of: (account: AccountId) => Promise<readonly RunningPlan[]>;
  readonly save: (account: AccountId, plan: RunningPlan) => Promise<void>;
  readonly forget: (account: AccountId, plans: readonly IntentId[]) => Promise<void>;
}

/** What the lanes ask of whoever carries exit plans out. */
export interface BeginsExits {
  /** Works a plan from now on that the write-ahead of its entry has stored. */
  readonly take: (account: AccountId, plan: RunningPlan) => void;
  /** Makes the plan of a position durable; it goes on by itself once what brought it has ended. */
  readonly begin: (account: AccountId, plan: RunningPlan) => Promise<void>;
  /** An exit is about to be placed again under a new name: plans that it belongs to keep it. Throws `StoreError`. */
  readonly rename: (
    account: AccountId,
    leg: Pick<OrderReport, "contract" | "clOrdId">,
    to: ClOrdId,
  ) => Promise<void>;
  /**
   * An intent is about to place exits for all of a position: older plans of it end once it is known to be done.
   * Throws `StoreError`.
   */
  readonly replace: (account: AccountId, contract: ContractCode, by: IntentId) => Promise<void>;
  /** Whether a plan may take out what is held on that side; while plans are being read it may. */
  readonly manages: (account: AccountId, contract: ContractCode, side: Side) => boolean;
  /** Somebody has put the exits of a position somewhere: plans would bring them back. Throws `StoreError`. */
  readonly endAll: (account: AccountId, contract: ContractCode) => Promise<void>;
}
