import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId, IntentId } from "../../../domain/ids.ts";

/** Keeps the exit plans that work. Throws `StoreError`. */
export interface ExitPlanStore {
  readonly of: (account: AccountId) => Promise<readonly RunningPlan[]>;
  readonly save: (account: AccountId, plan: RunningPlan) => Promise<void>;
  readonly forget: (account: AccountId, plans: readonly IntentId[]) => Promise<void>;
}

/** What the lanes ask of whoever carries exit plans out. */
export interface BeginsExits {
  /**
   * Makes the plan durable; it goes on by itself once what brought it has ended. Where nothing is held
   * right before, older plans of the contract are over.
   */
  readonly begin: (account: AccountId, plan: RunningPlan, held: number) => Promise<void>;
  /** Somebody has put the exits of a position somewhere: plans would bring them back. Throws `StoreError`. */
  readonly endAll: (account: AccountId, contract: ContractCode) => Promise<void>;
}
